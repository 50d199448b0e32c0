import { type Kysely, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';

/** A name under which devices report themselves, and the model it stands for. */
export interface AliasValues {
  vendor: string;
  model: string;
  deviceModelId: number;
}

export interface AliasRecord extends AliasValues {
  id: number;
  deviceModelName: string;
  createdAt: Date;
}

const ALIAS = sql`
  a.id, a.vendor, a.model, a.device_model_id as "deviceModelId", m.name as "deviceModelName", a.created_at as "createdAt"`;

/** One page of the matching aliases, and the total number. */
export async function listAliases(
  db: Kysely<Database>,
  filters: { search: string | undefined; deviceModelId: number | undefined },
  order: { by: 'name' | 'createdAt'; descending: boolean },
  page: { limit: number; offset: number },
): Promise<{ items: AliasRecord[]; total: number }> {
  const { search, deviceModelId } = filters;
  const found = sql<SqlBool>`
    ${search === undefined ? sql`true` : sql`(a.vendor || ' ' || a.model || ' ' || m.name) ilike ${anywhere(search)}`}
    and ${deviceModelId === undefined ? sql`true` : sql`a.device_model_id = ${deviceModelId}`}`;
  const direction = order.descending ? sql`desc` : sql`asc`;
  const columns =
    order.by === 'name'
      ? sql`${naturally(sql`a.vendor`)} ${direction}, ${naturally(sql`a.model`)} ${direction}`
      : sql`a.created_at ${direction}`;
  const from = sql`device_model_aliases a join device_models m on m.id = a.device_model_id`;
  const [items, totals] = await Promise.all([
    sql<AliasRecord>`
      select ${ALIAS} from ${from} where ${found}
       order by ${columns}, a.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${from} where ${found}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

export async function lockAlias(trx: Kysely<Database>, id: number): Promise<AliasRecord | null> {
  const { rows } = await sql<AliasRecord>`
    select ${ALIAS} from device_model_aliases a join device_models m on m.id = a.device_model_id
     where a.id = ${id} for update of a`.execute(trx);
  return rows[0] ?? null;
}

/** @throws unique violation `device_model_aliases_name`, foreign key violation when the model was deleted */
export async function insertAlias(trx: Kysely<Database>, values: AliasValues): Promise<number> {
  const { id } = await trx
    .insertInto('device_model_aliases')
    .values({ vendor: values.vendor, model: values.model, device_model_id: values.deviceModelId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @throws like `insertAlias` */
export async function updateAlias(trx: Kysely<Database>, id: number, values: AliasValues): Promise<void> {
  await trx
    .updateTable('device_model_aliases')
    .set({ vendor: values.vendor, model: values.model, device_model_id: values.deviceModelId })
    .where('id', '=', id)
    .execute();
}

export async function deleteAlias(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('device_model_aliases').where('id', '=', id).execute();
}

/** The names that waiting devices report and that have no alias. There are at most 10,000 waiting devices. */
export async function unmatchedNames(db: Kysely<Database>, most: number) {
  const { rows } = await sql<{ vendor: string; model: string; devices: number; lastSeenAt: Date }>`
    select b.vendor, b.model, count(*) as devices, max(b.last_attempt_at) as "lastSeenAt"
      from blacklist_entries b
     where b.vendor is not null and b.model is not null and not exists (
       select from device_model_aliases a where lower(a.vendor) = lower(b.vendor) and lower(a.model) = lower(b.model)
     )
     group by b.vendor, b.model order by devices desc, ${naturally(sql`b.vendor`)}, ${naturally(sql`b.model`)} limit ${most}`.execute(
    db,
  );
  return rows;
}
