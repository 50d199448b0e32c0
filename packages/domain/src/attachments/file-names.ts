import { endingOf } from '../text/files/files.ts';

/** Maximum length of the name of a file or a folder in UTF-8: the limit of common file systems. Bytes. */
export const NAME_BYTES = 255;

/**
 * Characters that no name contains: separators of paths, control characters, line separators, marks that change the
 * writing direction (`photo\u202Egnp.exe` looks like `photoexe.png`), and halves of surrogate pairs.
 */
const FORBIDDEN = /[/\\\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;

/** Why a name is refused. */
export type NameFault = 'empty' | 'characters' | 'tooLong';

/** A name as it is stored: without surrounding blanks, in Unicode's composed form (NFC), so that equal names are equal. */
export function normalName(name: string): string {
  return name.normalize('NFC').trim();
}

/** Why a normal name is refused for a file or a folder; null when it is allowed. Names in every script are. */
export function nameFault(name: string): NameFault | null {
  if (name === '') return 'empty';
  if (FORBIDDEN.test(name) || /^\.+$/.test(name)) return 'characters';
  return bytesOf(name) > NAME_BYTES ? 'tooLong' : null;
}

/** What two names in one folder must differ in: names that differ only in case are the same on many computers. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/**
 * A name with a counter before its extension: `manual.pdf` and 2 give `manual (2).pdf`. A long name is shortened, so
 * that the counter fits.
 */
export function numberedName(name: string, counter: number): string {
  const ending = endingOf(name);
  const tail = ` (${counter})${ending === null ? '' : name.slice(-ending.length - 1)}`;
  const stem = ending === null ? name : name.slice(0, -ending.length - 1);
  return cutTo(stem, NAME_BYTES - bytesOf(tail)) + tail;
}

/** The name itself, or with the first counter from 2 that is not taken. `taken` has `nameKey`s. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let counter = 2; taken.has(nameKey(free)); counter += 1) free = numberedName(name, counter);
  return free;
}

/** The longest beginning of a text with at most so many bytes, of whole characters. */
function cutTo(text: string, bytes: number): string {
  let cut = '';
  let length = 0;
  for (const character of text) {
    length += bytesOf(character);
    if (length > bytes) break;
    cut += character;
  }
  return cut.trimEnd();
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Media types that a browser may display, by extension. Nothing in them can run a script. */
const SHOWN_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  txt: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  csv: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  json: 'text/plain; charset=utf-8',
};

/** The media type with which a file is displayed; null when it is only downloaded. */
export function shownType(name: string): string | null {
  const ending = endingOf(name) ?? '';
  return Object.hasOwn(SHOWN_TYPES, ending) ? (SHOWN_TYPES[ending] ?? null) : null;
}
