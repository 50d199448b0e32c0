import { type Level, type ModelProtocol, modelsWithChinese, type Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

/** The fields of a model itself that users edit. */
export interface ModelBase {
  name: string;
  type: number;
  parentId: number | null;
  vendor: string;
  sshSupport: boolean;
  webSupport: boolean;
  tolerant: boolean;
  protocol: ModelProtocol | null;
  connectorCount: number | null;
  silenceSeconds: number | null;
  imageKey: string | null;
  iconKey: string | null;
  parameterReadLevel: Level;
  parameterWriteLevel: Level;
  controlLevel: Level;
}

export interface ModelRecord extends ModelBase {
  id: number;
  parentName: string | null;
  version: number;
  changedBy: string;
  changedAt: Date;
}

const MODEL = sql`
  m.id, m.name, m.type, m.parent_id as "parentId", p.name as "parentName", m.vendor, m.ssh_support as "sshSupport",
  m.web_support as "webSupport", m.tolerant, m.protocol, m.connector_count as "connectorCount",
  m.silence_seconds as "silenceSeconds", m.image_key as "imageKey", m.icon_key as "iconKey",
  m.parameter_read_level as "parameterReadLevel", m.parameter_write_level as "parameterWriteLevel",
  m.control_level as "controlLevel", m.version, m.changed_by as "changedBy", m.changed_at as "changedAt"`;

/** One page of the matching device models, and the total number. Models belong to no customer, so there is no scope. */
export async function listDeviceModels(
  db: Kysely<Database>,
  filters: { id: number | undefined; search: string | undefined; type: number | undefined },
  order: { by: 'name' | 'changedAt'; descending: boolean },
  page: { limit: number; offset: number },
): Promise<{ items: ModelRecord[]; total: number }> {
  const { id, search, type } = filters;
  const found = sql`
    ${search === undefined ? sql`true` : sql`((m.name || ' ' || m.vendor) ilike ${anywhere(search)} or m.name = any(${modelsWithChinese(search)}::text[]))`}
    and ${type === undefined ? sql`true` : sql`m.type = ${type}`}
    and ${id === undefined ? sql`true` : sql`m.id = ${id}`}`;
  const direction = order.descending ? sql`desc` : sql`asc`;
  const column = order.by === 'name' ? naturally(sql`m.name`) : sql`m.changed_at`;
  const [items, totals] = await Promise.all([
    sql<ModelRecord>`
      select ${MODEL} from device_models m left join device_models p on p.id = m.parent_id where ${found}
       order by ${column} ${direction}, m.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from device_models m where ${found}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** One model; null when there is none. `lock` locks it until the end of the transaction. */
export async function findModel(
  db: Kysely<Database>,
  id: number,
  lock: 'none' | 'update' = 'none',
): Promise<ModelRecord | null> {
  const held = lock === 'update' ? sql`for update of m` : sql``;
  const { rows } = await sql<ModelRecord>`
    select ${MODEL} from device_models m left join device_models p on p.id = m.parent_id
     where m.id = ${id} ${held}`.execute(db);
  return rows[0] ?? null;
}

/** The model with this name, ignoring case. */
export async function findModelByName(db: Kysely<Database>, name: string): Promise<ModelRecord | null> {
  const { rows } = await sql<ModelRecord>`
    select ${MODEL} from device_models m left join device_models p on p.id = m.parent_id
     where lower(m.name) = lower(${name})`.execute(db);
  return rows[0] ?? null;
}

/** The name, type and levels of a model, as its versions store them. */
export async function snapshotBase(db: Kysely<Database>, id: number): Promise<Record<string, unknown>> {
  const { id: _, version: __, changedBy: ___, changedAt: ____, ...base } = (await findModel(db, id))!;
  return { ...base };
}

/** The number of devices in scope with a model. */
export async function countDevicesOf(scope: Scope, db: Kysely<Database>, id: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from devices
     where device_model_id = ${id} and ${withinScope(scope, 'customer_id', 'site_id')}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The model of a device in scope; null when there is no such device. */
export async function modelOfDevice(scope: Scope, db: Kysely<Database>, deviceId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select device_model_id as id from devices
     where id = ${deviceId} and ${withinScope(scope, 'customer_id', 'site_id')}`.execute(db);
  return rows[0]?.id ?? null;
}

/** The models that inherit from one directly, by name. */
export async function childrenOf(db: Kysely<Database>, id: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from device_models where parent_id = ${id} order by ${naturally(sql`name`)}`.execute(db);
  return rows;
}

/** @throws unique violation `device_models_name`, check violation `device_models_tree` */
export async function insertModel(trx: Kysely<Database>, base: ModelBase): Promise<number> {
  const { id } = await trx
    .insertInto('device_models')
    .values(columnsOf(base))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @throws unique violation `device_models_name`, check violation `device_models_tree` */
export async function updateModel(trx: Kysely<Database>, id: number, base: ModelBase): Promise<void> {
  await trx.updateTable('device_models').set(columnsOf(base)).where('id', '=', id).execute();
}

/** @throws foreign key violation while devices use it or models inherit from it */
export async function deleteModel(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('device_models').where('id', '=', id).execute();
}

function columnsOf(base: ModelBase) {
  return {
    name: base.name,
    type: base.type,
    parent_id: base.parentId,
    vendor: base.vendor,
    ssh_support: base.sshSupport,
    web_support: base.webSupport,
    tolerant: base.tolerant,
    protocol: base.protocol,
    connector_count: base.connectorCount,
    silence_seconds: base.silenceSeconds,
    image_key: base.imageKey,
    icon_key: base.iconKey,
    parameter_read_level: base.parameterReadLevel,
    parameter_write_level: base.parameterWriteLevel,
    control_level: base.controlLevel,
  };
}
