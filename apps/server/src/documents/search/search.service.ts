import type { DocumentHit, documentEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import {
  foldSearch,
  questionTerms,
  type SearchTerm,
  type Sound,
  type SoundedTerm,
  searchTerms,
  soundAlikes,
  soundedTerms,
  soundQuery,
  termPieces,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { readingsOf } from '../../platform/search/readings.ts';
import type { Reader } from '../pages/pages.store.ts';
import { correctTerms } from './correction.ts';
import { excerptOf } from './excerpt.ts';
import { type FoundSection, findSections, type Search, similarHeading, withSearch } from './search.store.ts';

type Endpoint = (typeof documentEndpoints)['searchDocuments'];
type Viewer = Reader & Pick<Caller, 'locale'>;

/** A section that a search found, and what to mark in it. */
interface Found {
  section: FoundSection;
  marked: readonly { text: string }[];
}

/**
 * Searches the documents that a user may read: one hit for each, in the reader's language if possible. If nothing is
 * found, it searches for what a question is about, then without typing errors, which it says, and then for most words.
 */
export async function searchDocuments(
  db: Kysely<Database>,
  viewer: Viewer,
  { search: text, limit, exact = false }: QueryOf<Endpoint>,
): Promise<ResultOf<Endpoint>> {
  const entered = searchTerms(text);
  if (entered.length === 0) return { items: [], partial: false, corrected: null, suggestion: null };
  return await withSearch(db, viewer, async (search) => {
    const { found, terms } = await findAsked(search, text, limit, exact);
    if (found.length > 0) return { items: found.map(toHit), partial: false, corrected: null, suggestion: null };
    const right = exact ? null : await correctTerms(search, terms);
    const instead = right === null ? [] : await findTerms(search, right, limit);
    if (right !== null && instead.length > 0) {
      const corrected = right.map((term) => term.text).join(' ');
      return { items: instead.map(toHit), partial: false, corrected, suggestion: null };
    }
    const most = await findMost(search, right ?? terms, limit);
    return {
      items: most.map(toHit),
      partial: most.length > 0,
      corrected: null,
      suggestion: await similarHeading(search, foldSearch(text)),
    };
  });
}

/** The texts that have what was entered, or else what it asks about, with the terms that were looked for last. */
export async function findAsked(
  search: Search,
  text: string,
  limit: number,
  exact = false,
): Promise<{ found: Found[]; terms: SearchTerm[] }> {
  const entered = searchTerms(text);
  const found = await findTerms(search, entered, limit);
  const topic = questionTerms(text);
  const same = topic.length === entered.length && topic.every((term, index) => term.text === entered[index]?.text);
  if (found.length > 0 || exact || same) return { found, terms: entered };
  return { found: await findTerms(search, topic, limit), terms: topic };
}

/** The texts that have the terms, and then those that have them in Chinese with the same pinyin. */
async function findTerms(search: Search, terms: readonly SearchTerm[], limit: number): Promise<Found[]> {
  const exact = await findSections(search, [{ terms, sounds: null }], limit);
  const found: Found[] = exact.map((section) => ({ section, marked: terms }));
  const sounded = soundedTerms(terms);
  // English words that occur in the documents are looked for in Chinese titles and headings only.
  const places = exact.length > 0 ? 'AB' : '';
  const parts = sounded.map((part) => ({ terms: part.terms, sounds: soundQuery(part, places) }));
  if (found.length >= limit || parts.every(({ sounds }) => sounds === null)) return found;
  const known = new Set(exact.map(({ documentId }) => documentId));
  const bySound = (await findSections(search, parts, limit))
    .filter(({ documentId }) => !known.has(documentId))
    .slice(0, limit - found.length);
  return [...found, ...bySound.map((section) => ({ section, marked: markedBySound(section, sounded) }))];
}

/** Texts of which each term is looked for. */
const OF_TERM = 50;

/** The documents that have most of several pieces of terms, in any section. Rare pieces count more than frequent ones. */
async function findMost(search: Search, terms: readonly SearchTerm[], limit: number): Promise<Found[]> {
  const pieces = termPieces(terms);
  if (pieces.length < 2) return [];
  const documents = new Map<number, { found: Found; terms: number; rarity: number }>();
  for (const term of pieces) {
    const sections = await findSections(search, [{ terms: [term], sounds: null }], OF_TERM);
    for (const section of sections) {
      const key = section.documentId;
      const text = documents.get(key) ?? { found: { section, marked: pieces }, terms: 0, rarity: 0 };
      // The section of the rarest term is shown.
      if (1 / sections.length > text.rarity) text.found = { section, marked: pieces };
      text.terms += 1;
      text.rarity += 1 / sections.length;
      documents.set(key, text);
    }
  }
  // One pair of characters of a longer text says little.
  const least = pieces.length > terms.length ? pieces.length / 2 : 1;
  return [...documents.values()]
    .filter((one) => one.terms >= least)
    .sort((a, b) => b.terms - a.terms || b.rarity - a.rarity)
    .slice(0, limit)
    .map(({ found }) => found);
}

/** What to mark of a section that was found by pinyin. */
function markedBySound({ text }: FoundSection, parts: readonly SoundedTerm[]): { text: string }[] {
  const sounds: Sound[] = parts.flatMap((part) => part.sounds);
  const alike = soundAlikes(foldSearch(text), sounds, readingsOf);
  return [...parts.flatMap(({ terms }) => terms), ...alike.map((piece) => ({ text: piece }))];
}

function toHit({ section, marked }: Found): DocumentHit {
  const { documentId, locale, title, heading, anchor, text } = section;
  const { excerpt, marks } = excerptOf(text, marked);
  return { documentId, locale, title, heading, anchor, excerpt, marks };
}
