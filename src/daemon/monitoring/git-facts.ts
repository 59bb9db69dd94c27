// What git says about the project's folder, so that "since the spawn" means something. Only reads.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../adapters/shared/run.ts";
import { ifThere } from "../../lib/if-there.ts";
import { toolEnvironment } from "../host/environment.ts";

export type GitFacts = {
  /** Undefined where there is no repository, or no commit yet. */
  head: string | undefined;
  /** Changed and untracked paths with a stamp of their content. */
  dirty: Record<string, string>;
};

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;
const DIRTY_MAX = 5_000;

export async function gitFacts(root: string): Promise<GitFacts> {
  const head = await ask(root, ["rev-parse", "--verify", "-q", "HEAD"]);
  const status = await ask(root, ["status", "--porcelain", "-z", "--untracked-files=all"]);
  const paths = pathsIn(status ?? "").slice(0, DIRTY_MAX);
  const stamps = await Promise.all(paths.map((path) => stampOf(join(root, path))));
  const dirty = Object.fromEntries(paths.map((path, index) => [path, stamps[index] ?? ""]));
  return { head: head?.trim(), dirty };
}

export type Since = { commits: number; files: string[] };

/** Commits and files that are new since then. */
export async function changesSince(root: string, before: GitFacts): Promise<Since> {
  const now = await gitFacts(root);
  const moved = Object.keys(now.dirty).filter((path) => now.dirty[path] !== before.dirty[path]);
  if (now.head === undefined || now.head === before.head) return { commits: 0, files: moved };
  const range = before.head === undefined ? now.head : `${before.head}..${now.head}`;
  const count = await ask(root, ["rev-list", "--count", range]);
  const from = before.head ?? "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  const names = await ask(root, ["diff", "--name-only", "-z", from, now.head]);
  const committed = (names ?? "").split("\0").filter((name) => name !== "");
  return { commits: Number(count ?? 0), files: [...new Set([...committed, ...moved])] };
}

/** Undefined where git refuses. */
async function ask(root: string, args: string[]): Promise<string | undefined> {
  const { exitCode, stdout } = await run({
    argv: ["git", "-C", root, "--no-optional-locks", ...args],
    cwd: "/",
    env: toolEnvironment(),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    expect: [0, 1, 128],
    what: `ask git about ${root}`,
  });
  return exitCode === 0 ? stdout : undefined;
}

/** A renamed path has its old name in a field of its own. */
function pathsIn(status: string): string[] {
  const paths: string[] = [];
  const fields = status.split("\0");
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] ?? "";
    if (field.length < 4) continue;
    paths.push(field.slice(3));
    if (/^[RC]/.test(field)) index += 1;
  }
  return paths;
}

async function stampOf(path: string): Promise<string> {
  const found = await ifThere(stat(path));
  return found === undefined ? "gone" : `${found.size}-${found.mtimeMs}`;
}
