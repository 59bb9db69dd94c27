// Tables for two readers: aligned columns cut to the terminal for people, and
// tab-separated lines, whole and without a header, for pipes.
import { cutFromLeft, cutToWidth, textWidth } from "./text-width.ts";

export type Column = {
  title: string;
  align?: "left" | "right";
  // Cut first, and never below this width, when the table is too wide. A column
  // without it is cut only where nothing else helps.
  widthMin?: number;
  // Which end is cut off: of a path the end says most.
  cut?: "left" | "right";
  // Left out when the table is too wide, the highest number first; then columns
  // without it, the last first. The first column always stays.
  drop?: number;
};

const GAP = 2;

// No line is wider than the terminal. Columns in which all cells are empty are left out.
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminalWidth: number,
): string {
  const filled = columns
    .map((column, index) => ({
      ...column,
      cells: [column.title.toUpperCase(), ...rows.map((row) => oneLine(row[index] ?? ""))],
    }))
    .filter(({ cells }, index) => index === 0 || cells.slice(1).some((cell) => cell !== ""));
  const { shown, widths } = fit(filled, terminalWidth);
  return Array.from({ length: rows.length + 1 }, (_, row) => {
    return `${formatLine(shown, widths, row)}\n`;
  }).join("");
}

type Filled = Column & { cells: string[] };

function fit(columns: Filled[], terminalWidth: number): { shown: Filled[]; widths: number[] } {
  const natural = columns.map(({ cells }) => Math.max(...cells.map(textWidth)));
  const widths = shrink(columns, natural, terminalWidth);
  if (totalOf(widths) <= terminalWidth) return { shown: columns, widths };
  if (columns.length > 2) return fit(columns.toSpliced(leastOf(columns), 1), terminalWidth);
  // Two columns at most are left: they are cut below their least width.
  const cuttable = columns.map((column) => ({ ...column, widthMin: 1 }));
  return { shown: columns, widths: shrink(cuttable, natural, terminalWidth) };
}

function leastOf(columns: readonly Column[]): number {
  let least = columns.length - 1;
  for (const [index, { drop = 0 }] of columns.entries()) {
    if (index > 0 && drop > (columns[least]?.drop ?? 0)) least = index;
  }
  return least;
}

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));

// A tab, newline, carriage return or backslash inside a value is written \t, \n,
// \r or \\, so that every row is one line with the same number of tabs.
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(escapeTsv).join("\t")}\n`).join("");
}

function formatLine(columns: readonly Filled[], widths: readonly number[], row: number): string {
  const line = columns.map(({ align, cut, cells }, index) => {
    const width = widths[index] ?? 0;
    const text = cells[row] ?? "";
    const cell = cut === "left" ? cutFromLeft(text, width) : cutToWidth(text, width);
    const padding = " ".repeat(width - textWidth(cell));
    return align === "right" ? padding + cell : cell + padding;
  });
  return line.join(" ".repeat(GAP)).trimEnd();
}

// Takes the excess from the widest column that may be cut, one column at a time,
// so that short columns stay whole as long as possible.
function shrink(
  columns: readonly Column[],
  natural: readonly number[],
  terminalWidth: number,
): number[] {
  const widths = [...natural];
  for (let excess = totalOf(widths) - terminalWidth; excess > 0; excess--) {
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
