// The forge port on GitHub: puts the parts together.
import type { Forge } from "../../ports/forge.ts";
import { addComment } from "../shared/forge/comments.ts";
import type { RepositoryOptions } from "../shared/forge/connection.ts";
import { fileIssue } from "../shared/forge/issues.ts";
import { NEEDED_LABELS } from "../shared/forge/inspect.ts";
import { ensurePr } from "../shared/forge/prs.ts";
import { createRepository } from "../shared/forge/repository.ts";
import { createReviews } from "../shared/forge/reviews.ts";
import { setStatus } from "../shared/forge/status.ts";
import { createAssignment } from "./assignment.ts";
import { createConnection } from "./connection.ts";
import { listIssues, madeBefore } from "./issues.ts";
import { createLabels } from "./labels.ts";
import { mayMerge, mergePr } from "./merging.ts";
import { finishPr, listPrs, opening } from "./prs.ts";
import { formalReviews } from "./reviews.ts";
import { listRunning, listStatuses, requiredContexts } from "./statuses.ts";
import { listChanges } from "./timeline.ts";

export function createGithubForge(options: RepositoryOptions): Forge {
  const connection = createConnection(options);
  const labels = createLabels(connection);
  const findMade = (mark: string) => madeBefore(connection, mark);
  return {
    ...createRepository(connection, { labels, assignment: createAssignment(connection) }),
    ...createReviews(connection, formalReviews(connection)),
    issues: ({ state }) => listIssues(connection, state),
    createIssue: (input) => fileIssue(connection, labels, { input, as: "dev", findMade }),
    timeline: (issue) => listChanges(connection, issue),
    comment: ({ issue, body, key }) => addComment(connection, { issue, body, key }),
    prs: ({ state }) => listPrs(connection, state),
    ensurePr: (input) => ensurePr(connection, input, opening),
    finishPr: (number, end) => finishPr(connection, number, end),
    mayMerge: (target, strategy) => mayMerge(connection, target, strategy),
    mergePr: (input) => mergePr(connection, input),
    // GitHub sees by itself that a PR's commits are on its target.
    settings: async () => ({
      labelsMissing: await createLabels(connection).missing(NEEDED_LABELS),
      merges: "shown",
    }),
    statuses: (commit) => listStatuses(connection, commit),
    running: (commit) => listRunning(connection, commit),
    requiredContexts: (branch) => requiredContexts(connection, branch),
    async setStatus(commit, status) {
      await setStatus(connection, commit, { status, said: await listStatuses(connection, commit) });
    },
  };
}
