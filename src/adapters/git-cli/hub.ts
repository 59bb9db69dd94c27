// The hub: Pawl's own bare repository of a project. Made once, complete in itself (no alternates:
// the user may gc their repository at any time), with nothing in it that can run.
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { isStaleLock, noteBoot } from "../shared/stale-lock.ts";
import type { GitContext } from "./context.ts";

/** The first with `merge-tree --stdin`. */
const MINOR_MIN = 39;

/** What is in the configuration of a bare repository of ours: nothing that can run. */
export const HUB_CONFIG = (format: string): string => `[core]
	repositoryformatversion = ${format === "sha1" ? 0 : 1}
	bare = true
	filemode = true
	hooksPath = /dev/null
	logAllRefUpdates = false
${format === "sha1" ? "" : `[extensions]\n\tobjectFormat = ${format}\n`}[gc]
	auto = 0
[maintenance]
	auto = false
[uploadpack]
	allowAnySHA1InWant = true
[receive]
	hideRefs = refs/
`;

/** Attributes of files must not change bytes when a workspace is saved. */
const RAW_ATTRIBUTES = "* -text -ident -filter !eol !working-tree-encoding\n";

/** Makes the hub complete; harmless to repeat, cheap where nothing is to be done. */
export async function ensureHub(context: GitContext): Promise<void> {
  const { hub } = context;
  await requireVersion(context);
  if (!(await exists(join(hub, "pawl", "complete")))) {
    await mkdir(dirname(hub), { recursive: true });
    const format = await upstreamFormat(context);
    const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`];
    await context.git({ args: [...args, hub], cwd: dirname(hub), what: "create the hub" });
    await context.crash("git.hub.initialised");
    await replaceFile(join(hub, "config"), HUB_CONFIG(format));
    await makeRawView(context, format);
    await context.crash("git.hub.configured");
    await replaceFile(join(hub, "pawl", "complete"), "1\n");
  }
  await removeStaleLocks(hub);
}

async function requireVersion(context: GitContext): Promise<void> {
  const said = (await context.git({ args: ["version"], cwd: "/" })).stdout;
  const { major = "0", minor = "0" } = /(?<major>\d+)\.(?<minor>\d+)/.exec(said)?.groups ?? {};
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= MINOR_MIN)) return;
  throw new OperationError(`cannot work with ${said}: merging in memory needs git 2.${MINOR_MIN}`, {
    code: "git-too-old",
    hint: `install git 2.${MINOR_MIN} or newer`,
  });
}

/**
 * A second git folder over the same objects for saving and restoring bytes as they are. It is
 * separate because attributes must hold for checkouts of the hub and must not hold here.
 */
export const rawView = (context: GitContext): string => join(context.privateDir, "raw.git");

/** Points git at the raw view while objects go to the hub itself. */
export const rawEnvironment = (context: GitContext): Record<string, string> => ({
  GIT_DIR: rawView(context),
  GIT_OBJECT_DIRECTORY: join(context.hub, "objects"),
});

async function makeRawView(context: GitContext, format: string): Promise<void> {
  const raw = rawView(context);
  await mkdir(join(context.privateDir, "checkpoints"), { recursive: true });
  await mkdir(join(context.privateDir, "checkouts"), { recursive: true });
  const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, raw];
  await context.git({ args, cwd: context.hub });
  await mkdir(join(raw, "info"), { recursive: true });
  await writeFile(join(raw, "info", "attributes"), RAW_ATTRIBUTES);
  const config = HUB_CONFIG(format).replace(
    "bare = true",
    "bare = true\n\tautocrlf = false\n\tsymlinks = true\n\tattributesFile = /dev/null",
  );
  await replaceFile(join(raw, "config"), config);
}

/** The user's clone of a remote has the format of that remote. */
async function upstreamFormat(context: GitContext): Promise<string> {
  const { kind, path: cwd } = context.upstream;
  if (kind === "remote" && !(await exists(cwd))) return "sha1";
  const args = ["rev-parse", "--show-object-format"];
  const result = await context.git({ args, cwd, expect: [0, 128] });
  return result.exitCode === 0 ? result.stdout : "sha1";
}

/** A git that was killed leaves its locks, and every later one refuses to work beside them. */
export async function removeStaleLocks(hub: string): Promise<void> {
  const inRefs = (await readdir(join(hub, "refs"), { recursive: true })).map((n) => `refs/${n}`);
  const names = [...inRefs, ...(await readdir(hub))].filter((name) => name.endsWith(".lock"));
  for (const name of names) {
    if (await isStaleLock(hub, name, { now: Date.now() }))
      await rm(join(hub, name), { force: true });
  }
  await noteBoot(hub);
}

/** Writes a file so that it is there whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { flush: true });
  await rename(`${path}.new`, path);
}

export const exists = async (path: string): Promise<boolean> =>
  (await ifThere(stat(path))) !== undefined;
