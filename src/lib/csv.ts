// One line of comma-separated values as RFC 4180 has it: what holds a comma, a quote or a line break
// is quoted, so that a label can never become another column.
export function csvLine(fields: readonly (string | number | boolean)[]): string {
  return fields.map((field) => csvField(String(field))).join(",");
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
