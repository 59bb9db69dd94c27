// What a terminal's log gained since a follower last asked. Whole lines only, without escape
// sequences, so that pieces put together read like the log itself.
import type { FileHandle } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { openUntrusted } from "../../adapters/shared/untrusted-file.ts";

const NEWLINE = 10;

export type LogPiece = {
  text: string;
  /** Where the next question starts. */
  next: number;
  /** A program drew on the screen: the pieces are not its text, and the log must be drawn whole. */
  drawn: boolean;
};

/** Moves to another row. */
// oxlint-disable-next-line no-control-regex
const ROW_MOVES = /\u001b\[[0-9;]*[ABEFHJdf]/;

const END_BYTES = 65_536;

/** Without `after` only the place is told, the end of the log, and whether a program drew there. */
export async function logSince(request: {
  logFile: string;
  after: number | undefined;
  maxBytes: number;
}): Promise<LogPiece> {
  const handle = await openUntrusted(request.logFile);
  if (handle === undefined) return { text: "", next: 0, drawn: false };
  try {
    const { size } = await handle.stat();
    if (request.after === undefined) return await placeOf(handle, size);
    // A log that became shorter was cut by rotation, which keeps its end.
    const after = request.after > size ? 0 : request.after;
    return await wholeLines(handle, { after, size, limit: request.maxBytes });
  } finally {
    await handle.close();
  }
}

/** A program that draws does so until it ends: the end of the log tells. */
async function placeOf(handle: FileHandle, size: number): Promise<LogPiece> {
  const length = Math.min(END_BYTES, size);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  const drawn = ROW_MOVES.test(buffer.toString("latin1", 0, bytesRead));
  return { text: "", next: size, drawn };
}

async function wholeLines(
  handle: FileHandle,
  piece: { after: number; size: number; limit: number },
): Promise<LogPiece> {
  const length = Math.min(piece.limit, piece.size - piece.after);
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, piece.after);
  const lines = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
  // A line that is longer than what may be asked for would hold the follower up for ever.
  const end = lines === 0 && bytesRead === piece.limit ? bytesRead : lines;
  const text = buffer.toString("utf8", 0, end);
  return { text: plain(text), next: piece.after + end, drawn: ROW_MOVES.test(text) };
}

/** A carriage return alone draws over the line: what stood there last is what was seen. */
const plain = (text: string): string =>
  stripVTControlCharacters(withoutHole(text)).replaceAll("\r\n", "\n").replaceAll(/^.*\r/gm, "");

/** The beginning of a long log was freed: it reads as zeros. */
const withoutHole = (text: string): string => text.replaceAll("\0", "");
