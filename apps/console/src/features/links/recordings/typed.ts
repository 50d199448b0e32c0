import type { CastEvent } from './cast.ts';

/** What was typed up to the Enter key, since a time. */
export interface TypedLine {
  at: number;
  text: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys send them
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Control characters as users know them: `^C`, `^[` for Escape. */
function visible(text: string): string {
  return text.replace(CONTROL, (char) => `^${String.fromCharCode(char.charCodeAt(0) ^ 64)}`);
}

/** The typed lines of a recording. */
export function typedLines(events: readonly CastEvent[]): TypedLine[] {
  const lines: TypedLine[] = [];
  let open: TypedLine | null = null;
  for (const { at, kind, text } of events) {
    if (kind !== 'input') continue;
    const [first = '', ...rest] = text.split(/\r\n?|\n/);
    open ??= { at, text: '' };
    open.text += visible(first);
    for (const next of rest) {
      lines.push(open);
      open = { at, text: visible(next) };
    }
    if (rest.length > 0 && open.text === '') open = null;
  }
  if (open) lines.push(open);
  return lines;
}
