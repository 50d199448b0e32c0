/** Rows as CSV (RFC 4180), which spreadsheets open as UTF-8. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  // The byte order mark makes spreadsheets read Chinese names.
  return `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** A cell; a name that begins like a formula stays text in spreadsheets. */
function cell(value: string): string {
  const text = /^[=+@\t]|^-(?![\d.])/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
