// Lists for people and for pipes: an aligned table on a terminal, tab-separated values otherwise,
// JSON where asked. An empty list is no failure; its note goes to stderr.
import { formatTable, formatTsv } from "../../lib/table.ts";
import type { Deps } from "../deps.ts";
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

export function printRows<T>(
  deps: Deps,
  rows: readonly T[],
  options: { columns: Column<T>[]; json: boolean | undefined; empty: string },
): void {
  if (options.json === true) {
    deps.stdout(jsonText(rows));
    return;
  }
  if (rows.length === 0) {
    deps.stderr(`${options.empty}\n`);
    return;
  }
  deps.stdout(deps.isTty ? tableOf(deps, rows, options.columns) : tsvOf(rows, options.columns));
}

export function tableOf<T>(deps: Deps, rows: readonly T[], columns: Column<T>[]): string {
  const cells = rows.map((row) => columns.map((column) => column.tty(row)));
  return formatTable(columns, cells, deps.columns);
}

const tsvOf = <T>(rows: readonly T[], columns: Column<T>[]): string =>
  formatTsv(rows.map((row) => columns.map((column) => (column.pipe ?? column.tty)(row))));

export function printJson(deps: Deps, value: unknown): void {
  deps.stdout(jsonText(value));
}
