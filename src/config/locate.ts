// Where each key of a TOML text is written: the parser gives no positions for keys, and an error
// without a line sends people searching. Only for text that parsed: it accepts more than TOML
// allows, and never reports an error of its own.
import type { KeyPath } from "./problem.ts";

/** The line (from 1) of the key at this path, or of the nearest table around it that is written. */
export type Locate = (path: KeyPath) => number;

type Scan = {
  text: string;
  at: number;
  lines: Map<string, number>;
  /** How many elements each array of tables has so far. */
  counts: Map<string, number>;
};

export function locateKeys(text: string): Locate {
  const scan: Scan = { text, at: 0, lines: new Map(), counts: new Map() };
  scanDocument(scan);
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = scan.lines.get(toId(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

const toId = (path: KeyPath): string => JSON.stringify(path);

function scanDocument(scan: Scan): void {
  let table: PropertyKey[] = [];
  for (skipBlank(scan); scan.at < scan.text.length; skipBlank(scan)) {
    const before = scan.at;
    if (scan.text[scan.at] === "[") table = scanHeader(scan);
    else scanPair(scan, table);
    // The text parsed, so this does not happen; if it did, a hang would be worse than a wrong line.
    if (scan.at === before) scan.at++;
  }
}

function scanHeader(scan: Scan): PropertyKey[] {
  const line = lineAt(scan);
  const isArray = scan.text.startsWith("[[", scan.at);
  scan.at += isArray ? 2 : 1;
  const keys = scanKeys(scan);
  const path = keys.flatMap((key, index) => {
    const isLast = index === keys.length - 1;
    return isLast ? [key] : [key, ...openElement(scan, keys.slice(0, index + 1))];
  });
  if (isArray) {
    const id = toId(keys);
    const index = scan.counts.get(id) ?? 0;
    scan.counts.set(id, index + 1);
    note(scan, path, line);
    path.push(index);
  }
  note(scan, path, line);
  scan.at = endOfLine(scan);
  return path;
}

/** `[a.b]` below `[[a]]` belongs to the last element of `a`. */
function openElement(scan: Scan, keys: PropertyKey[]): number[] {
  const count = scan.counts.get(toId(keys));
  return count === undefined ? [] : [count - 1];
}

function scanPair(scan: Scan, table: KeyPath): void {
  const line = lineAt(scan);
  const path = [...table];
  for (const key of scanKeys(scan)) {
    path.push(key);
    note(scan, path, line);
  }
  skipBlank(scan);
  if (scan.text[scan.at] === "=") scan.at++;
  skipBlank(scan);
  scanValue(scan, path);
}

function note(scan: Scan, path: KeyPath, line: number): void {
  const id = toId(path);
  if (!scan.lines.has(id)) scan.lines.set(id, line);
}

/** The parts of a dotted key, bare or quoted, up to `=` or `]`. */
function scanKeys(scan: Scan): string[] {
  const keys: string[] = [];
  const part = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*(\.?)/y;
  for (let more = true; more;) {
    part.lastIndex = scan.at;
    const match = part.exec(scan.text);
    if (match === null) break;
    keys.push(match[1] === undefined ? (match[2] ?? match[3] ?? "") : unescape(match[1]));
    scan.at = part.lastIndex;
    more = match[4] === ".";
  }
  return keys;
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch (error) {
    // TOML has escapes that JSON lacks; such a key is found under its raw spelling.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function scanValue(scan: Scan, path: KeyPath): void {
  const first = scan.text[scan.at];
  if (first === "[") scanArray(scan, path);
  else if (first === "{") scanInlineTable(scan, path);
  else if (first === '"' || first === "'") scanString(scan);
  else skip(scan, /[^,\]}\n#]*/y);
}

function scanArray(scan: Scan, path: KeyPath): void {
  scan.at++;
  for (let index = 0; !closes(scan, "]"); index++) {
    const element = [...path, index];
    note(scan, element, lineAt(scan));
    scanValue(scan, element);
  }
}

function scanInlineTable(scan: Scan, path: KeyPath): void {
  scan.at++;
  while (!closes(scan, "}")) {
    const before = scan.at;
    scanPair(scan, path);
    if (scan.at === before) scan.at++;
  }
}

/** Skips to the next item; true, and past it, at the end of the list or of the text. */
function closes(scan: Scan, bracket: string): boolean {
  skipBlank(scan);
  if (scan.text[scan.at] === ",") {
    scan.at++;
    skipBlank(scan);
  }
  if (scan.at >= scan.text.length) return true;
  if (scan.text[scan.at] !== bracket) return false;
  scan.at++;
  return true;
}

function scanString(scan: Scan): void {
  const patterns = [
    /"""(?:[^"\\]|\\[^]|"(?!""))*"{3,5}/y,
    /'''(?:[^']|'(?!''))*'{3,5}/y,
    /"(?:[^"\\\n]|\\.)*"?/y,
    /'[^'\n]*'?/y,
  ];
  patterns.some((pattern) => skip(scan, pattern));
}

function skipBlank(scan: Scan): void {
  skip(scan, /(?:\s|#[^\n]*)*/y);
}

function skip(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at;
  const match = pattern.exec(scan.text);
  if (match === null) return false;
  scan.at = pattern.lastIndex;
  return true;
}

function endOfLine(scan: Scan): number {
  const end = scan.text.indexOf("\n", scan.at);
  return end === -1 ? scan.text.length : end + 1;
}

function lineAt(scan: Scan): number {
  let line = 1;
  for (
    let at = scan.text.indexOf("\n");
    at !== -1 && at < scan.at;
    at = scan.text.indexOf("\n", at + 1)
  ) {
    line++;
  }
  return line;
}
