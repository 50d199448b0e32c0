/*
 * How documents are searched. PostgreSQL has no Chinese parser, and trigram indexes cannot find words of two
 * characters. So each run of Chinese characters is indexed as its overlapping pairs (bigrams), with their positions: a
 * text of two or more characters is a phrase of pairs, and one character is the start of a pair. Other words are
 * indexed whole; PostgreSQL adds the English stems.
 */

/** A run of Han characters, or a word of other letters and digits, with the marks that belong to a model or version name. */
const RUNS = /\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}]+/gv;
const HAN = /\p{Script=Han}/u;

/** Longest query; what follows is ignored. */
export const SEARCH_LENGTH = 200;
/** Maximum number of words of a query. */
const SEARCH_WORDS = 12;

/** Letters in the form in which they are compared: full-width forms become ASCII, and case does not matter. */
export function foldSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * The lexemes of a text, separated by blanks, in their order: pairs of Han characters, and whole words. The last
 * character of a run also stands alone, so that a search for one character finds it at the end of a run.
 */
export function indexedTerms(text: string): string {
  const terms: string[] = [];
  for (const [run] of foldSearch(text).matchAll(RUNS)) {
    if (!HAN.test(run)) {
      terms.push(run);
      continue;
    }
    const characters = [...run];
    for (let at = 0; at + 1 < characters.length; at += 1) terms.push(characters[at]! + characters[at + 1]!);
    terms.push(characters.at(-1)!);
  }
  return terms.join(' ');
}

/** The words of a text that are not Chinese, in their order. PostgreSQL adds their English stems. */
export function indexedWords(text: string): string[] {
  return [...foldSearch(text).matchAll(RUNS)].map(([run]) => run).filter((run) => !HAN.test(run));
}

/** A part of a query. */
export interface SearchTerm {
  /** the text as entered, folded */
  text: string;
  /** Han characters, which are searched as a phrase of pairs; otherwise a word */
  han: boolean;
  /** a `tsquery` for the simple configuration, in which every lexeme is quoted */
  query: string;
}

/** The parts of a query. All of them must be found in a section, its document's title or names of its attachments. */
export function searchTerms(entered: string): SearchTerm[] {
  const found = foldSearch(entered.slice(0, SEARCH_LENGTH)).matchAll(RUNS);
  return [...found].slice(0, SEARCH_WORDS).map(([text]) => {
    if (!HAN.test(text)) return { text, han: false, query: `'${text}':*` };
    const characters = [...text];
    if (characters.length === 1) return { text, han: true, query: `'${text}':*` };
    const pairs = characters.slice(0, -1).map((character, at) => `'${character}${characters[at + 1]}'`);
    return { text, han: true, query: pairs.join(' <-> ') };
  });
}
