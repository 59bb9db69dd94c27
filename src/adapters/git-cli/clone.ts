// A private clone over the hub's objects: quick, and with no way to push anywhere.
// Written by hand instead of by `git clone`, which would copy every agent's branches into it.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { agentAuthor } from "./authors.ts";
import type { GitContext } from "./context.ts";

/** Git shows this text when someone pushes; it is a path that cannot exist. */
const PUSH_DISABLED =
  "/dev/null/push is disabled here: Pawl pushes your branch when you write your phase";

/** The bare repository a clone takes its objects from, and which of its refs a fetch brings. */
type CloneSource = { hub: string; refspec: string };

/** Makes `path/.git` with the target as origin/{target}; the work tree stays as it is. */
export async function makeClone(
  context: GitContext,
  path: string,
  targetAt: Commit | undefined,
): Promise<string> {
  const dir = await makeCloneOf(context, path, ofTarget(context));
  const remote = `refs/remotes/origin/${context.target}`;
  if (targetAt !== undefined) await context.git({ args: ["update-ref", remote, targetAt], dir });
  return dir;
}

/** The same over the objects of another repository of ours, without any ref. */
export async function makeCloneOf(
  context: GitContext,
  path: string,
  source: CloneSource,
): Promise<string> {
  const dir = join(path, ".git");
  const format = await context.inHub(["rev-parse", "--show-object-format"]);
  const args = ["init", "--quiet", "--template=", `--object-format=${format.stdout}`, path];
  await context.git({ args, cwd: path, what: `create a clone at ${path}` });
  await mkdir(join(dir, "info"), { recursive: true });
  await mkdir(join(dir, "objects", "info"), { recursive: true });
  await writeFile(join(dir, "objects", "info", "alternates"), `${join(source.hub, "objects")}\n`);
  await configure(context, dir, source);
  return dir;
}

const ofTarget = (context: GitContext): CloneSource => ({
  hub: context.hub,
  refspec: `+${context.targetRef}:refs/remotes/origin/${context.target}`,
});

async function configure(
  context: GitContext,
  dir: string,
  { hub, refspec }: CloneSource,
): Promise<void> {
  const author = await agentAuthor(context);
  const sign = String(context.config.sign);
  const lines = [
    section("user", [
      ["name", author.name],
      ["email", author.email],
    ]),
    section("core", [
      ["pager", "cat"],
      ["editor", "true"],
      ["fsmonitor", "false"],
      // Pawl reads the index from beside the repository, where half of a split one is missing.
      ["splitIndex", "false"],
    ]),
    // For repositories that use it; agents need not have run `git lfs install`.
    section('filter "lfs"', [
      ["clean", "git-lfs clean -- %f"],
      ["smudge", "git-lfs smudge -- %f"],
      ["process", "git-lfs filter-process"],
      ["required", "true"],
    ]),
    section("sequence", [["editor", "true"]]),
    section("commit", [["gpgSign", sign]]),
    section("tag", [["gpgSign", sign]]),
    section("gc", [["auto", "0"]]),
    section("maintenance", [["auto", "false"]]),
    section('remote "origin"', [
      ["url", hub],
      ["pushurl", PUSH_DISABLED],
      ["fetch", refspec],
      ["tagOpt", "--no-tags"],
    ]),
  ];
  // Appended in one write: `git config` once per key costs 3 ms each.
  await writeFile(join(dir, "config"), lines.join(""), { flag: "a" });
}

/** A section of a configuration file. */
export function section(name: string, entries: [key: string, value: string][]): string {
  const lines = entries.map(([key, value]) => `\t${key} = ${quoted(value)}\n`);
  return `[${name}]\n${lines.join("")}`;
}

const quoted = (value: string): string =>
  `"${value
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`)}"`;
