// Reads a file of issues, Markdown or JSON. Pure; every problem names the file and the place.
import { usage } from "../../options.ts";

export type Imported = {
  title: string;
  body: string;
  labels?: string[];
  dependsOn?: number[];
};

export function parseImport(text: string, file: string): Imported[] {
  const isJson = text.trimStart().startsWith("[") || text.trimStart().startsWith("{");
  return isJson ? fromJson(text, file) : fromMarkdown(text);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^# +(?<title>\S.*)$/;

/** A `# ` line inside a code block is code. What stands before the first heading is no issue. */
function fromMarkdown(text: string): Imported[] {
  const items: { title: string; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const marker = FENCE.exec(line)?.[1];
    const title = fence === undefined ? HEADING.exec(line)?.groups?.["title"] : undefined;
    if (fence === undefined) fence = marker;
    else if (marker?.startsWith(fence) === true) fence = undefined;
    if (title !== undefined)
      items.push({ title: title.replace(/\s+#+\s*$/, "").trim(), lines: [] });
    else items.at(-1)?.lines.push(line);
  }
  return items.map(({ title, lines }) => ({ title, body: lines.join("\n").trim() }));
}

function fromJson(text: string, file: string): Imported[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw usage(`${file} is not valid JSON: ${(cause as Error).message}`);
  }
  if (!Array.isArray(parsed)) throw usage(`${file} must hold a JSON array of issues`);
  return parsed.map((item: unknown, index) => checked(item, `${file}: issue ${index + 1}`));
}

const KEYS = ["title", "body", "labels", "depends_on"];

function checked(item: unknown, where: string): Imported {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    throw usage(`${where} is not an object`);
  }
  const { title, body = "", labels, depends_on: dependsOn } = item as Record<string, unknown>;
  const unknown = Object.keys(item).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw usage(`${where} has an unknown key "${unknown}"`, `keys are ${KEYS.join(", ")}`);
  }
  if (typeof title !== "string" || title.trim() === "") throw usage(`${where} has no title`);
  if (typeof body !== "string") throw usage(`${where}: body must be a string`);
  return {
    title: title.trim(),
    body,
    ...(labels === undefined ? {} : { labels: listOf(labels, isText, `${where}: labels`) }),
    ...(dependsOn === undefined
      ? {}
      : { dependsOn: listOf(dependsOn, isNumber, `${where}: depends_on`) }),
  };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

function listOf<T>(value: unknown, is: (one: unknown) => one is T, where: string): T[] {
  if (Array.isArray(value) && value.every(is)) return value;
  throw usage(`${where} must be a list of ${is === (isText as unknown) ? "strings" : "numbers"}`);
}
