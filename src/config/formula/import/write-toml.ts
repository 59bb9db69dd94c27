// Tables as the text of a TOML file that people can read: texts of several lines as such, small
// tables on one line.
import type { RawTable } from "../step-source.ts";
import { isTable } from "../table.ts";

/** Tables of these keys are short: they stand on one line. */
const INLINE = ["gate", "with", "input"];

export const writeToml = (root: RawTable): string => linesOf(root, []).join("\n").concat("\n");

function linesOf(table: RawTable, path: string[]): string[] {
  const entries = Object.entries(table).filter(([, value]) => value !== undefined);
  const own = entries.filter(([key, value]) => !isBelow(key, value));
  const below = entries.filter(([key, value]) => isBelow(key, value));
  return [
    ...own.map(([key, value]) => `${keyText(key)} = ${valueText(value)}`),
    ...below.flatMap(([key, value]) => {
      const at = [...path, keyText(key)];
      if (Array.isArray(value)) {
        return (value as RawTable[]).flatMap((one) => [
          "",
          `[[${at.join(".")}]]`,
          ...linesOf(one, at),
        ]);
      }
      const inner = linesOf(value as RawTable, at);
      const holdsOnlyTables = Object.entries(value as RawTable).every(([one, is]) =>
        isBelow(one, is),
      );
      return holdsOnlyTables && inner.length > 0 ? inner : ["", `[${at.join(".")}]`, ...inner];
    }),
  ];
}

function isBelow(key: string, value: unknown): boolean {
  if (INLINE.includes(key)) return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isTable(one));
  return isTable(value);
}

const keyText = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key));

function valueText(value: unknown): string {
  if (typeof value === "string") return value.includes("\n") ? longText(value) : quoted(value);
  if (Array.isArray(value)) return `[${value.map((one) => valueText(one)).join(", ")}]`;
  if (!isTable(value)) return String(value);
  const pairs = Object.entries(value).map(([key, one]) => `${keyText(key)} = ${inlineText(one)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

const inlineText = (value: unknown): string =>
  typeof value === "string" ? quoted(value) : valueText(value);

/** JSON has no escape for this one, and TOML wants one. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll("\u007F", "\\u007F");

function longText(text: string): string {
  const lines = text.split("\n").map((line) => quoted(line).slice(1, -1).replaceAll('\\"', '"'));
  return `"""\n${lines.join("\n").replaceAll('"""', '""\\"')}"""`;
}
