import type { Locale } from '@chargehand/contract';
import {
  attachmentNamesOf,
  correctableWords,
  type DocumentContent,
  indexedSounds,
  indexedTerms,
  indexedWords,
  type SearchWeight,
  type Section,
  sectionsOf,
  storedTypoKeys,
} from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { readingsOf } from '../../platform/search/readings.ts';
import { mapInSlices } from '../../platform/work/slices.ts';

/** Sections that one statement indexes. */
const BATCH = 50;
/** Characters of the names of attachments that are searched; every section has them. */
const FILE_NAMES_LENGTH = 3_000;

/** What of a text is searched. */
export interface SearchedText {
  id: number;
  locale: Locale;
  title: string;
  description: string;
  body: DocumentContent;
}

/**
 * Replaces the rows of texts in the search index: one for each heading, and a first one for the summary. The title and
 * the names of all attachments are in each of them, so that a search may have words of both.
 */
export async function storeSections(trx: Kysely<Database>, texts: readonly SearchedText[]): Promise<void> {
  const ids = texts.map(({ id }) => id);
  const locales = texts.map(({ locale }) => locale);
  await sql`
    delete from document_sections s using unnest(${ids}::int[], ${locales}::text[]) as a (id, locale)
     where s.document_id = a.id and s.locale = a.locale`.execute(trx);
  const sections = texts.flatMap(sectionsOfText);
  const words = new Set<string>();
  // The longest text has more sections than one statement can index in its time.
  for (let at = 0; at < sections.length; at += BATCH) {
    const rows = await mapInSlices(sections.slice(at, at + BATCH), rowOf);
    await storeRows(trx, rows);
    for (const row of rows)
      for (const text of [row.titleWords, row.fileWords, row.headingWords, row.words])
        for (const word of text.split(' ')) words.add(word);
  }
  await storeWords(trx, words);
  await sql`
    update document_texts t set indexed = true from unnest(${ids}::int[], ${locales}::text[]) as a (id, locale)
     where t.document_id = a.id and t.locale = a.locale and not t.indexed`.execute(trx);
}

async function storeRows(trx: Kysely<Database>, rows: readonly SectionRow[]): Promise<void> {
  const of = <K extends keyof SectionRow>(key: K) => rows.map((row) => row[key]);
  await sql`
    insert into document_sections (document_id, locale, position, heading, anchor, text, terms, sounds)
    select id, locale, position, heading, anchor, text,
           setweight(to_tsvector('simple', title_terms) || to_tsvector('english', title_words), 'A') ||
           setweight(to_tsvector('simple', file_terms) || to_tsvector('english', file_words), 'C') ||
           setweight(to_tsvector('simple', heading_terms) || to_tsvector('english', heading_words), 'B') ||
           to_tsvector('simple', terms) || to_tsvector('english', words),
           sounds::tsvector
      from unnest(${of('id')}::int[], ${of('locale')}::text[], ${of('position')}::int[], ${of('heading')}::text[],
                  ${of('anchor')}::text[], ${of('text')}::text[], ${of('sounds')}::text[],
                  ${of('titleTerms')}::text[], ${of('titleWords')}::text[], ${of('fileTerms')}::text[],
                  ${of('fileWords')}::text[], ${of('headingTerms')}::text[], ${of('headingWords')}::text[],
                  ${of('terms')}::text[], ${of('words')}::text[])
           as s (id, locale, position, heading, anchor, text, sounds, title_terms, title_words, file_terms, file_words,
                 heading_terms, heading_words, terms, words)`.execute(trx);
}

/** A section with what all rows of its text have. */
interface IndexedSection extends Omit<SearchedText, 'body' | 'description'> {
  files: string;
  position: number;
  heading: Section['heading'];
  text: string;
}

function sectionsOfText({ id, locale, title, description, body }: SearchedText): IndexedSection[] {
  const files = attachmentNamesOf(body).join('\n').slice(0, FILE_NAMES_LENGTH).toWellFormed();
  const sections = [{ heading: null, text: description }, ...sectionsOf(body)];
  return sections.map(({ heading, text }, position) => ({ id, locale, title, files, position, heading, text }));
}

/** A row of the index: what is shown of a section, and its words as PostgreSQL indexes them. */
type SectionRow = ReturnType<typeof rowOf>;

function rowOf({ id, locale, title, files, position, heading, text }: IndexedSection) {
  const name = heading?.text ?? '';
  const parts: { text: string; weight: SearchWeight }[] = [
    { text: title, weight: 'A' },
    { text: files, weight: 'C' },
    { text: name, weight: 'B' },
    { text, weight: 'D' },
  ];
  return {
    ...{ id, locale, position, heading: heading?.text ?? null, anchor: heading?.anchor ?? null, text },
    sounds: indexedSounds(parts, readingsOf),
    ...{ titleTerms: indexedTerms(title), titleWords: wordsOf(title) },
    ...{ fileTerms: indexedTerms(files), fileWords: wordsOf(files) },
    ...{ headingTerms: indexedTerms(name), headingWords: wordsOf(name) },
    ...{ terms: indexedTerms(text), words: wordsOf(text) },
  };
}

function wordsOf(text: string): string {
  return indexedWords(text).join(' ');
}

/** Adds the words of texts to those that corrections lead to. In one order, so that two authors never wait for each other. */
async function storeWords(trx: Kysely<Database>, found: ReadonlySet<string>): Promise<void> {
  const words = correctableWords([...found]);
  const { rows } = await sql<{ word: string }>`
    select a.word from unnest(${words}::text[]) as a (word)
     where not exists (select from document_words w where w.word = a.word) order by a.word collate "C"`.execute(trx);
  const added = await mapInSlices(rows, ({ word }) => ({ word, keys: storedTypoKeys(word) }));
  if (added.length === 0) return;
  await sql`
    insert into document_words (word, keys)
    select word, array(select json_array_elements_text(keys))
      from json_to_recordset(${JSON.stringify(added)}::json) as a (word text, keys json)
    on conflict do nothing`.execute(trx);
}
