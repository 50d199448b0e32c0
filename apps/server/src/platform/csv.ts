type Value = string | number | boolean | Date | null;

/** The first line of a CSV file (RFC 4180). Excel needs the mark to read the file as UTF-8. */
export function csvHead(columns: readonly string[]): string {
  return `\ufeff${csvLine(columns)}`;
}

export function csvLine(values: readonly Value[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** One row of a JSON Lines file. */
export function jsonLine(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

/** Spreadsheets run texts that begin like a formula, and some of these texts come from strangers. */
function cell(value: Value): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
