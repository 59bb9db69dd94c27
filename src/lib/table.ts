// Tables for two readers: aligned columns cut to the terminal for people, and
// tab-separated lines, whole and without a header, for pipes.
import { cutToWidth, textWidth } from "./text-width.ts";

export type Column = {
  title: string;
  align?: "left" | "right";
  // Cut first, and never below this width, when the table is too wide. A column
  // without it is never cut.
  widthMin?: number;
};

const GAP = 2;

export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminalWidth: number,
): string {
  const clean = rows.map((row) => columns.map((_, index) => oneLine(row[index] ?? "")));
  const lines = [columns.map(({ title }) => title.toUpperCase()), ...clean];
  const natural = columns.map((_, index) =>
    Math.max(...lines.map((line) => textWidth(line[index] ?? ""))),
  );
  const widths = shrink(columns, natural, terminalWidth);
  return lines.map((line) => `${formatLine(columns, widths, line)}\n`).join("");
}

// A tab, newline, carriage return or backslash inside a value is written \t, \n,
// \r or \\, so that every row is one line with the same number of tabs.
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(escapeTsv).join("\t")}\n`).join("");
}

function formatLine(
  columns: readonly Column[],
  widths: readonly number[],
  line: readonly string[],
): string {
  const cells = columns.map(({ align }, index) => {
    const width = widths[index] ?? 0;
    const cell = cutToWidth(line[index] ?? "", width);
    const padding = " ".repeat(width - textWidth(cell));
    return align === "right" ? padding + cell : cell + padding;
  });
  return cells.join(" ".repeat(GAP)).trimEnd();
}

// Takes the excess from the widest column that may be cut, one column at a time,
// so that short columns stay whole as long as possible.
function shrink(
  columns: readonly Column[],
  natural: readonly number[],
  terminalWidth: number,
): number[] {
  const widths = [...natural];
  let excess =
    widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - terminalWidth;
  for (; excess > 0; excess--) {
    const widest = widestCuttable(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function widestCuttable(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let widest: number | undefined;
  for (const [index, { widthMin }] of columns.entries()) {
    const width = widths[index] ?? 0;
    if (widthMin === undefined || width <= Math.max(widthMin, 1)) continue;
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index;
  }
  return widest;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\t\n\r]\s*/g, " ");
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escapeTsv(value: string): string {
  return value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
