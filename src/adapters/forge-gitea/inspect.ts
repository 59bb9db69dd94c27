// Is a Gitea ready for Pawl? Whose the tokens are, what they may do, and how the repository is set.
// A scope to write is proven without writing: the forge refuses a token before it looks whether
// issue or PR 0 is there.
import { LABELS } from "../../core/issue.ts";
import { describeError } from "../../lib/operation-error.ts";
import type { ForgeInspection } from "../../ports/forge-inspection.ts";
import type { Connection, RepositoryOptions } from "../shared/forge/connection.ts";
import { createConnection } from "./connection.ts";
import { createLabels } from "./labels.ts";
import { anything } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

/** The labels an issue's life needs; the others are made when they are used. */
const NEEDED = [LABELS.backlog, LABELS.inProgress, LABELS.blocked, LABELS.priority];

export async function inspectGitea(
  options: RepositoryOptions,
  target: string,
): Promise<ForgeInspection> {
  const connection = createConnection(options);
  const found: ForgeInspection = {
    login: undefined,
    reviewer: undefined,
    labelsMissing: [],
    problems: [],
    advice: [],
  };
  await noting(found, () => lookAtAccounts(connection, found));
  // Without an account there is nothing more to ask.
  if (found.login === undefined) return found;
  await noting(found, () => proveWriting(connection));
  await noting(found, () => lookAtRepository(connection, found));
  await noting(found, () => lookAtTarget(connection, { found, target }));
  return found;
}

/** Makes the labels that are missing. */
export async function prepareGitea(options: RepositoryOptions): Promise<void> {
  await createLabels(createConnection(options)).ensure(NEEDED);
}

async function noting(found: ForgeInspection, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    const { message, hint } = describeError(error);
    found.problems.push(hint === undefined ? message : `${message} (${hint})`);
  }
}

async function lookAtAccounts(connection: Connection, found: ForgeInspection): Promise<void> {
  found.login = await connection.login("dev");
  if (!connection.hasReviewer) {
    found.advice.push(
      "there is no second account for reviews: they will be comments; set FORGE_REVIEW_TOKEN to a token of another account to have formal ones",
    );
    return;
  }
  found.reviewer = await connection.login("review");
  if (found.reviewer === found.login) {
    found.problems.push(
      `FORGE_TOKEN and FORGE_REVIEW_TOKEN both belong to ${found.login}: nobody may approve their own PR; take a token of another account`,
    );
  }
}

async function proveWriting(connection: Connection): Promise<void> {
  const request = { schema: anything, accept: [400, 404, 405, 409, 422] };
  const issue = { what: "write to issues", method: "PATCH" as const, body: {} };
  await connection.read.ask({ ...request, ...issue, path: connection.at("/issues/0") });
  const merge = { what: "write to the repository", method: "POST" as const, body: { Do: "merge" } };
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
  if (repo.autodetect_manual_merge !== true && repo.allow_manual_merge !== true) {
    found.advice.push(
      'PRs will be closed instead of shown as merged: in the settings of the repository, under "Pull Requests", switch on "Mark pull request as manually merged" or "Autodetect manual merge"',
    );
  }
  const known = await createLabels(connection).known(NEEDED);
  found.labelsMissing = NEEDED.filter((name) => !known.some((label) => label.name === name));
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
  if (branch.user_can_push === false) {
    found.problems.push(
      `${target} is protected, and ${found.login} may not push to it: add it to the protection's "Push" allow-list (Pawl pushes only what its gates have passed)`,
    );
  } else if (branch.protected !== true) {
    found.advice.push(
      `${target} is not protected: a rule that lets only ${found.login} push keeps it green`,
    );
  }
}
