/** Keys that the keyboards of phones lack, in the order of their buttons. */
export const PHONE_KEYS = [
  'esc',
  'tab',
  'left',
  'up',
  'down',
  'right',
  'home',
  'end',
  'pageUp',
  'pageDown',
  'slash',
  'pipe',
  'dash',
  'tilde',
] as const;
export type PhoneKey = (typeof PHONE_KEYS)[number];

/** Keys that change the next one. */
export interface Modifiers {
  ctrl: boolean;
  alt: boolean;
}

const TEXTS: Partial<Record<PhoneKey, string>> = {
  esc: '\u001b',
  tab: '\t',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  slash: '/',
  pipe: '|',
  dash: '-',
  tilde: '~',
};
/** Final characters of the sequences of keys that move the cursor. */
const MOVES: Partial<Record<PhoneKey, string>> = { up: 'A', down: 'B', right: 'C', left: 'D', end: 'F', home: 'H' };

/**
 * What a terminal sends for a key.
 * @param application the program has requested the sequences of the application mode (DECCKM)
 */
export function sequenceOf(key: PhoneKey, application: boolean, { ctrl, alt }: Modifiers): string {
  const move = MOVES[key];
  if (move === undefined) return withModifiers(TEXTS[key] ?? '', { ctrl, alt });
  const modifier = 1 + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  if (modifier > 1) return `\u001b[1;${modifier}${move}`;
  return `\u001b${application ? 'O' : '['}${move}`;
}

/**
 * A typed character with modifiers: Ctrl makes a control character of a letter, Alt puts an escape character before it.
 * Longer texts, as from an input method, stay as they are.
 */
export function withModifiers(text: string, { ctrl, alt }: Modifiers): string {
  if ([...text].length !== 1) return text;
  const controlled =
    ctrl && /^[@-_a-z]$/.test(text) ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & 31) : text;
  return alt ? `\u001b${controlled}` : controlled;
}

/**
 * A text from the clipboard without control characters except tabs and line breaks. A text from a web page could otherwise
 * press keys, or end the paste mode of a shell and run a command.
 */
export function pastable(text: string): string {
  return text.replace(/(?![\t\r\n])\p{Cc}/gu, '');
}

/** The lines of a text that is pasted; the break at its end counts, because it runs what precedes it. */
export function pastedLines(text: string): number {
  return text.split(/\r\n|\r|\n/).length;
}
