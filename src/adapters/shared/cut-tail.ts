// The end of an output as messages carry it: at most 80 lines and 8,000 bytes.
import { stripVTControlCharacters } from "node:util";

const TAIL_LINES_MAX = 80;
export const TAIL_BYTES_MAX = 8000;

/** The last lines as a person would see them: no colours, and of a progress bar its last state. */
export function cutTail(output: string): string {
  const lines = stripVTControlCharacters(output)
    .trimEnd()
    .split("\n")
    .slice(-TAIL_LINES_MAX)
    .map((line) => line.trimEnd().split("\r").at(-1) ?? "");
  const bytes = Buffer.from(lines.join("\n"));
  if (bytes.length <= TAIL_BYTES_MAX) return bytes.toString("utf8");
  let start = bytes.length - TAIL_BYTES_MAX;
  // Not in the middle of a character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start).toString("utf8");
}
