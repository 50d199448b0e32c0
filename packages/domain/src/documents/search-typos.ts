/*
 * How a search finds words that are typed wrong. The words of all documents are stored with keys: what remains of their
 * start when letters are left out. Two words that differ by a few edits share a key, so an index finds the candidates.
 */

/** Letters of a word that its keys are made of. Later differences are found by comparing the words. */
const KEYED = 7;
/** Shorter words have too many neighbours to correct them. */
const SHORT = 4;
/** Words from this length on may have two errors. */
const LONG = 8;
const LONGEST = 40;
const LETTERS = /^\p{Script=Latin}+$/u;

/**
 * How many errors a search corrects in a word: one in 4 to 7 letters, two in 8 or more. An error is a wrong, missing or
 * additional letter, or two neighbouring letters in the wrong order. Codes with digits are never changed.
 */
export function allowedEdits(word: string): 0 | 1 | 2 {
  if (!LETTERS.test(word) || word.length < SHORT || word.length > LONGEST) return 0;
  return word.length < LONG ? 1 : 2;
}

/** The words of a folded text that corrections may lead to, each once. */
export function correctableWords(words: readonly string[]): string[] {
  const least = SHORT - 1;
  return [...new Set(words)].filter((word) => word.length >= least && word.length <= LONGEST && LETTERS.test(word));
}

/** The keys under which a word of a document is stored. */
export function storedTypoKeys(word: string): string[] {
  // Two errors are only allowed in words of eight letters or more, so the right word has at least six.
  return typoKeys(word, word.length < LONG - 2 ? 1 : 2);
}

/** The keys of a word of a search, of which the right word has at least one. Empty when it is not corrected. */
export function searchedTypoKeys(word: string): string[] {
  const edits = allowedEdits(word);
  return edits === 0 ? [] : typoKeys(word, edits);
}

/** The start of a word without up to `edits` of its letters, in all ways. */
function typoKeys(word: string, edits: number): string[] {
  let level = new Set([word.slice(0, KEYED)]);
  const keys = new Set(level);
  for (let edit = 0; edit < edits; edit += 1) {
    level = new Set([...level].flatMap((key) => [...key].map((_, at) => key.slice(0, at) + key.slice(at + 1))));
    for (const key of level) keys.add(key);
  }
  return [...keys];
}

/** The number of errors between two words (optimal string alignment: no part is changed twice). */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1];
      let least = Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (same ? 0 : 1));
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      if (swapped) least = Math.min(least, before[to - 2]! + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length]!;
}
