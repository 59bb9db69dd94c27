// Statuses of commits in a Gitea repository. Gitea keeps every one that was ever set; the latest of
// a context is what counts.
import * as z from "zod";
import type { Commit } from "../../core/ids.ts";
import type { Status } from "../../ports/forge.ts";
import type { Connection } from "../shared/forge/connection.ts";
import * as shape from "./shapes.ts";

export async function listStatuses(connection: Connection, commit: Commit): Promise<Status[]> {
  const all = await connection.read.list({
    what: `read the statuses of ${commit.slice(0, 10)}`,
    path: connection.at(`/commits/${commit}/statuses`),
    query: { limit: 50 },
    schema: z.array(shape.status),
  });
  const latest = new Map(
    all.toSorted((a, b) => a.id - b.id).map((raw) => [raw.context, shownStatus(raw)]),
  );
  return [...latest.values()].toSorted((a, b) => a.context.localeCompare(b.context));
}

function shownStatus(raw: shape.RawStatus): Status {
  const url = raw.target_url ?? "";
  return {
    context: raw.context,
    state: STATES[raw.status],
    description: raw.description ?? "",
    url: url === "" ? undefined : url,
  };
}

/** A warning and a step that was left out are no reason to stop. */
const STATES: Record<shape.RawStatus["status"], Status["state"]> = {
  pending: "pending",
  success: "success",
  warning: "success",
  skipped: "success",
  error: "error",
  failure: "failure",
};

/** Names or patterns; none where the branch is not protected, or its statuses are not looked at. */
export async function requiredContexts(connection: Connection, branch: string): Promise<string[]> {
  const answer = await connection.read.ask({
    what: `read the protection of ${branch}`,
    path: connection.at(`/branches/${encodeURIComponent(branch)}`),
    schema: shape.branch,
    accept: [404],
  });
  if (answer.kind !== "ok" || answer.body.enable_status_check !== true) return [];
  return answer.body.status_check_contexts ?? [];
}
