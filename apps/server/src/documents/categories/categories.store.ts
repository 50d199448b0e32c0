import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { type Reader, readable } from '../pages/pages.store.ts';

export interface CategoryRecord {
  id: number;
  parentId: number | null;
  nameEn: string;
  nameZh: string;
}

/** All categories in their order, with the number of documents that a reader sees. */
export async function listCategories(db: Kysely<Database>, reader: Reader) {
  const { rows } = await sql<CategoryRecord & { documents: number }>`
    select c.id, c.parent_id as "parentId", c.name_en as "nameEn", c.name_zh as "nameZh",
           (select count(*) from documents d where d.category_id = c.id and ${readable(reader)}) as documents
      from document_categories c order by c.parent_id nulls first, c.position, c.id`.execute(db);
  return rows;
}

/**
 * All categories, locked against other changes of the tree: moving two categories below each other at the same time
 * would make a loop.
 */
export async function lockCategories(trx: Kysely<Database>): Promise<(CategoryRecord & { position: number })[]> {
  await sql`lock table document_categories in share row exclusive mode`.execute(trx);
  const { rows } = await sql<CategoryRecord & { position: number }>`
    select id, parent_id as "parentId", name_en as "nameEn", name_zh as "nameZh", position from document_categories
     order by position, id`.execute(trx);
  return rows;
}

export async function categoryExists(db: Kysely<Database>, id: number): Promise<boolean> {
  const row = db.selectFrom('document_categories').select('id').where('id', '=', id);
  return (await row.executeTakeFirst()) !== undefined;
}

/** Gives the categories their positions in this order. */
export async function storeOrder(trx: Kysely<Database>, parentId: number | null, ids: readonly number[]) {
  await sql`
    update document_categories c set parent_id = ${parentId}, position = o.position
      from unnest(${ids}::int[]) with ordinality as o (id, position) where c.id = o.id`.execute(trx);
}

/** Deletes a category; false when it has documents or subcategories. */
export async function deleteEmptyCategory(trx: Kysely<Database>, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from document_categories c
     where id = ${id} and not exists (select from documents d where d.category_id = c.id)
       and not exists (select from document_categories below where below.parent_id = c.id)`.execute(trx);
  return numAffectedRows === 1n;
}

interface CategoryNames {
  name_en: string;
  name_zh: string;
}

/** @returns the ID */
export async function insertCategory(
  trx: Kysely<Database>,
  values: CategoryNames & { parent_id: number | null; position: number },
): Promise<number> {
  const row = trx.insertInto('document_categories').values(values).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

export async function renameCategory(trx: Kysely<Database>, id: number, names: CategoryNames): Promise<void> {
  await trx.updateTable('document_categories').set(names).where('id', '=', id).execute();
}
