/** A text of the corpus: its sections as they are searched. */
export interface CorpusText {
  id: number;
  locale: string;
  title: string;
  description: string;
  sections: string[];
}

/** A search, of one to six Chinese characters, of an English word, or of several words. */
export interface Query {
  kind: string;
  text: string;
}

const HAN_RUNS = /\p{Script=Han}{6,}/gu;
const WORDS = /[a-z]{4,}/g;
/** Words of other letters and digits. */
const LATIN = /[[\p{L}\p{N}]--\p{Script=Han}]+/gv;

/** Queries that occur in the corpus, the same in every run. */
export function queriesFrom(corpus: readonly CorpusText[], each: number): Query[] {
  const random = sequence(7);
  const texts = corpus.flatMap(({ sections }) => sections).map(fold);
  const runs = texts.flatMap((text) => text.match(HAN_RUNS) ?? []);
  const words = [...new Set(texts.flatMap((text) => text.match(WORDS) ?? []))];
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const piece = (length: number, from: readonly string[] = runs) => {
    const characters = [...pick(from)];
    const start = random(characters.length - length + 1);
    return characters.slice(start, start + length).join('');
  };
  const mixed = texts.filter((text) => text.match(HAN_RUNS) && text.match(WORDS));
  const both = (text: string) => `${piece(2, text.match(HAN_RUNS)!)} ${pick(text.match(WORDS)!)}`;
  const make = (kind: string, text: () => string) => Array.from({ length: each }, () => ({ kind, text: text() }));
  return [
    ...[1, 2, 3, 4, 5, 6].flatMap((length) => make(`${length} Chinese character(s)`, () => piece(length))),
    ...make('English word', () => pick(words)),
    ...make('two words', () => both(pick(mixed))),
  ];
}

/** The words of the corpus, each once. */
export function wordsOf(corpus: readonly CorpusText[]): string[] {
  return [...new Set(corpus.flatMap(({ sections }) => sections.flatMap((text) => fold(text).match(LATIN) ?? [])))];
}

/**
 * The texts that contain a query, by a plain search of every section: Chinese characters anywhere, and words by their
 * start or by their stem.
 */
export function findPlainly(
  corpus: readonly CorpusText[],
  { text }: Query,
  stemOf: ReadonlyMap<string, string>,
): string[] {
  const parts = fold(text).split(' ');
  const within = (section: string) =>
    parts.every((part) =>
      /\p{Script=Han}/u.test(part)
        ? section.includes(part)
        : (section.match(LATIN) ?? []).some((word) => word.startsWith(part) || stemOf.get(word) === stemOf.get(part)),
    );
  return corpus.flatMap(({ id, locale, sections }) => (sections.map(fold).some(within) ? [`${id} ${locale}`] : []));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Whole numbers below a limit, the same in every run (a linear congruential generator). */
export function sequence(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
