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
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { readingsOf } from '../../platform/search/readings.ts';
import { findSections, knownParts, readableWords, wordsWithKeys } from './search.store.ts';

type Viewer = Pick<Caller, 'levels' | 'locale'>;

/** Words of a search that are corrected at most. */
const CORRECTED = 4;
/** Candidates for a word that are looked up in the texts, the most similar first. */
const LOOKED_UP = 12;
/** Sections of a candidate that are counted: more do not make it more likely. */
const COUNTED = 50;
/** Sections in which Chinese text of the same sound is looked for. */
const READ = 3;

/**
 * The terms of a search without typing errors: words that no readable text has are replaced by a similar word that one
 * has. Null if there is nothing to replace or nothing similar. Words of texts that the user may not read are never used.
 */
export async function correctTerms(
  db: Kysely<Database>,
  viewer: Viewer,
  terms: readonly SearchTerm[],
): Promise<SearchTerm[] | null> {
  const parts = soundedTerms(terms);
  const wanted = parts.map((part) => ({ terms: part.terms, sounds: soundQuery(part) }));
  const known = await knownParts(db, viewer.levels, wanted);
  const unknown = parts.filter((_, at) => !known[at]).flatMap((part) => part.terms);
  if (unknown.length === 0 || unknown.length > CORRECTED) return null;
  const right = new Map<SearchTerm, string>();
  for (const term of unknown) {
    const text = await (term.han ? sameSound(db, viewer, term) : similarWord(db, viewer, term.text));
    if (text === null) return null;
    right.set(term, text);
  }
  return terms.flatMap((term) => (right.has(term) ? searchTerms(right.get(term)!) : [term]));
}

/** The readable word with the fewest differences, of several the one in most sections. */
async function similarWord(db: Kysely<Database>, viewer: Viewer, word: string): Promise<string | null> {
  const keys = searchedTypoKeys(word);
  if (keys.length === 0) return null;
  const edits = allowedEdits(word);
  const similar = (await wordsWithKeys(db, keys))
    .filter((other) => Math.abs(other.length - word.length) <= edits)
    .map((other) => ({ other, distance: editDistance(word, other) }))
    .filter(({ distance }) => distance > 0 && distance <= edits)
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, LOOKED_UP);
  if (similar.length === 0) return null;
  const counts = await readableWords(
    db,
    viewer.levels,
    similar.map(({ other }) => other),
    COUNTED,
  );
  const best = similar
    .filter(({ other }) => counts.has(other))
    .sort((a, b) => a.distance - b.distance || counts.get(b.other)! - counts.get(a.other)!);
  return best[0]?.other ?? null;
}

/** Readable Chinese text that sounds the same as a term with a wrong character. */
async function sameSound(db: Kysely<Database>, viewer: Viewer, term: SearchTerm): Promise<string | null> {
  const sound = soundOfHan(term, readingsOf);
  if (!sound) return null;
  const query = soundQuery({ sounds: [sound], initials: null });
  const sections = await findSections(db, viewer, [{ terms: [], sounds: query }], READ);
  for (const { title, heading, text } of sections) {
    const [piece] = soundAlikes(foldSearch(`${title}\n${heading ?? ''}\n${text}`), [sound], readingsOf);
    if (piece !== undefined) return piece;
  }
  return null;
}
