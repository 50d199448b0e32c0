import type { AlarmCodeRow } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../platform/database/order/natural-order.ts';
import type { Database } from '../platform/database/schema.ts';

/** The names of the codes for a model: its own, and those for all models that it does not override. */
export async function listAlarmCodes(db: Kysely<Database>, modelId: number): Promise<AlarmCodeRow[]> {
  const { rows } = await sql<AlarmCodeRow>`
    select id, code, name_en as "nameEn", name_zh as "nameZh", kind, level, device_model_id is null as shared
      from (select distinct on (code) * from alarm_codes
             where device_model_id = ${modelId} or device_model_id is null
             order by code, device_model_id nulls last) c
     order by shared, ${naturally(sql`code`)}`.execute(db);
  return rows;
}

/** The name of a device model, locked until the end of the transaction; null when there is none. */
export async function lockModel(db: Kysely<Database>, id: number): Promise<string | null> {
  const model = await db.selectFrom('device_models').select('name').where('id', '=', id).forShare().executeTakeFirst();
  return model?.name ?? null;
}

/** Sets the name of a code for a model, replacing any previous one. Returns the id. */
export async function saveAlarmCode(
  db: Kysely<Database>,
  modelId: number,
  values: { code: string; name_en: string; name_zh: string; kind: string | null; level: string | null },
): Promise<number> {
  const { id } = await db
    .insertInto('alarm_codes')
    .values({ device_model_id: modelId, ...values })
    .onConflict((conflict) => conflict.columns(['device_model_id', 'code']).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Removes the name of a code for one model and returns it; null when there was none. */
export async function deleteAlarmCode(
  db: Kysely<Database>,
  id: number,
): Promise<{ code: string; modelId: number; model: string } | null> {
  const { rows } = await sql<{ code: string; modelId: number; model: string }>`
    delete from alarm_codes c using device_models m where c.id = ${id} and m.id = c.device_model_id
    returning c.code, m.id as "modelId", m.name as model`.execute(db);
  return rows[0] ?? null;
}

/** Sets the name of a code for all models that do not override it; null: it has none. */
export async function saveSharedName(
  db: Kysely<Database>,
  code: string,
  names: { nameEn: string; nameZh: string } | null,
): Promise<void> {
  if (names === null) {
    await db.deleteFrom('alarm_codes').where('device_model_id', 'is', null).where('code', '=', code).execute();
    return;
  }
  const columns = { name_en: names.nameEn, name_zh: names.nameZh };
  await db
    .insertInto('alarm_codes')
    .values({ device_model_id: null, code, kind: null, level: null, ...columns })
    .onConflict((conflict) => conflict.columns(['device_model_id', 'code']).doUpdateSet(columns))
    .execute();
}

/** The number of alarms with a code, counted up to a limit. */
export async function countAlarmsOfCode(db: Kysely<Database>, code: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from alarms where code = ${code} limit ${limit}) found`.execute(db);
  return rows[0]?.count ?? 0;
}
