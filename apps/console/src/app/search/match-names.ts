/** Something that is found by its names, such as a page by its title in both languages and in pinyin. */
export interface Named {
  names: readonly string[];
}

/** Fewer letters are only compared with the start of a word. Chinese words have no blanks, so they match anywhere. */
const INSIDE = 3;
const HAN = /\p{Script=Han}/u;

/** A text as searches compare it: NFKC, lower case, single blanks. */
export function searchable(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

/** The candidates that a search matches with all its words, names that start with the search first, at most `limit`. */
export function matchNames<T extends Named>(candidates: readonly T[], search: string, limit: number): T[] {
  const phrase = searchable(search);
  if (phrase === '') return [];
  const words = phrase.split(' ');
  return candidates
    .map((candidate) => ({ candidate, names: candidate.names.map(searchable) }))
    .filter(({ names }) => words.every((word) => names.some((name) => contains(name, word))))
    .map(({ candidate, names }) => ({ candidate, rank: names.some((name) => name.startsWith(phrase)) ? 0 : 1 }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

function contains(name: string, word: string): boolean {
  if (HAN.test(word) || word.length >= INSIDE) return name.includes(word);
  return ` ${name}`.includes(` ${word}`);
}

/**
 * The command at the start or the end of a search and the rest of it, which names a device: `restart DC-01`. The
 * longest name of a command wins. Null when there is no command in it.
 */
export function splitCommand<T extends Named>(
  commands: readonly T[],
  search: string,
): { command: T; rest: string } | null {
  const phrase = searchable(search);
  const names = commands
    .flatMap((command) => command.names.flatMap((name) => ({ command, name: searchable(name) })))
    .filter(({ name }) => name !== '')
    .sort((one, other) => other.name.length - one.name.length);
  for (const { command, name } of names) {
    if (phrase === name) return { command, rest: '' };
    // Chinese needs no blank between the command and the device.
    const gap = HAN.test(name) ? '' : ' ';
    if (phrase.startsWith(name + gap)) return { command, rest: phrase.slice(name.length).trim() };
    if (phrase.endsWith(gap + name)) return { command, rest: phrase.slice(0, -name.length).trim() };
  }
  return null;
}
