// Who works on an issue of a Gitea repository: its assignees are set all at once.
import type { Assignment } from "../shared/forge/claim.ts";
import type { Connection } from "../shared/forge/connection.ts";
import { anything, type RawIssue } from "../shared/forge/shapes.ts";

export function createAssignment(connection: Connection): Assignment {
  const request = (issue: RawIssue, assignees: string[]) => ({
    method: "PATCH" as const,
    path: connection.at(`/issues/${issue.number}`),
    body: { assignees },
    schema: anything,
    repeatable: true,
  });
  return {
    async assign(issue, me) {
      const what = `assign #${issue.number} to ${me}`;
      // An account that may not be assigned can work all the same.
      await connection.change({ ...request(issue, [me]), what, accept: [403, 422] });
    },
    async unassign(issue, me) {
      const others = (issue.assignees ?? []).filter(({ login }) => login !== me);
      const names = others.map(({ login }) => login);
      await connection.change({ ...request(issue, names), what: `give #${issue.number} back` });
    },
  };
}
