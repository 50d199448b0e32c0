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
  return runsOf(entered).slice(0, SEARCH_WORDS).map(termOf);
}

/** English words that ask or join, and do not name anything. */
const ASKING_WORDS = new Set(
  `a an and are be can could did do does for from had has have help how i if in is it its me my of on or our please
   should so that the there this to was we were what when where which who why will with would you your`.split(/\s+/),
);
/** Chinese phrases that ask, longer ones first. */
const ASKING_PHRASES =
  /请问|[了该]{0,2}(?:怎么|怎样|如何)(?:办|回事|处理|解决|排除|样)?|为什么|为何|是?什么(?:意思|原因)?|[吗呢]/g;

/**
 * What a whole question is about: "绝缘电阻过低怎么办" and "what to do when insulation resistance is low" without the
 * words that only ask. The same terms as `searchTerms` if nothing else is left.
 */
export function questionTerms(entered: string): SearchTerm[] {
  const named = runsOf(entered.slice(0, SEARCH_LENGTH).replace(ASKING_PHRASES, ' ')).filter(
    (run) => !ASKING_WORDS.has(run),
  );
  return named.length === 0 ? searchTerms(entered) : named.slice(0, SEARCH_WORDS).map(termOf);
}

/** Pieces of terms that are looked for one by one, if no text has all terms. */
const PIECES = 24;

/**
 * Terms in the smallest pieces that are searched: pairs of Han characters, so that a text with "绝缘电阻低" is found for
 * "绝缘电阻过低".
 */
export function termPieces(terms: readonly SearchTerm[]): SearchTerm[] {
  const texts = terms.flatMap(({ text, han }) => {
    const characters = [...text];
    if (!han || characters.length < 4) return [text];
    return characters.slice(0, -1).map((character, at) => `${character}${characters[at + 1]}`);
  });
  return [...new Set(texts)].slice(0, PIECES).map(termOf);
}

function runsOf(entered: string): string[] {
  return [...foldSearch(entered.slice(0, SEARCH_LENGTH)).matchAll(RUNS)].map(([run]) => run);
}

function termOf(text: string): SearchTerm {
  if (!HAN.test(text)) return { text, han: false, query: `'${text}':*` };
  const characters = [...text];
  if (characters.length === 1) return { text, han: true, query: `'${text}':*` };
  const pairs = characters.slice(0, -1).map((character, at) => `'${character}${characters[at + 1]}'`);
  return { text, han: true, query: pairs.join(' <-> ') };
}
