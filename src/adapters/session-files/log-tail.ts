// The end of a log as plain text, without escape sequences.
import { readLogEnd } from "./log-end.ts";
import { plainText } from "./plain-text.ts";

export async function logTail(request: { logFile: string; maxBytes: number }): Promise<string> {
  const end = await readLogEnd(request.logFile, request.maxBytes);
  if (end === undefined) return "";
  return lastBytes(plainText(end.toString("utf8")).trim(), request.maxBytes).trim();
}

function lastBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let start = bytes.length - maxBytes;
  // Not into the middle of a character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString("utf8", start);
}
