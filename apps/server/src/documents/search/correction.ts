import {
  allowedEdits,
  editDistance,
  foldSearch,
  type SearchTerm,
  searchedTypoKeys,
  searchTerms,
  soundAlikes,
  soundedTerms,
  soundOfHan,
  soundQuery,
  spellingsOf,
} from '@chargehand/domain';
import { readingsOf } from '../../platform/search/readings.ts';
import { findSections, knownParts, readableWords, type Search, wordsWithKeys } from './search.store.ts';

/** Words of a search that are corrected at most. */
const CORRECTED = 4;
/** Candidates for a word that are looked up in the texts, the most similar first. */
const LOOKED_UP = 12;
/** Sections of a candidate that are counted: more do not make it more likely. */
const COUNTED = 50;
/** Sections in which Chinese text of the same sound is looked for, and among how many they are chosen. */
const READ = 3;
const READ_AMONG = { first: 20, others: 20 };

/**
 * The terms of a search without typing errors: words that no readable text has are replaced by a similar word that one
 * has. Null if there is nothing to replace or nothing similar. Words of texts that the user may not read are never used.
 */
export async function correctTerms(search: Search, terms: readonly SearchTerm[]): Promise<SearchTerm[] | null> {
  const parts = soundedTerms(terms);
  const wanted = parts.map((part) => ({ terms: part.terms, sounds: soundQuery(part) }));
  const known = await knownParts(search, wanted);
  const unknown = parts.filter((_, at) => !known[at]).flatMap((part) => part.terms);
  if (unknown.length === 0 || unknown.length > CORRECTED) return null;
  const right = new Map<SearchTerm, string>();
  for (const term of unknown) {
    const text = term.han
      ? await sameSound(search, term)
      : ((await otherSpelling(search, term.text)) ?? (await similarWord(search, term.text)));
    if (text === null) return null;
    right.set(term, text);
  }
  return terms.flatMap((term) => (right.has(term) ? searchTerms(right.get(term)!) : [term]));
}

/** Another spelling of a word in pinyin that a readable text has. */
async function otherSpelling(search: Search, word: string): Promise<string | null> {
  const spellings = spellingsOf(word);
  if (spellings.length === 0) return null;
  const parts = spellings.flatMap((spelling) => soundedTerms(searchTerms(spelling)));
  const known = await knownParts(
    search,
    parts.map((part) => ({ terms: [], sounds: soundQuery(part) })),
  );
  return spellings[known.indexOf(true)] ?? null;
}

/** The readable word with the fewest differences, of several the one in most sections. */
async function similarWord(search: Search, word: string): Promise<string | null> {
  const keys = searchedTypoKeys(word);
  if (keys.length === 0) return null;
  const edits = allowedEdits(word);
  const similar = (await wordsWithKeys(search, keys))
    .filter((other) => Math.abs(other.length - word.length) <= edits)
    .map((other) => ({ other, distance: editDistance(word, other) }))
    .filter(({ distance }) => distance > 0 && distance <= edits)
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, LOOKED_UP);
  if (similar.length === 0) return null;
  const counts = await readableWords(
    search,
    similar.map(({ other }) => other),
    COUNTED,
  );
  const best = similar
    .filter(({ other }) => counts.has(other))
    .sort((a, b) => a.distance - b.distance || counts.get(b.other)! - counts.get(a.other)!);
  return best[0]?.other ?? null;
}

/** Readable Chinese text that sounds the same as a term with a wrong character. */
async function sameSound(search: Search, term: SearchTerm): Promise<string | null> {
  const sound = soundOfHan(term, readingsOf);
  if (!sound) return null;
  const query = soundQuery({ sounds: [sound], initials: null });
  const sections = await findSections(search, [{ terms: [], sounds: query }], READ, READ_AMONG);
  for (const { title, heading, text } of sections) {
    const [piece] = soundAlikes(foldSearch(`${title}\n${heading ?? ''}\n${text}`), [sound], readingsOf);
    if (piece !== undefined) return piece;
  }
  return null;
}
