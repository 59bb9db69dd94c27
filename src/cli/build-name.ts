// Which build of Pawl this is, for `pawl --version` and for people who report a problem.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const GIT_MAX_MS = 5_000;

/** `0.1.0 (commit b0cfca7fd1, checkout /src/pawl, Node 24.1.0)`: the version is the first word. */
export function buildName(version: string): string {
  const checkout = join(import.meta.dirname, "../..");
  const node = `Node ${process.versions.node}`;
  const parts = existsSync(join(checkout, "src/cli/main.ts"))
    ? [...checkedOut(checkout), `checkout ${checkout}`, node]
    : [...packed(), node];
  return `${version} (${parts.join(", ")})`;
}

/** Nothing where the sources came without their history. */
function checkedOut(checkout: string): string[] {
  const commit = git(checkout, "rev-parse", "--short=10", "HEAD");
  if (commit === undefined) return [];
  const isChanged = git(checkout, "status", "--porcelain", "--untracked-files=no") !== "";
  return [`commit ${commit}`, ...(isChanged ? ["changed"] : [])];
}

function git(cwd: string, ...args: string[]): string | undefined {
  // Its own .git only: a copy inside another repository has no commit of its own.
  if (!existsSync(join(cwd, ".git"))) return undefined;
  const result = spawnSync("git", ["-C", cwd, ...args], { encoding: "utf8", timeout: GIT_MAX_MS });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** `npm run build` writes the commit beside the bundle. */
function packed(): string[] {
  const note = join(import.meta.dirname, "build.txt");
  return existsSync(note) ? [readFileSync(note, "utf8").trim()] : [];
}
