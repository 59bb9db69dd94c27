// The forge port on GitHub: puts the parts together.
import type { Forge } from "../../ports/forge.ts";
import { claimIssue } from "./claim.ts";
import { addComment, listComments } from "./comments.ts";
import { createConnection, type GithubOptions } from "./connection.ts";
import { createIssue, editIssue, listIssues, shownIssue } from "./issues.ts";
import { createLabels } from "./labels.ts";
import { ensurePr, findPr, finishPr, listPrs } from "./prs.ts";
import { rawIssue } from "./raw-issue.ts";
import { addReview, dismissReview, listReviews } from "./reviews.ts";
import { listStatuses, requiredContexts, setStatus } from "./statuses.ts";

export function createGithubForge(options: GithubOptions): Forge {
  const connection = createConnection(options);
  const labels = createLabels(connection);
  return {
    issues: ({ state }) => listIssues(connection, state),
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
    reviews: (pr) => listReviews(connection, pr),
    review: (input) => addReview(connection, input),
    dismissReview: (input) => dismissReview(connection, input),
    statuses: (commit) => listStatuses(connection, commit),
    requiredContexts: (branch) => requiredContexts(connection, branch),
    setStatus: (commit, status) => setStatus(connection, commit, status),
    async account() {
      const login = await connection.login("dev");
      return { login, reviewer: connection.hasReviewer ? await connection.login("review") : login };
    },
  };
}
