import type { Pool } from 'pg';

/** Adds a document that explains a key, for all device models or for one. @returns its id */
export async function addExplanation(
  pool: Pool,
  { type, key, model = null, readLevel = 5 }: { type: number; key: string; model?: string | null; readLevel?: number },
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with category as (
       insert into document_categories (parent_id, position, name_en, name_zh)
       select null, count(*), 'Test ' || count(*), '测试' || count(*) from document_categories returning id),
     document as (
       insert into documents (name, type, category_id, read_level, write_level, created_by_name, updated_by_name)
       select concat_ws(' ', $2::text, $3::text), $1, id, $4, 0, 'test', 'test' from category returning id)
     insert into document_bindings (document_id, type, key, device_model_id)
     select document.id, $1, $2, (select id from device_models where name = $3) from document
     returning document_id as id`,
    [type, key, model, readLevel],
  );
  return rows[0]!.id;
}
