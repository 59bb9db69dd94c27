// Tables for people: aligned columns that fit the terminal. What is cut ends at a word or, in a path or
// a branch, at a separator; what was left out can be named below the table.
import { stripVTControlCharacters } from "node:util";
import { cutFromLeft, cutToWidth, textWidth } from "../../lib/text-width.ts";

export type TableColumn = {
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

export type Table = {
  text: string;
  /** The titles of the columns in it. */
  shown: string[];
  /** The titles of columns that did not fit. */
  dropped: string[];
  /** The titles of columns with a cell that did not fit. */
  cut: string[];
};

const GAP = 2;

type Filled = TableColumn & { cells: string[] };

/** No line is wider than the terminal. Columns in which all cells are empty are left out. */
export function layTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  terminalWidth: number,
): Table {
  const filled = columns
    .map((column, index) => ({
      ...column,
      cells: [column.title.toUpperCase(), ...rows.map((row) => oneLine(row[index] ?? ""))],
    }))
    .filter(({ cells }, index) => index === 0 || cells.slice(1).some((cell) => cell !== ""));
  const { shown, widths } = fit(filled, terminalWidth);
  const lines = Array.from({ length: rows.length + 1 }, (_, row) => formatLine(shown, widths, row));
  const isCut = ({ cells }: Filled, index: number): boolean =>
    cells.some((cell) => textWidth(cell) > (widths[index] ?? 0));
  return {
    text: lines.map((line) => `${line}\n`).join(""),
    shown: shown.map(({ title }) => title),
    dropped: filled.filter((column) => !shown.includes(column)).map(({ title }) => title),
    cut: shown.filter(isCut).map(({ title }) => title),
  };
}

function fit(columns: Filled[], terminalWidth: number): { shown: Filled[]; widths: number[] } {
  const natural = columns.map(({ cells }) => Math.max(...cells.map(textWidth)));
  const widths = shrink(columns, natural, terminalWidth);
  if (totalOf(widths) <= terminalWidth) return { shown: columns, widths };
  if (columns.length > 2) return fit(columns.toSpliced(leastOf(columns), 1), terminalWidth);
  // Two columns at most are left: they are cut below their least width.
  const cuttable = columns.map((column) => ({ ...column, widthMin: 1 }));
  return { shown: columns, widths: shrink(cuttable, natural, terminalWidth) };
}

function leastOf(columns: readonly TableColumn[]): number {
  let least = columns.length - 1;
  for (const [index, { drop = 0 }] of columns.entries()) {
    if (index > 0 && drop > (columns[least]?.drop ?? 0)) least = index;
  }
  return least;
}

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));

function formatLine(columns: readonly Filled[], widths: readonly number[], row: number): string {
  const line = columns.map(({ align, cut, cells }, index) => {
    const width = widths[index] ?? 0;
    const text = cells[row] ?? "";
    const cell = cut === "left" ? cutBeforePart(text, width) : cutAfterWord(text, width);
    const padding = " ".repeat(width - textWidth(cell));
    return align === "right" ? padding + cell : cell + padding;
  });
  return line.join(" ".repeat(GAP)).trimEnd();
}

/** Takes the excess from the widest column that may be cut: short columns stay whole for longer. */
function shrink(
  columns: readonly TableColumn[],
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

function widestCuttable(
  columns: readonly TableColumn[],
  widths: readonly number[],
): number | undefined {
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

/** `CI failed, and the …`, `pawl/7-take-…`; only a word without separators is cut inside. */
export function cutAfterWord(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text;
  const words = wholeWords(text, widthMax);
  if (textWidth(words) * 2 >= widthMax) return words;
  const room = cutToWidth(text, widthMax).slice(0, -1);
  const parts = /^.+[/_.,-]/su.exec(room)?.[0] ?? "";
  if (textWidth(parts) >= textWidth(words) && parts !== "") return `${parts}…`;
  return words === "" ? cutToWidth(text, widthMax) : words;
}

/** What stays empty behind the last word, at most. */
const EMPTY_MAX = 4;

/** After a word, unless that leaves much of the width empty: then inside the next one. */
export function cutToFill(text: string, widthMax: number): string {
  const cut = cutAfterWord(text, widthMax);
  const isShort = cut !== text && textWidth(cut) < widthMax - EMPTY_MAX;
  return isShort ? cutToWidth(text, widthMax) : cut;
}

/** As many as fit; the space before the ellipsis says that words are missing, not letters. */
function wholeWords(text: string, widthMax: number): string {
  const room = cutToWidth(text, widthMax - 1).slice(0, -1);
  const isEnd = /^\s/u.test(stripVTControlCharacters(text).slice(room.length));
  const words = (isEnd ? room : room.replace(/\S*$/u, "")).replace(/[\s,;:(]+$/u, "");
  return words === "" ? "" : `${words} …`;
}

/** `…/workspaces/dev-42`: whole folders, as many as fit. */
export function cutBeforePart(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text;
  const kept = cutFromLeft(text, widthMax);
  const start = kept.indexOf("/");
  return start === -1 ? kept : `…${kept.slice(start)}`;
}
