// The state document of an orchestration (`orchestration-*.md`): keys in front matter, and a log of
// actions below. Reads and changes text; the caller reads and writes the file.
export type StateDocument = {
  keys: Readonly<Record<string, string>>;
  /** The second line below the heading "Action Log", without its dash. */
  lastAction: string;
};

const KEY = /^([A-Za-z][\w-]*)\s*:\s*(.*?)\s*$/;

/** Undefined where the text has no front matter: then it is no state document. */
export function parseStateDocument(text: string): StateDocument | undefined {
  const lines = text.split(/\r?\n/);
  const end = endOfKeys(lines);
  if (end === undefined) return undefined;
  const keys: Record<string, string> = {};
  for (const line of lines.slice(1, end)) {
    const [, key, value] = KEY.exec(line) ?? [];
    if (key !== undefined && value !== undefined) keys[key] = unquoted(value);
  }
  return { keys, lastAction: lastActionIn(lines.slice(end + 1)) };
}

function endOfKeys(lines: readonly string[]): number | undefined {
  if (lines[0]?.trim() !== "---") return undefined;
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  return end === -1 ? undefined : end;
}

const unquoted = (value: string): string => {
  const single = /^'(.*)'$/.exec(value)?.[1];
  return single?.replaceAll("''", "'") ?? /^"(.*)"$/.exec(value)?.[1] ?? value;
};

/** Plain where nothing in it means anything to YAML. */
const quoted = (value: string): string =>
  /^[\w.:+-]*$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`;

function lastActionIn(lines: readonly string[]): string {
  const heading = lines.findIndex((line) => /^#+\s+action log\b/i.test(line));
  if (heading === -1) return "";
  const said = lines.slice(heading + 1).filter((line) => line.trim() !== "");
  return (said[1] ?? said[0] ?? "").replace(/^[-*]\s*/, "").trim();
}

export type Updated = { text: string; updated: string[] };

/** Changes only keys that are there, and only in the front matter: text below it has no keys. */
export function updateStateDocument(
  text: string,
  changes: Readonly<Record<string, string>>,
): Updated {
  const lines = text.split("\n");
  const end = endOfKeys(lines) ?? 0;
  const updated: string[] = [];
  const next = lines.map((line, index) => {
    const key = index > 0 && index < end ? KEY.exec(line)?.[1] : undefined;
    const value = key !== undefined && Object.hasOwn(changes, key) ? changes[key] : undefined;
    if (key === undefined || value === undefined) return line;
    updated.push(key);
    return `${key}: ${quoted(value)}`;
  });
  return { text: next.join("\n"), updated };
}

export const isComplete = ({ keys }: StateDocument): boolean => keys["status"] === "COMPLETE";
