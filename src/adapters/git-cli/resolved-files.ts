// Results of the resolver, by what it was given: the same program on the same three versions of a file
// is not run again. A repeat after a crash, or with the same heads on another target, finds them here.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import type { ConflictedFile } from "./conflicted.ts";
import type { GitContext } from "./context.ts";

type Key = { file: ConflictedFile; resolve: string[] };

const KEPT_MAX = 500;
const KEPT_MAX_BYTES = 256 * 1024 * 1024;

const folderOf = (context: GitContext): string => join(context.privateDir, "resolved");

function pathOf(context: GitContext, { file, resolve }: Key): string {
  const { path, base = "", ours, theirs } = file;
  const key = JSON.stringify([resolve, path, base, ours, theirs]);
  return join(folderOf(context), createHash("sha256").update(key).digest("hex"));
}

/** The blob of an earlier result. */
export async function keptResult(context: GitContext, key: Key): Promise<string | undefined> {
  const bytes = await ifThere(readFile(pathOf(context, key)));
  return bytes === undefined ? undefined : blobOf(context, bytes);
}

/** Remembers a result, and gives its blob. */
export async function keepResult(
  context: GitContext,
  { bytes, ...key }: Key & { bytes: Buffer },
): Promise<string> {
  const path = pathOf(context, key);
  await mkdir(folderOf(context), { recursive: true });
  await writeFile(`${path}.new`, bytes, { flush: true, mode: 0o600 });
  await rename(`${path}.new`, path);
  await forgetOldest(folderOf(context));
  return blobOf(context, bytes);
}

const blobOf = async (context: GitContext, bytes: Buffer): Promise<string> =>
  (await context.inHub(["hash-object", "-w", "--stdin"], { stdin: bytes })).stdout;

async function forgetOldest(folder: string): Promise<void> {
  const kept = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const { mtimeMs, size } = await stat(join(folder, name));
      return { name, mtimeMs, size };
    }),
  );
  let bytes = 0;
  for (const [index, { name, size }] of kept.toSorted((a, b) => b.mtimeMs - a.mtimeMs).entries()) {
    bytes += size;
    if (index >= KEPT_MAX || bytes > KEPT_MAX_BYTES) await rm(join(folder, name), { force: true });
  }
}
