// The end of a terminal's log, because the end says how it went. More bytes are read than asked
// for, since most of what a terminal draws is not text.
import type { FileHandle } from "node:fs/promises";
import { openUntrusted } from "../shared/untrusted-file.ts";
import { plainText } from "./plain-text.ts";

const RAW_PER_TEXT = 16;
const RAW_MIN_BYTES = 64 * 1024;
const RAW_MAX_BYTES = 4 * 1024 * 1024;

export async function logTail(request: { logFile: string; maxBytes: number }): Promise<string> {
  const handle = await openUntrusted(request.logFile);
  if (handle === undefined) return "";
  try {
    const text = plainText(await readEnd(handle, request.maxBytes)).trim();
    return lastBytes(text, request.maxBytes).trim();
  } finally {
    await handle.close();
  }
}

async function readEnd(handle: FileHandle, maxBytes: number): Promise<string> {
  const { size } = await handle.stat();
  const raw = Math.max(RAW_MIN_BYTES, Math.min(maxBytes * RAW_PER_TEXT, RAW_MAX_BYTES), maxBytes);
  const length = Math.min(size, raw);
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, size - length);
  const text = buffer.toString("utf8", 0, bytesRead);
  // A cut goes through the middle of something; a whole line is safe to start from.
  const firstLine = length < size ? text.indexOf("\n") + 1 : 0;
  return text.slice(firstLine);
}

function lastBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let start = bytes.length - maxBytes;
  // Not into the middle of a character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString("utf8", start);
}
