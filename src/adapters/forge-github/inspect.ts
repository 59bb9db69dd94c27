// Is a repository on GitHub ready for Pawl? Whose the tokens are, what they may do, and what guards the
// target. A classic token tells its scopes by itself (x-oauth-scopes). What a fine-grained one may
// write is proven without writing: GitHub refuses a token before it finds that nothing was asked for.
import type { ForgeInspection } from "../../ports/forge-inspection.ts";
import type { As, Connection, RepositoryOptions } from "../shared/forge/connection.ts";
import { inspect, NEEDED_LABELS } from "../shared/forge/inspect.ts";
import { anything } from "../shared/forge/shapes.ts";
import { createConnection } from "./connection.ts";
import { createLabels } from "./labels.ts";
import { mayMerge } from "./merging.ts";
import * as shape from "./shapes.ts";

type Found = { found: ForgeInspection; target: string };
/** Below the repository, with a body that asks for nothing. */
type Probe = { path: string; permission: string };

const NO_COMMIT = "0".repeat(40);
const WRITES: Record<As, Probe[]> = {
  dev: [
    { path: "/labels", permission: "Issues" },
    { path: "/pulls", permission: "Pull requests" },
    { path: `/statuses/${NO_COMMIT}`, permission: "Commit statuses" },
    { path: "/git/refs", permission: "Contents" },
  ],
  review: [{ path: "/pulls", permission: "Pull requests" }],
};
const ENOUGH = new Set(["repo", "public_repo"]);

export function inspectGithub(
  options: RepositoryOptions,
  target: string,
): Promise<ForgeInspection> {
  const connection = createConnection(options);
  const names = { dev: options.token.name, review: options.reviewToken?.name ?? "" };
  return inspect(connection, [
    (found) => lookAtRepository(connection, found),
    (found) => lookAtToken(connection, { found, as: "dev", name: names.dev }),
    (found) =>
      connection.hasReviewer
        ? lookAtToken(connection, { found, as: "review", name: names.review })
        : Promise.resolve(),
    (found) => lookAtTarget(connection, { found, target }),
  ]);
}

/** Makes the labels that are missing. */
export async function prepareGithub(options: RepositoryOptions): Promise<void> {
  await createLabels(createConnection(options)).ensure(NEEDED_LABELS);
}

async function lookAtRepository(connection: Connection, found: ForgeInspection): Promise<void> {
  const what = "read the repository";
  const repo = await connection.read.get({ what, path: connection.at(""), schema: shape.repo });
  if (repo.archived === true) {
    found.problems.push(`${repo.full_name} is archived: nothing can be written there`);
  }
  if (repo.permissions?.push === false) {
    found.problems.push(
      `${found.login} may not write to ${repo.full_name}: add it as a collaborator with write access`,
    );
  }
  if (repo.has_issues === false) {
    found.problems.push(`${repo.full_name} has issues switched off: switch them on`);
  }
  found.labelsMissing = await createLabels(connection).missing(NEEDED_LABELS);
}

async function lookAtToken(
  connection: Connection,
  { found, as, name }: { found: ForgeInspection; as: As; name: string },
): Promise<void> {
  const whose = { what: connection.dialect.askWhose(as), path: "/user", schema: anything };
  const answer = await connection.change({ ...whose, method: "GET" }, as);
  const scopes = answer.kind === "ok" ? answer.headers.get("x-oauth-scopes") : null;
  if (scopes === null) {
    await proveWriting(connection, { found, as, name });
    return;
  }
  const has = scopes.split(",").map((scope) => scope.trim());
  if (has.some((scope) => ENOUGH.has(scope))) return;
  const shown = scopes.trim() === "" ? "no scope" : `only ${scopes}`;
  found.problems.push(`${name} is a classic token with ${shown}: it needs the scope repo`);
}

/** 422: it may, and nothing was asked for. 403 or, in a private repository, 404: it may not. */
async function proveWriting(
  connection: Connection,
  { found, as, name }: { found: ForgeInspection; as: As; name: string },
): Promise<void> {
  const lacking: string[] = [];
  for (const { path, permission } of WRITES[as]) {
    const request = { what: `write ${permission}`, path: connection.at(path), schema: anything };
    const asked = { ...request, method: "POST" as const, body: {}, accept: [400, 403, 404, 422] };
    const answer = await connection.change(asked, as);
    const mayNot = answer.kind === "refused" && (answer.status === 403 || answer.status === 404);
    if (mayNot) lacking.push(permission);
  }
  if (lacking.length === 0) return;
  found.problems.push(
    `${name} may not write ${lacking.join(", ")}: give it "read and write" there, for this repository (docs/forges/github.md has the list)`,
  );
}

const RULES: Record<string, string> = {
  pull_request: "a PR",
  required_status_checks: "green checks",
  update: "an account that may bypass its rules",
  merge_queue: "GitHub's merge queue",
};

async function lookAtTarget(connection: Connection, { found, target }: Found): Promise<void> {
  const name = encodeURIComponent(target);
  const [branch, ruled] = await Promise.all([
    connection.read.get({
      what: `read the branch ${target}`,
      path: connection.at(`/branches/${name}`),
      schema: shape.branch,
    }),
    connection.read.ask({
      what: `read the rules of ${target}`,
      path: connection.at(`/rules/branches/${name}`),
      schema: shape.rules,
      accept: [404],
    }),
  ]);
  const types = ruled.kind === "ok" ? ruled.body.map(({ type }) => type) : [];
  if (types.includes("required_signatures")) {
    found.problems.push(
      `${target} requires signed commits, and Pawl's are not: remove that rule, or let ${found.login} bypass it`,
    );
  }
  const wants = [...new Set(types.flatMap((type) => RULES[type] ?? []))];
  if (branch.protected === true || wants.length > 0) {
    await sayGuarded(connection, { found, target, wants });
    return;
  }
  found.advice.push(
    `${target} is not protected: a rule that lets only ${found.login} push keeps it green`,
  );
}

/** Who may bypass the rules only administrators can read, so that both ways are told. */
async function sayGuarded(
  connection: Connection,
  { found, target, wants }: Found & { wants: string[] },
): Promise<void> {
  const asks = wants.length === 0 ? "is protected" : `asks for ${wants.join(", ")}`;
  const may = await mayMerge(connection, target, "merge");
  const otherwise =
    may.kind === "allowed"
      ? "if it may not, Pawl asks GitHub to merge each PR after its gates have passed, one at a time"
      : `if it may not, nothing can land: ${may.hint}`;
  found.advice.push(`${target} ${asks}: let ${found.login} bypass that; ${otherwise}`);
}
