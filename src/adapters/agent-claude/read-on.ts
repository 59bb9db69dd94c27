// Reads files that only grow: what is new since the last time, in whole lines. One that was replaced
// or cut is read again from the start.
import type { FileHandle } from "node:fs/promises";
import { openUntrusted } from "../shared/untrusted-file.ts";

/** How far a file has been read, and which one it was. */
export type Bookmark = { inode: number; offset: number };

export type ReadOn = { bookmark: Bookmark; lines: string[]; again: boolean };

const CHUNK_BYTES = 4 * 1024 * 1024;
const LINE_MAX_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Nothing where the file is gone or not ours to read: costs are not worth a session that cannot end. */
export async function readOn(path: string, before: Bookmark | undefined): Promise<ReadOn> {
  await using file = await openUntrusted(path);
  if (file === undefined) return { bookmark: { inode: 0, offset: 0 }, lines: [], again: true };
  const { ino: inode, size } = await file.stat();
  const again = before === undefined || before.inode !== inode || size < before.offset;
  const start = again ? 0 : before.offset;
  const { lines, offset } = await linesFrom(file, { start, size });
  return { bookmark: { inode, offset }, lines, again };
}

/** A line without its end is read next time, when it is whole. */
async function linesFrom(
  file: FileHandle,
  { start, size }: { start: number; size: number },
): Promise<{ lines: string[]; offset: number }> {
  const lines: string[] = [];
  let offset = start;
  // One byte more than there is: then the first read is the last one.
  let bytes = Math.min(CHUNK_BYTES, Math.max(0, size - start) + 1);
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, offset);
    const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (end !== -1) {
      for (const line of buffer.toString("utf8", 0, end).split("\n")) lines.push(line);
      offset += end + 1;
    }
    if (bytesRead < bytes) return { lines, offset };
    // A line longer than the chunk needs a larger one; one without end is no transcript.
    if (bytes > LINE_MAX_BYTES) return { lines, offset };
    bytes = end === -1 ? bytes * 2 : CHUNK_BYTES;
  }
}
