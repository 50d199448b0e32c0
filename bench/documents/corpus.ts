/** A text of the corpus: its sections as they are searched. */
export interface CorpusText {
  id: number;
  locale: string;
  title: string;
  description: string;
  /** the summary, and each heading with the text below it */
  sections: string[];
  /** what is found together with each section: the title and the names of attachments */
  shared: string;
  /** the title and the headings */
  headings: string[];
}

/** A search, and what was meant when it is pinyin or has typing errors. */
export interface Query {
  kind: string;
  text: string;
  meant?: string;
}

const HAN_RUNS = /\p{Script=Han}{6,}/gu;
const WORDS = /[a-z]{4,}/g;
const WORD = /[a-z]{4,}/;
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
  const titled = corpus.flatMap(({ locale, title, sections: parts }) =>
    locale === 'en-US' ? parts.slice(1).map((part) => ({ title: fold(title), part: fold(part) })) : [],
  );
  const apart = () => {
    const { title, part } = pick(titled.filter((one) => WORD.test(one.title) && WORD.test(one.part)));
    return `${pick(title.match(WORDS)!)} ${pick(part.match(WORDS)!)}`;
  };
  const mixed = texts.filter((text) => text.match(HAN_RUNS) && text.match(WORDS));
  const both = (text: string) => `${piece(2, text.match(HAN_RUNS)!)} ${pick(text.match(WORDS)!)}`;
  const make = (kind: string, text: () => string) => Array.from({ length: each }, () => ({ kind, text: text() }));
  return [
    ...[1, 2, 3, 4, 5, 6].flatMap((length) => make(`${length} Chinese character(s)`, () => piece(length))),
    ...make('English word', () => pick(words)),
    ...make('two words', () => both(pick(mixed))),
    ...make('words of title and text', apart),
  ];
}

/** The words of the corpus, each once. */
export function wordsOf(corpus: readonly CorpusText[]): string[] {
  return [...new Set(corpus.flatMap((text) => foldedSections(text).flatMap(({ words }) => words)))];
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
  const within = ({ content, words }: Folded) =>
    parts.every((part) =>
      /\p{Script=Han}/u.test(part)
        ? content.includes(part)
        : words.some((word) => word.startsWith(part) || (stemOf.has(part) && stemOf.get(word) === stemOf.get(part))),
    );
  return corpus.flatMap((one) => (foldedSections(one).some(within) ? [`${one.id} ${one.locale}`] : []));
}

/** A section with what is found together with it, and its words. */
interface Folded {
  content: string;
  words: string[];
}

const folded = new WeakMap<CorpusText, Folded[]>();
function foldedSections(text: CorpusText): Folded[] {
  const known = folded.get(text);
  if (known) return known;
  const parts = text.sections.map((section) => {
    const content = fold(`${text.shared}\n${section}`);
    return { content, words: [...new Set(content.match(LATIN) ?? [])] };
  });
  folded.set(text, parts);
  return parts;
}

export function fold(text: string): string {
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
