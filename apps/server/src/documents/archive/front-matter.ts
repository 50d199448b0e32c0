/*
 * The properties of a document at the start of its Markdown file: lines of `name: value` between two lines of `---`,
 * where every value is JSON. That is valid YAML, so other tools can read it.
 */

/** Longest front matter that is read. */
const LENGTH = 200_000;

/** A Markdown file with its properties. */
export function withFrontMatter(values: Record<string, unknown>, markdown: string): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', '', markdown].join('\n');
}

/**
 * The properties and the Markdown of a file. Lines that are not JSON are read as plain text. `line` is the number of
 * lines before the Markdown.
 */
export function readFrontMatter(file: string): { values: Record<string, unknown>; markdown: string; line: number } {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const end = text.startsWith('---\n') ? text.indexOf('\n---', 3) : -1;
  if (end < 0 || end > LENGTH) return { values: {}, markdown: text, line: 0 };
  const values: Record<string, unknown> = {};
  for (const line of text.slice(4, end).split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) values[line.slice(0, colon).trim()] = parsed(line.slice(colon + 1).trim());
  }
  const markdown = text.slice(end + 4).replace(/^\n+/, '');
  return { values, markdown, line: text.slice(0, text.length - markdown.length).split('\n').length - 1 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
