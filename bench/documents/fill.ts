import { LOCALES } from '@chargehand/contract';
import type { ContentNode, DocumentContent } from '@chargehand/domain';
import { storeSections } from '../../apps/server/src/documents/search/sections.ts';
import type { DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';
import { type CorpusText, sequence } from './corpus.ts';

/** Sections of a generated document in each language. */
const OF_DOCUMENT = 10;
/** Documents of a transaction. */
const AT_ONCE = 20;
/** Sentences of a section. */
const SENTENCES = 8;

/**
 * Adds documents until the index has this many sections. They consist of sentences of the corpus in another order, and
 * of words that only few of them have, so that queries find from one to nearly all of them.
 */
export async function fillSections({ db, pool }: DatabaseConnection, corpus: readonly CorpusText[], count: number) {
  const random = sequence(11);
  const sentences = Map.groupBy(
    corpus.flatMap(({ locale, sections }) =>
      sections.flatMap((text) => text.split(/(?<=[。.!?])\s*/u).map((sentence) => ({ locale, sentence }))),
    ),
    ({ locale }) => locale,
  );
  const sentence = (locale: string) => {
    const all = sentences.get(locale)!;
    return `${all[random(all.length)]!.sentence} ${rareWord(locale, random)}`;
  };
  const text = (value: string): ContentNode[] => [{ type: 'text', text: value }];
  const section = (locale: string): ContentNode[] => [
    { type: 'heading', attrs: { level: 1 }, content: text(sentence(locale).slice(0, 60)) },
    { type: 'paragraph', content: text(Array.from({ length: SENTENCES }, () => sentence(locale)).join('')) },
  ];
  const category = db.selectFrom('document_categories').select('id').orderBy('id').limit(1);
  const { id: categoryId } = await category.executeTakeFirstOrThrow();
  const documents = Math.ceil(count / (OF_DOCUMENT + 1) / LOCALES.length);
  for (let first = 0; first < documents; first += AT_ONCE) {
    await db.transaction().execute(async (trx) => {
      const numbers = Array.from({ length: Math.min(AT_ONCE, documents - first) }, (_, index) => first + index);
      const rows = await trx
        .insertInto('documents')
        .values(
          numbers.map((number) => ({
            ...{ name: `bench ${number}`, type: null, category_id: categoryId, icon: null, shipped: null },
            ...{ read_level: number % 100 === 0 ? 5 : 3, write_level: 3 },
            ...{ created_by: null, created_by_name: 'bench', updated_by_name: 'bench' },
          })),
        )
        .returning('id')
        .execute();
      const texts = rows.flatMap(({ id }) =>
        LOCALES.map((locale) => {
          const content = Array.from({ length: OF_DOCUMENT }, () => section(locale)).flat();
          const body: DocumentContent = { type: 'doc', content };
          return { id, locale, title: sentence(locale).slice(0, 60), description: '', body };
        }),
      );
      const values = texts.map(({ id, body, ...text }) => ({
        ...{ ...text, document_id: id, version: 1, follows: null, updated_by_name: 'bench' },
        body: JSON.stringify(body) as never,
      }));
      await trx.insertInto('document_texts').values(values).execute();
      await storeSections(trx, texts);
    });
  }
  await pool.query('vacuum analyze documents, document_texts, document_sections, document_words');
}

/** A word of its own: two Chinese characters of 3,000, or six letters. */
function rareWord(locale: string, random: (limit: number) => number): string {
  if (locale === 'zh-CN') return String.fromCodePoint(0x4e00 + random(3_000), 0x4e00 + random(3_000));
  return Array.from({ length: 6 }, () => String.fromCodePoint(97 + random(26))).join('');
}
