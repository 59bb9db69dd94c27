// Says something of a commit, unless it is said already.
import type { Commit } from "../../../core/ids.ts";
import type { Status } from "../../../ports/forge.ts";
import type { Connection } from "./connection.ts";
import { anything } from "./shapes.ts";

export async function setStatus(
  connection: Connection,
  commit: Commit,
  wanted: { status: Status; said: readonly Status[] },
): Promise<void> {
  const { context, state, url } = wanted.status;
  const description = wanted.status.description.slice(0, connection.dialect.descriptionMax);
  const before = wanted.said.find((one) => one.context === context);
  if (before?.state === state && before.description === description) return;
  await connection.change({
    what: `say ${state} of ${commit.slice(0, 10)}`,
    method: "POST",
    path: connection.at(`/statuses/${commit}`),
    body: { context, state, description, ...(url !== undefined && { target_url: url }) },
    schema: anything,
    repeatable: true,
  });
}
