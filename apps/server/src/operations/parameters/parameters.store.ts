import type { Level, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { idArray } from '../../platform/database/scope.ts';
import { duringStayInScope } from '../../ports/devices/device-scope.ts';

/** A previous value of a parameter. */
export interface StoredValue {
  id: number;
  key: string;
  value: string | null;
  at: Date;
  source: string;
  changedBy: string | null;
  executionId: string | null;
}

/**
 * Previous values of a device's parameters, newest first: of one key (in any case), or of all.
 * @param before only rows with a smaller id
 */
export async function listStoredValues(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  filters: { key: string | undefined; before: number | undefined; limit: number },
): Promise<StoredValue[]> {
  const { key, before, limit } = filters;
  const { rows } = await sql<StoredValue>`
    select h.id, h.key, h.value, h.at, h.source, h.changed_by as "changedBy", e.id as "executionId"
      from parameter_history h left join executions e on e.id = h.execution_id and e.device_id = h.device_id
     where h.device_id = ${deviceId} and ${duringStayInScope(scope, deviceId, 'h.at')}
       and ${key === undefined ? sql`true` : sql`lower(h.key) = lower(${key})`}
       and ${before === undefined ? sql`true` : sql`h.id < ${before}`}
     order by h.id desc limit ${limit}`.execute(db);
  return rows;
}

/** A baseline as the list shows it. */
export interface BaselineRecord {
  id: number;
  deviceModelId: number;
  customerId: number | null;
  customerName: string | null;
  /** the site whose users have it; null: those of all sites of the customer */
  siteId: number | null;
  siteName: string | null;
  name: string;
  deviceName: string;
  values: number;
  createdBy: string;
  createdAt: Date;
  /** the levels that the model requires for setting parameters */
  writeLevel: Level;
}

const BASELINE = sql`
  b.id, b.device_model_id as "deviceModelId", b.customer_id as "customerId", c.name as "customerName", b.site_id as "siteId",
  s.name as "siteName", b.name,
  b.device_name as "deviceName", b.created_by as "createdBy", b.created_at as "createdAt",
  m.parameter_write_level as "writeLevel",
  (select count(*) from parameter_baseline_values v where v.baseline_id = b.id) as values`;
const FROM = sql`
  parameter_baselines b join device_models m on m.id = b.device_model_id left join customers c on c.id = b.customer_id
  left join sites s on s.id = b.site_id`;

/** The baselines in a scope: those of the platform, and those of its customers, for all sites or one of its sites. */
function reached({ customers, sites }: Scope) {
  const byCustomer =
    customers === 'all' ? sql`true` : sql`(b.customer_id is null or b.customer_id = any(${idArray(customers)}))`;
  const bySite = sites === 'all' ? sql`true` : sql`(b.site_id is null or b.site_id = any(${idArray(sites)}))`;
  return sql`${byCustomer} and ${bySite}`;
}

/** One page of the baselines of a model in a scope, and their total number. */
export async function listBaselines(
  scope: Scope,
  db: Kysely<Database>,
  filters: { deviceModelId: number; search: string | undefined },
  order: { by: 'name' | 'createdAt'; descending: boolean },
  page: { limit: number; offset: number },
): Promise<{ items: BaselineRecord[]; total: number }> {
  const found = sql`
    b.device_model_id = ${filters.deviceModelId} and ${reached(scope)}
    and ${filters.search === undefined ? sql`true` : sql`strpos(lower(b.name), lower(${filters.search})) > 0`}`;
  const direction = order.descending ? sql`desc` : sql`asc`;
  const column = order.by === 'name' ? naturally(sql`b.name`) : sql`b.created_at`;
  const [items, totals] = await Promise.all([
    sql<BaselineRecord>`
      select ${BASELINE} from ${FROM} where ${found}
       order by ${column} ${direction}, b.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from parameter_baselines b where ${found}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** A baseline in a scope; null when there is none. `lock` locks it until the end of the transaction. */
export async function findBaseline(
  scope: Scope,
  db: Kysely<Database>,
  id: number,
  lock: 'none' | 'update' = 'none',
): Promise<BaselineRecord | null> {
  const held = lock === 'update' ? sql`for update of b` : sql``;
  const { rows } = await sql<BaselineRecord>`
    select ${BASELINE} from ${FROM} where b.id = ${id} and ${reached(scope)} ${held}`.execute(db);
  return rows[0] ?? null;
}

/** The values of a baseline, by key. */
export async function baselineValues(db: Kysely<Database>, id: number): Promise<{ key: string; value: string }[]> {
  return db
    .selectFrom('parameter_baseline_values')
    .select(['key', 'value'])
    .where('baseline_id', '=', id)
    .orderBy(naturally(sql.ref('key')))
    .execute();
}

/** @throws unique violation `parameter_baselines_name` */
export async function insertBaseline(
  trx: Kysely<Database>,
  baseline: Pick<BaselineRecord, 'deviceModelId' | 'customerId' | 'siteId' | 'name' | 'deviceName' | 'createdBy'>,
  values: readonly { key: string; value: string }[],
): Promise<number> {
  const { id } = await trx
    .insertInto('parameter_baselines')
    .values({
      device_model_id: baseline.deviceModelId,
      customer_id: baseline.customerId,
      site_id: baseline.siteId,
      name: baseline.name,
      device_name: baseline.deviceName,
      created_by: baseline.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into parameter_baseline_values (baseline_id, key, value)
    select ${id}, k, v from unnest(${values.map(({ key }) => key)}::text[], ${values.map(({ value }) => value)}::text[])
      as u (k, v)`.execute(trx);
  return id;
}

/** @throws unique violation `parameter_baselines_name` */
export async function renameBaseline(trx: Kysely<Database>, id: number, name: string): Promise<void> {
  await trx.updateTable('parameter_baselines').set({ name }).where('id', '=', id).execute();
}

export async function deleteBaseline(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('parameter_baselines').where('id', '=', id).execute();
}
