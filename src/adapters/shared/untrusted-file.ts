// Reads files that an agent may write, replace or turn into anything. Never waits: opening a FIFO
// would hold one of the few threads of libuv for ever, and four of them stop the whole daemon. Follows
// no link, takes only regular files, and reads no more than the caller's bound.
import { constants, type BigIntStats } from "node:fs";
import { open, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { hasCode, isAbsent } from "../../lib/error-code.ts";

/** Undefined where there is no such file, or something there that is not a regular file. */
export async function openUntrusted(
  path: string,
  options: { follow: boolean } = { follow: false },
): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
  let handle: FileHandle;
  try {
    handle = await open(path, options.follow ? flags : flags | constants.O_NOFOLLOW);
  } catch (error) {
    if (isAbsent(error) || isNoFile(error)) return undefined;
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Sockets, devices, links that lead nowhere, and files that the agent has closed to everyone. */
const isNoFile = (error: unknown): boolean =>
  hasCode(error, ["ELOOP", "ENXIO", "ENODEV", "EACCES", "EPERM", "EISDIR"]);

/** The beginning of the file, at most `maxBytes` of it. */
export async function readUntrusted(
  path: string,
  maxBytes: number,
  options?: { follow: boolean },
): Promise<string | undefined> {
  return (await bytesOf(path, maxBytes, options))?.toString("utf8");
}

/** Makes sure of a private file that a program can append to: what is there and is none is removed. */
export async function makeAppendable(path: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const safe = flags | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  try {
    await using handle = await open(path, safe, 0o600);
    if ((await handle.stat()).isFile()) return;
  } catch (error) {
    if (!isNoFile(error)) throw error;
  }
  await rm(path, { recursive: true, force: true });
  await (await open(path, safe | constants.O_EXCL, 0o600)).close();
}

/** Copies the file if it is regular and no larger than `maxBytes`; false where it is not. */
export async function copyUntrusted(copy: {
  from: string;
  to: string;
  maxBytes: number;
}): Promise<boolean> {
  const bytes = await bytesOf(copy.from, copy.maxBytes + 1);
  if (bytes === undefined || bytes.length > copy.maxBytes) return false;
  await writeFile(copy.to, bytes);
  return true;
}

async function bytesOf(
  path: string,
  maxBytes: number,
  options?: { follow: boolean },
): Promise<Buffer | undefined> {
  const handle = await openUntrusted(path, options);
  if (handle === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(Math.min(maxBytes, (await handle.stat()).size));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** What is known of a regular file without opening it; undefined for everything else. */
export async function statUntrusted(path: string): Promise<BigIntStats | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    return found.isFile() ? found : undefined;
  } catch (error) {
    if (isAbsent(error) || isNoFile(error)) return undefined;
    throw error;
  }
}
