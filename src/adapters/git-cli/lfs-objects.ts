// The objects of Git LFS as files, and the pointers to them in commits. Objects are named by the
// SHA-256 of their content, which is checked: a workspace is an agent's.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { openUntrusted } from "../shared/untrusted-file.ts";
import type { GitContext } from "./context.ts";
import { exists } from "./hub.ts";

/** As git-lfs lays them out below a git folder. */
export const lfsPath = (dir: string, oid: string): string =>
  join(dir, "lfs", "objects", oid.slice(0, 2), oid.slice(2, 4), oid);

/** False where `from` does not have it, or something else under its name. */
export async function copyLfsObject({
  oid,
  from,
  to,
}: {
  oid: string;
  from: string;
  to: string;
}): Promise<boolean> {
  const [source, place] = [lfsPath(from, oid), lfsPath(to, oid)];
  if (await exists(place)) return true;
  await using handle = await openUntrusted(source);
  if (handle === undefined) return false;
  await mkdir(dirname(place), { recursive: true });
  const beside = `${place}.${randomUUID()}`;
  try {
    const isWhole = (await copyTo(handle, beside)) === oid;
    if (isWhole) await rename(beside, place);
    return isWhole;
  } finally {
    await rm(beside, { force: true });
  }
}

/** The SHA-256 of what was copied. It is on the disk then: its name says that it is whole. */
async function copyTo(from: FileHandle, path: string): Promise<string> {
  const hash = createHash("sha256");
  await using to = await open(path, "wx");
  for await (const chunk of from.createReadStream({ autoClose: false })) {
    hash.update(chunk as Buffer);
    await to.appendFile(chunk as Buffer);
  }
  await to.sync();
  return hash.digest("hex");
}

/** Pointers are small: "version …", "oid sha256:…", "size …". */
const POINTER_MIN_BYTES = 100;
const POINTER_MAX_BYTES = 1024;

/** Objects that commits of `head` name which `base` does not have. */
export async function pointersIn(
  context: GitContext,
  head: Commit,
  base: Commit,
): Promise<string[]> {
  const format = ["--format=", "--raw", "-z", "--no-abbrev", "--no-renames", "-m"];
  const listed = await context.inHub(["log", ...format, head, `^${base}`, "--"]);
  const blobs = [...listed.stdout.matchAll(/:\d+ 100\d+ [0-9a-f]+ (?<id>[0-9a-f]+) [A-Z]/g)];
  return readPointers(context, [...new Set(blobs.map((match) => match.groups?.["id"] ?? ""))]);
}

/** Objects that the files of one commit name. */
export async function pointersOfTree(context: GitContext, commit: Commit): Promise<string[]> {
  const listed = await context.inHub(["ls-tree", "-r", "-z", "-l", commit]);
  const blobs = [...listed.stdout.matchAll(/100\d+ blob (?<id>[0-9a-f]+) +(?<size>\d+)\t/g)];
  const small = blobs.filter((match) => isSmall(Number(match.groups?.["size"])));
  return readPointers(context, [...new Set(small.map((match) => match.groups?.["id"] ?? ""))]);
}

const isSmall = (bytes: number): boolean =>
  bytes >= POINTER_MIN_BYTES && bytes <= POINTER_MAX_BYTES;

/** So many at once: their text must fit into memory. */
const CHUNK = 10_000;

async function readPointers(context: GitContext, blobs: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < blobs.length; at += CHUNK) {
    const ids = blobs.slice(at, at + CHUNK).map((id) => `${id}\n`);
    const format = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
    const sizes = await context.inHub(["cat-file", format], { stdin: ids.join("") });
    const small = sizes.stdout.split("\n").flatMap((line) => {
      const [id = "", kind = "", size = ""] = line.split(" ");
      return kind === "blob" && isSmall(Number(size)) ? [`${id}\n`] : [];
    });
    if (small.length === 0) continue;
    const texts = await context.inHub(["cat-file", "--batch"], { stdin: small.join("") });
    for (const text of blobsOf(texts.bytes)) {
      const oid = POINTER.exec(text)?.groups?.["oid"];
      if (oid !== undefined) found.push(oid);
    }
  }
  return found;
}

/** For the text of one small file: over that of many, each beginning is tried to the end of all. */
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[^\n]*\n)*?oid sha256:(?<oid>[0-9a-f]{64})(?:\n|$)/;

/** What `cat-file --batch` printed: `id kind size\n` before each content, and a line break after it. */
function* blobsOf(bytes: Buffer): Generator<string> {
  let at = 0;
  while (at < bytes.length) {
    const begin = bytes.indexOf("\n", at) + 1;
    if (begin === 0) return;
    const [, kind, size] = bytes.toString("latin1", at, begin).split(" ");
    at = begin;
    // Else the line says that it is missing.
    if (kind !== "blob") continue;
    yield bytes.toString("latin1", at, at + Number(size));
    at += Number(size) + 1;
  }
}
