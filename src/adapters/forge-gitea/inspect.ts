// Is a Gitea ready for Pawl? Whose the tokens are, what they may do, and how the repository is set.
// A scope to write is proven without writing: the forge refuses a token before it looks whether
// issue or PR 0 is there.
import type { ForgeInspection } from "../../ports/forge-inspection.ts";
import type { Connection, RepositoryOptions } from "../shared/forge/connection.ts";
import { inspect, NEEDED_LABELS } from "../shared/forge/inspect.ts";
import { createConnection } from "./connection.ts";
import { createLabels } from "./labels.ts";
import { mergeBody, mergeStyle } from "./merging.ts";
import { mergesIn, missingLabels, showMerges } from "./settings.ts";
import { anything } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

export function inspectGitea(options: RepositoryOptions, target: string): Promise<ForgeInspection> {
  const connection = createConnection(options);
  return inspect(connection, [
    () => proveWriting(connection),
    (found) => lookAtRepository(connection, found),
    (found) => lookAtTarget(connection, { found, target }),
  ]);
}

/** Makes the labels that are missing, and has merges shown where that is asked for. */
export async function prepareGitea(
  options: RepositoryOptions,
  asked: { showMerges: boolean },
): Promise<void> {
  const connection = createConnection(options);
  await createLabels(connection).ensure(NEEDED_LABELS);
  if (asked.showMerges) await showMerges(connection);
}

async function proveWriting(connection: Connection): Promise<void> {
  const request = { schema: anything, accept: [400, 404, 405, 409, 422] };
  const issue = { what: "write to issues", method: "PATCH" as const, body: {} };
  await connection.read.ask({ ...request, ...issue, path: connection.at("/issues/0") });
  const body = mergeBody("merge");
  const merge = { what: "write to the repository", method: "POST" as const, body };
  await connection.read.ask({ ...request, ...merge, path: connection.at("/pulls/0/merge") });
}

async function lookAtRepository(connection: Connection, found: ForgeInspection): Promise<void> {
  const what = "read the repository";
  const repo = await connection.read.get({ what, path: connection.at(""), schema: shape.repo });
  if (repo.permissions?.push !== true) {
    found.problems.push(
      `${found.login} may not write to ${repo.full_name}: add it as a collaborator with write access`,
    );
  }
  if (repo.has_issues === false || repo.has_pull_requests === false) {
    found.problems.push(
      `${repo.full_name} has issues or pull requests switched off: switch them on`,
    );
  }
  found.merges = mergesIn(repo);
  if (found.merges === "hidden") {
    found.advice.push(
      'PRs will be closed instead of shown as merged: in the settings of the repository, under "Pull Requests", the owner can switch on "Mark pull request as manually merged" or "Autodetect manual merge"',
    );
  }
  found.labelsMissing = await missingLabels(connection);
}

async function lookAtTarget(
  connection: Connection,
  { found, target }: { found: ForgeInspection; target: string },
): Promise<void> {
  const branch = await connection.read.get({
    what: `read the branch ${target}`,
    path: connection.at(`/branches/${encodeURIComponent(target)}`),
    schema: shape.branch,
  });
  if (branch.user_can_push === false) await lookAtMerging(connection, { found, target });
  else if (branch.protected !== true) {
    found.advice.push(
      `${target} is not protected: a rule that lets only ${found.login} push keeps it green`,
    );
  }
}

/** Where Pawl may not push, Gitea's own merge is the way, if it can do no harm. */
async function lookAtMerging(
  connection: Connection,
  { found, target }: { found: ForgeInspection; target: string },
): Promise<void> {
  const style = await mergeStyle(connection, target, "merge");
  if (style.kind === "allowed") {
    found.advice.push(
      `${target} is protected, and ${found.login} may not push to it: Pawl asks Gitea to merge each PR (${style.style}) after its gates have passed, one at a time; on the "Push" allow-list, several land at once`,
    );
    return;
  }
  found.problems.push(
    `${target} is protected, and ${found.login} may not push to it: add it to the protection's "Push" allow-list (Pawl pushes only what its gates have passed), or ${style.hint}`,
  );
}
