// How a repository on Gitea is set: labels, and whether a PR that Pawl landed by a push can be shown as
// merged. On a new repository neither kind of manual merge is on.
import type { ForgeSettings } from "../../core/forge-settings.ts";
import type { Connection } from "../shared/forge/connection.ts";
import { NEEDED_LABELS } from "../shared/forge/inspect.ts";
import { anything } from "../shared/forge/shapes.ts";
import { createLabels } from "./labels.ts";
import * as shape from "./shapes.ts";

export async function settings(connection: Connection): Promise<ForgeSettings> {
  const what = "read the repository";
  const repo = await connection.read.get({ what, path: connection.at(""), schema: shape.repo });
  return { labelsMissing: await missingLabels(connection), merges: mergesIn(repo) };
}

export async function missingLabels(connection: Connection): Promise<string[]> {
  const known = await createLabels(connection).known(NEEDED_LABELS);
  return NEEDED_LABELS.filter((name) => !known.some((label) => label.name === name));
}

export function mergesIn(repo: shape.RawRepo): ForgeSettings["merges"] {
  if (repo.autodetect_manual_merge === true || repo.allow_manual_merge === true) return "shown";
  return repo.permissions?.admin === true ? "switchable" : "hidden";
}

/** Not "autodetect": by Gitea's own word it is mistaken at times, and it would do that to all PRs. */
export async function showMerges(connection: Connection): Promise<void> {
  await connection.change({
    what: "switch on manual merge",
    method: "PATCH",
    path: connection.at(""),
    body: { has_pull_requests: true, allow_manual_merge: true },
    schema: anything,
  });
}
