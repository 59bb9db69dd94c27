// The forge port on Gitea, Forgejo and Codeberg: puts the parts together. Reads of a project that
// nothing changed in cost one request (changes.ts).
import type { Forge } from "../../ports/forge.ts";
import { addComment } from "../shared/forge/comments.ts";
import type { RepositoryOptions } from "../shared/forge/connection.ts";
import { ensurePr } from "../shared/forge/prs.ts";
import { createRepository } from "../shared/forge/repository.ts";
import { createReviews } from "../shared/forge/reviews.ts";
import { setStatus } from "../shared/forge/status.ts";
import { createAssignment } from "./assignment.ts";
import { createChanges } from "./changes.ts";
import { createConnection, speakerOf } from "./connection.ts";
import { createIssue, listIssues } from "./issues.ts";
import { createLabels } from "./labels.ts";
import { mergePr, mergeStyle } from "./merging.ts";
import { finishPr, listPrs, opening } from "./prs.ts";
import { createReviewMemory } from "./review-memory.ts";
import { formalReviews } from "./reviews.ts";
import { settings, showMerges } from "./settings.ts";
import { listStatuses, requiredContexts } from "./statuses.ts";
import { listChanges } from "./timeline.ts";

export function createGiteaForge(options: RepositoryOptions): Forge {
  const connection = createConnection(options);
  const labels = createLabels(connection);
  const changes = createChanges(connection, options.now);
  const memory = createReviewMemory(changes, options.now);
  const reviews = createReviews(connection, formalReviews(connection));
  return {
    ...createRepository(connection, { labels, assignment: createAssignment(connection) }),
    issues: ({ state }) =>
      state === "open" ? changes.openIssues() : listIssues(connection, state),
    createIssue: (input) => createIssue(connection, labels, input),
    timeline: (issue) => listChanges(connection, issue),
    async comment({ author, ...said }) {
      return addComment(connection, { ...said, as: await speakerOf(connection, author) });
    },
    prs: ({ state }) => listPrs(connection, state),
    ensurePr: (input) => ensurePr(connection, input, opening),
    finishPr: (number, end) => finishPr(connection, number, end),
    async mayMerge(target, strategy) {
      const chosen = await mergeStyle(connection, target, strategy);
      return chosen.kind === "refused" ? chosen : { kind: "allowed" };
    },
    mergePr: (input) => mergePr(connection, input),
    settings: () => settings(connection),
    showMerges: () => showMerges(connection),
    reviews: (pr) => memory.reviews(pr, () => reviews.reviews(pr)),
    review: (input) => reviews.review(input).finally(() => memory.forget(input.pr)),
    dismissReview: (input) => reviews.dismissReview(input).finally(() => memory.forget(input.pr)),
    statuses: (commit) => listStatuses(connection, commit),
    requiredContexts: (branch) => requiredContexts(connection, branch),
    async setStatus(commit, status) {
      await setStatus(connection, commit, { status, said: await listStatuses(connection, commit) });
    },
  };
}
