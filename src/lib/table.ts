// Rows for pipes: tab-separated lines, whole and without a header.

// A tab, newline, carriage return or backslash inside a value is written \t, \n,
// \r or \\, so that every row is one line with the same number of tabs.
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(escapeTsv).join("\t")}\n`).join("");
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escapeTsv(value: string): string {
  return value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
