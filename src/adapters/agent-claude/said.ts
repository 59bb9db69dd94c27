// What users have said in a conversation, and what hooks have added to it, read off Claude Code's own
// transcript. A prompt that only waits in a queue is not said yet.
import { isObject } from "../../lib/json-object.ts";
import { parsePayload, textIn } from "./payload.ts";
import { readOn } from "./read-on.ts";

const SPOKEN = ["user", "attachment"];

export async function wordsIn(path: string): Promise<string[]> {
  const { lines } = await readOn(path, undefined);
  return lines.flatMap(spokenIn);
}

/** A message has its id in its first line, or in its heading within a prompt. */
export const isInWords = (words: readonly string[], id: string): boolean =>
  words.some((one) => one.includes(`Id: ${id}\nKind: `) || one.includes(`### ${id}\n`));

function spokenIn(line: string): string[] {
  if (!SPOKEN.some((type) => line.includes(`"type":"${type}"`))) return [];
  const entry = parsePayload(line);
  if (entry === undefined || !SPOKEN.includes(textIn(entry, "type") ?? "")) return [];
  if (entry["isSidechain"] === true) return [];
  const message = entry["message"];
  return textsIn([isObject(message) ? message["content"] : undefined, entry["attachment"]]);
}

/** Every text, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
