// Who works on an issue on GitHub: assignees are added and taken off one by one.
import type { Assignment } from "../shared/forge/claim.ts";
import type { Connection } from "../shared/forge/connection.ts";
import { anything, type RawIssue } from "../shared/forge/shapes.ts";

export function createAssignment(connection: Connection): Assignment {
  const request = ({ number }: RawIssue, me: string) => ({
    path: connection.at(`/issues/${number}/assignees`),
    body: { assignees: [me] },
    schema: anything,
    repeatable: true,
    accept: [403, 422],
  });
  return {
    /** Silently nothing where the account may not be assigned; it can work all the same. */
    async assign(issue, me) {
      const what = `assign #${issue.number}`;
      await connection.change({ ...request(issue, me), what, method: "POST" });
    },
    async unassign(issue, me) {
      const what = `unassign #${issue.number}`;
      await connection.change({ ...request(issue, me), what, method: "DELETE" });
    },
  };
}
