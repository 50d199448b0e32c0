import type { Locale } from '@chargehand/contract';
import type { DocumentType } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { storeSections } from '../search/sections.ts';
import type { ShippedCategory } from './shipped-document.ts';
import type { ParsedFile } from './shipped-worker.ts';

/** What was stored last of a language of a shipped document. */
export interface ShippedText {
  key: string;
  locale: Locale;
  hash: string;
  version: number;
}

export async function shippedTexts(db: Kysely<Database>): Promise<ShippedText[]> {
  return await db.selectFrom('shipped_texts').select(['key', 'locale', 'hash', 'version']).execute();
}

/** One process at a time stores shipped documents. */
export async function lockShipped(trx: Kysely<Database>): Promise<void> {
  await sql`lock table shipped_texts in share row exclusive mode`.execute(trx);
}

export async function storeShippedTexts(trx: Kysely<Database>, texts: readonly ShippedText[]): Promise<void> {
  const values = texts.map(({ key, locale, hash, version }) => ({ key, locale, hash, version }));
  const rows = trx.insertInto('shipped_texts').values(values);
  await rows
    .onConflict((row) =>
      row.columns(['key', 'locale']).doUpdateSet(({ ref }) => ({
        hash: ref('excluded.hash'),
        version: ref('excluded.version'),
      })),
    )
    .execute();
}

/** The ids of the shipped documents that exist, by their keys. */
export async function shippedDocuments(db: Kysely<Database>): Promise<Map<string, number>> {
  const rows = db.selectFrom('documents').select(['id', 'shipped']).where('shipped', 'is not', null);
  return new Map((await rows.execute()).map(({ id, shipped }) => [shipped!, id]));
}

/**
 * Adds categories that do not exist yet, parents first. A category of the same name in the same place is used instead.
 * @returns their ids by their keys
 */
export async function addCategories(
  trx: Kysely<Database>,
  categories: readonly ShippedCategory[],
): Promise<Map<string, number>> {
  await sql`lock table document_categories in share row exclusive mode`.execute(trx);
  const ids = new Map<string, number>();
  for (const { key, nameEn, nameZh } of categories) {
    const parent = ids.get(key.split('/').slice(0, -1).join('/')) ?? null;
    const { rows } = await sql<{ id: number }>`
      with known as (
        select id from document_categories
         where shipped = ${key} or (parent_id is not distinct from ${parent}::int
               and (lower(name_en) = lower(${nameEn}) or lower(name_zh) = lower(${nameZh})))
         order by (shipped = ${key}) desc nulls last limit 1),
      added as (
        insert into document_categories (parent_id, position, name_en, name_zh, shipped)
        select ${parent}::int, coalesce((select max(position) from document_categories
                 where parent_id is not distinct from ${parent}::int), -1) + 1, ${nameEn}, ${nameZh}, ${key}
         where not exists (select from known)
        returning id)
      select id from known union all select id from added`.execute(trx);
    ids.set(key, rows[0]!.id);
  }
  return ids;
}

/**
 * Adds documents with their first versions in one statement for each table. Codes that a document of the operator
 * explains keep that document.
 */
export async function addDocuments(
  trx: Kysely<Database>,
  author: string,
  categories: ReadonlyMap<string, number>,
  files: readonly ParsedFile[],
): Promise<void> {
  const documents = [...new Map(files.map((file) => [file.key, file])).values()].map(
    ({ key, name, type, category, codes }) => ({ key, name, type, category_id: categories.get(category)!, codes }),
  );
  // Users who may add documents may also edit these.
  await sql`
    insert into documents (name, type, category_id, read_level, write_level, shipped, created_by_name, updated_by_name)
    select case when exists (select from documents d where d.customer_id is null and lower(d.name) = lower(s.name))
                then s.name || ' (Chargehand)' else s.name end, s.type, s.category_id, 5, 4, s.key, ${author}, ${author}
      from json_to_recordset(${JSON.stringify(documents)}::json)
           as s (key text, name text, type smallint, category_id int)
    on conflict do nothing`.execute(trx);
  await sql`
    insert into document_bindings (document_id, type, key)
    select d.id, d.type, code
      from json_to_recordset(${JSON.stringify(documents)}::json) as s (key text, codes json)
      join documents d on d.shipped = s.key
     cross join json_array_elements_text(s.codes) as code
    on conflict do nothing`.execute(trx);
  const texts = files.map(({ key, locale, title, description, body }) => ({ key, locale, title, description, body }));
  await sql`
    with shipped as (
      select d.id, s.* from json_to_recordset(${JSON.stringify(texts)}::json)
               as s (key text, locale text, title text, description text, body jsonb)
        join documents d on d.shipped = s.key),
    versions as (
      insert into document_versions (document_id, locale, version, title, description, body, created_by_name)
      select id, locale, 1, title, description, body, ${author} from shipped)
    insert into document_texts (document_id, locale, version, title, description, body, follows, updated_by_name)
    select id, locale, 1, title, description, body, case locale when 'en-US' then null else 1 end, ${author}
      from shipped`.execute(trx);
  const ids = await shippedDocuments(trx);
  const stored = files.flatMap((file) => (ids.has(file.key) ? [{ ...file, id: ids.get(file.key)! }] : []));
  await storeSections(trx, stored);
  await storeShippedTexts(
    trx,
    files.map((file) => ({ ...file, version: 1 })),
  );
}

/** A code of manufacturers, with its name in English and the key of the shipped document that explains it. */
export interface NamedCode {
  code: string;
  nameEn: string;
  document: string;
}

/** Lets shipped documents explain codes of those device models that have them under these names. */
export async function bindNamedCodes(db: Kysely<Database>, codes: readonly NamedCode[]): Promise<void> {
  await sql`
    insert into document_bindings (document_id, type, key, device_model_id)
    select d.id, d.type, a.code, a.device_model_id
      from jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as r (code text, "nameEn" text, document text)
      join alarm_codes a on a.code = r.code and a.name_en = r."nameEn" and a.device_model_id is not null
      join documents d on d.shipped = r.document
    on conflict do nothing`.execute(db);
}

/** Adds codes that a document explains since this release. */
export async function addCodes(
  trx: Kysely<Database>,
  id: number,
  type: DocumentType | null,
  codes: readonly string[],
): Promise<void> {
  if (type === null || codes.length === 0) return;
  await sql`
    insert into document_bindings (document_id, type, key)
    select ${id}, ${type}::smallint, code from unnest(${codes}::text[]) as code
    on conflict do nothing`.execute(trx);
}

/**
 * Notes that the other language still corresponds to this one after a version that needs no translation. With `from`,
 * only if it did before.
 */
export async function followVersions(
  trx: Kysely<Database>,
  id: number,
  locale: Locale,
  { from, to }: { from?: number; to: number },
): Promise<void> {
  const others = trx.updateTable('document_texts').set({ follows: to }).where('document_id', '=', id);
  const following = others.where('locale', '<>', locale).where('follows', 'is not', null);
  await (from === undefined ? following : following.where('follows', '=', from)).execute();
}
