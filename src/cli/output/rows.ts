// Lists for people and for pipes: an aligned table on a terminal, tab-separated values otherwise,
// JSON where asked. An empty list is no failure; its note goes to stderr.
import { formatTable, formatTsv } from "../../lib/table.ts";
import type { Deps } from "../deps.ts";

export type Column<T> = { title: string; tty: (row: T) => string; pipe?: (row: T) => string };

export function printRows<T>(
  deps: Deps,
  rows: readonly T[],
  options: { columns: Column<T>[]; json: boolean | undefined; empty: string },
): void {
  if (options.json === true) {
    deps.stdout(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  if (rows.length === 0) {
    deps.stderr(`${options.empty}\n`);
    return;
  }
  const { columns } = options;
  if (deps.isTty) {
    const titles = columns.map((column) => ({ title: column.title }));
    const cells = rows.map((row) => columns.map((column) => column.tty(row)));
    deps.stdout(formatTable(titles, cells, deps.columns));
    return;
  }
  deps.stdout(
    formatTsv(rows.map((row) => columns.map((column) => (column.pipe ?? column.tty)(row)))),
  );
}

export function printJson(deps: Deps, value: unknown): void {
  deps.stdout(`${JSON.stringify(value, null, 2)}\n`);
}
