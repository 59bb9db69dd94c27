// Lists for people and for pipes: an aligned table on a terminal, tab-separated values otherwise,
// JSON where asked. An empty list is no failure; its note goes to stderr.
import { formatTsv } from "../../lib/table.ts";
import type { Deps } from "../deps.ts";
import { layTable, type Table } from "./table.ts";
import { jsonText } from "./text.ts";

export type Column<T> = {
  title: string;
  tty: (row: T) => string;
  /** Where a pipe gets something else: ISO times, whole values. */
  pipe?: (row: T) => string;
  /** May be cut down to this where the terminal is narrow. */
  widthMin?: number;
  align?: "left" | "right";
  /** Paths are cut from the left. */
  cut?: "left" | "right";
  /** Left out first on a narrow terminal: the highest number before others. */
  drop?: number;
};

type Options<T> = {
  columns: Column<T>[];
  json: boolean | undefined;
  empty: string;
  /** Of a column, by its title: said where its cells were cut, or it was left out. */
  whole?: Readonly<Record<string, string>>;
};

/** The titles of the columns that are shown; those that did not fit are named below the table. */
export function printRows<T>(deps: Deps, rows: readonly T[], options: Options<T>): string[] {
  if (options.json === true) {
    deps.stdout(jsonText(rows));
    return [];
  }
  if (rows.length === 0) {
    deps.stderr(`${options.empty}\n`);
    return [];
  }
  if (!deps.isTty) {
    deps.stdout(tsvOf(rows, options.columns));
    return [];
  }
  const { text, shown, dropped, cut } = tableOf(deps, rows, options.columns);
  deps.stdout(text);
  for (const [title, advice] of Object.entries(options.whole ?? {})) {
    if ([...cut, ...dropped].includes(title)) deps.stderr(`${advice}\n`);
  }
  if (dropped.length > 0) deps.stderr(`wider terminals also show: ${dropped.join(", ")}\n`);
  return shown;
}

export function tableOf<T>(deps: Deps, rows: readonly T[], columns: Column<T>[]): Table {
  const cells = rows.map((row) => columns.map((column) => column.tty(row)));
  return layTable(columns, cells, deps.columns);
}

const tsvOf = <T>(rows: readonly T[], columns: Column<T>[]): string =>
  formatTsv(rows.map((row) => columns.map((column) => (column.pipe ?? column.tty)(row))));

export function printJson(deps: Deps, value: unknown): void {
  deps.stdout(jsonText(value));
}
