// Reads a file that an agent may write, with a stamp that says which state of it was read: whole or
// not at all as far as that can be told.
import type { FileHandle } from "node:fs/promises";
import { openUntrusted } from "../shared/untrusted-file.ts";

export type CappedFile = { text: string; stamp: string };

const TRIES_MAX = 4;

/** Undefined where there is no such file, or something there that is not a file. */
export async function readCapped(
  path: string,
  options: { maxBytes: number; follow: boolean },
): Promise<CappedFile | undefined> {
  const handle = await openUntrusted(path, options);
  if (handle === undefined) return undefined;
  try {
    return await readStable(handle, options.maxBytes);
  } finally {
    await handle.close();
  }
}

/** Text and stamp must belong together, or one write would be reported as two. */
async function readStable(handle: FileHandle, maxBytes: number): Promise<CappedFile | undefined> {
  for (let attempt = 1; ; attempt++) {
    const before = await stampOf(handle);
    if (before === undefined) return undefined;
    const buffer = Buffer.alloc(Math.min(maxBytes, before.size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const after = await stampOf(handle);
    if (after?.stamp !== before.stamp && attempt < TRIES_MAX) continue;
    return { text: buffer.toString("utf8", 0, bytesRead), stamp: before.stamp };
  }
}

async function stampOf(handle: FileHandle): Promise<{ stamp: string; size: number } | undefined> {
  const stat = await handle.stat({ bigint: true });
  if (!stat.isFile()) return undefined;
  // The change time moves with every write, also of the same text; the number with every rename.
  const stamp = [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join("-");
  return { stamp, size: Number(stat.size) };
}
