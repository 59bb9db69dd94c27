// Writes an object into the hub as git writes it, without a git: a queue of fifty branches would start
// a hundred of them for its commits alone.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { errorCode, hasCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";

const compressed = promisify(deflate);
const READ_ONLY = 0o444;
const SHA1_LENGTH = 40;

/** `like`: an id of the same repository, which tells by its length how objects are named there. */
export async function writeObject(
  { hub }: Pick<GitContext, "hub">,
  object: { kind: "commit"; text: string; like: string },
): Promise<string> {
  const content = Buffer.from(object.text);
  const whole = Buffer.concat([Buffer.from(`${object.kind} ${content.length}\0`), content]);
  const hash = object.like.length === SHA1_LENGTH ? "sha1" : "sha256";
  const id = createHash(hash).update(whole).digest("hex");
  const bytes = await compressed(whole);
  const put = () => putInto(join(hub, "objects", id.slice(0, 2)), id.slice(2), bytes);
  try {
    await put().catch((error: unknown) => {
      // Packing removes folders that it finds empty, as this one is until its first file is there.
      if (!hasCode(error, ["ENOENT"])) throw error;
      return put();
    });
    return id;
  } catch (error) {
    if (errorCode(error) === undefined || !(error instanceof Error)) throw error;
    const message = `cannot write a ${object.kind} in the hub: ${error.message}`;
    throw new OperationError(message, {
      code: "object-not-written",
      retryable: true,
      cause: error,
    });
  }
}

async function putInto(folder: string, name: string, bytes: Buffer): Promise<void> {
  // Git removes files of this name that a crash left.
  const unfinished = join(folder, `tmp_obj_${randomUUID()}`);
  try {
    await makeFolder(folder);
    await writeWhole(unfinished, bytes);
    // Also where it is there already: a sweep of the hub then sees that it is needed again.
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Not what is above it: a hub that was removed stays removed. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (!hasCode(error, ["EEXIST"])) throw error;
  }
}

/** On the disk before anything refers to it, as `core.fsync` has git do it. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await using file = await open(path, "wx", READ_ONLY);
  await file.writeFile(bytes);
  await file.sync();
}
