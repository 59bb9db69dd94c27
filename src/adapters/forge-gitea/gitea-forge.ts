// The forge port on Gitea, Forgejo and Codeberg: puts the parts together. Reads of a project that
// nothing changed in cost one request (changes.ts).
import type { Forge } from "../../ports/forge.ts";
import { createChanges } from "./changes.ts";
import { claimIssue } from "./claim.ts";
import { addComment, listComments } from "./comments.ts";
import { createConnection, type GiteaOptions } from "./connection.ts";
import { createIssue, editIssue, listIssues, shownIssue } from "./issues.ts";
import { createLabels } from "./labels.ts";
import { ensurePr, findPr, finishPr, listPrs } from "./prs.ts";
import { rawIssue } from "./raw-issue.ts";
import { createReviewMemory } from "./review-memory.ts";
import { addReview, dismissReview, listReviews } from "./reviews.ts";
import { listStatuses, requiredContexts, setStatus } from "./statuses.ts";

export function createGiteaForge(options: GiteaOptions): Forge {
  const connection = createConnection(options);
  const labels = createLabels(connection);
  const changes = createChanges(connection, options.now);
  const memory = createReviewMemory(changes, options.now);
  return {
    issues: ({ state }) =>
      state === "open" ? changes.openIssues() : listIssues(connection, state),
    async issue(number) {
      const raw = await rawIssue(connection, number);
      return raw && shownIssue(raw);
    },
    createIssue: (input) => createIssue(connection, labels, input),
    editIssue: (number, change) => editIssue(connection, labels, { number, change }),
    comments: (number) => listComments(connection, number),
    comment: (input) => addComment(connection, input),
    claim: (number, key) => claimIssue(connection, labels, { number, key }),
    prs: ({ state }) => listPrs(connection, state),
    pr: (number) => findPr(connection, number),
    ensurePr: (input) => ensurePr(connection, input),
    finishPr: (number, end) => finishPr(connection, number, end),
    reviews: (pr) => memory.reviews(pr, () => listReviews(connection, pr)),
    review: (input) => addReview(connection, input).finally(() => memory.forget(input.pr)),
    dismissReview: (input) =>
      dismissReview(connection, input).finally(() => memory.forget(input.pr)),
    statuses: (commit) => listStatuses(connection, commit),
    requiredContexts: (branch) => requiredContexts(connection, branch),
    setStatus: (commit, status) => setStatus(connection, commit, status),
    async account() {
      const login = await connection.login("dev");
      return { login, reviewer: connection.hasReviewer ? await connection.login("review") : login };
    },
  };
}
