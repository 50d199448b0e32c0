import type { FirmwareKind } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { ListOrder } from '../../platform/http/serve/list-queries.ts';
import type { Signing } from './signing.ts';

export interface FirmwareRecord {
  id: number;
  kind: FirmwareKind;
  version: string;
  fileName: string;
  size: number;
  sha256: string;
  note: string;
  signedBy: string | null;
  signedUntil: Date | null;
  uploadedBy: string;
  uploadedAt: Date;
  models: { id: number; name: string }[];
  underWay: number;
}

export interface FirmwareFilters {
  search?: string | undefined;
  kind?: FirmwareKind | undefined;
  deviceModelId?: number | undefined;
}

/** A page of the files, and their total number. */
export async function listFirmware(
  db: Kysely<Database>,
  filters: FirmwareFilters,
  order: ListOrder<'uploadedAt' | 'version'>,
  page: { limit: number; offset: number },
): Promise<{ items: FirmwareRecord[]; total: number }> {
  const where = conditions(filters);
  const direction = order.descending ? sql`desc` : sql`asc`;
  const by = order.by === 'version' ? naturally(sql`f.version`) : sql`f.uploaded_at`;
  const { rows } = await sql<FirmwareRecord>`
    select f.id, f.kind, f.version, f.file_name as "fileName", f.size, f.sha256, f.note,
           f.signed_by as "signedBy", f.signed_until as "signedUntil", f.uploaded_by_name as "uploadedBy", f.uploaded_at as "uploadedAt",
           (select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name) order by ${naturally(sql`m.name`)}), '[]')
              from firmware_models fm join device_models m on m.id = fm.device_model_id
             where fm.firmware_id = f.id) as models,
           (select count(*) from transfers t where t.firmware_id = f.id and t.ended_at is null) as "underWay"
      from firmware_files f where ${where}
     order by ${by} ${direction}, f.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from firmware_files f where ${where}`.execute(
    db,
  );
  return { items: rows, total: counted.rows[0]!.total };
}

function conditions({ search, kind, deviceModelId }: FirmwareFilters): RawBuilder<unknown> {
  const parts = [
    sql`true`,
    ...(kind === undefined ? [] : [sql`f.kind = ${kind}`]),
    ...(search === undefined
      ? []
      : [sql`position(lower(${search}) in lower(f.version || ' ' || f.file_name || ' ' || f.note)) > 0`]),
    ...(deviceModelId === undefined
      ? []
      : [
          sql`exists (select from firmware_models fm where fm.firmware_id = f.id and fm.device_model_id = ${deviceModelId})`,
        ]),
  ];
  return sql.join(parts, sql` and `);
}

/** The details of a file and its location. */
export interface StoredFirmware {
  id: number;
  kind: FirmwareKind;
  version: string;
  fileName: string;
  objectKey: string;
  size: number;
  sha256: string;
  note: string;
  /** the signature of its manufacturer */
  signing: Signing | null;
  deviceModelIds: number[];
}

/** A file, locked until the end of the transaction when it will be changed. */
export async function findFirmware(
  db: Kysely<Database>,
  id: number,
  lock: 'update' | 'none' = 'none',
): Promise<StoredFirmware | null> {
  const { rows } = await sql<StoredFirmwareRow>`
    select f.id, f.kind, f.version, f.file_name as "fileName", f.object_key as "objectKey", f.size, f.sha256, f.note,
           ${SIGNING}, array(select device_model_id from firmware_models where firmware_id = f.id order by 1) as "deviceModelIds"
      from firmware_files f where f.id = ${id} ${lock === 'update' ? sql`for update of f` : sql``}`.execute(db);
  return storedFirmwareOf(rows[0]);
}

type StoredFirmwareRow = Omit<StoredFirmware, 'signing'> & { [K in keyof Signing]: Signing[K] | null };

const SIGNING = sql`f.signing_certificate as certificate, f.signature, f.signed_by as "signedBy",
           f.signed_until as "signedUntil"`;

function storedFirmwareOf(row: StoredFirmwareRow | undefined): StoredFirmware | null {
  if (!row) return null;
  const { certificate, signature, signedBy, signedUntil, ...file } = row;
  const signed = certificate !== null && signature !== null && signedBy !== null && signedUntil !== null;
  return { ...file, signing: signed ? { certificate, signature, signedBy, signedUntil } : null };
}

export async function insertFirmware(
  trx: Kysely<Database>,
  file: Omit<StoredFirmware, 'id'>,
  by: { userId: number; userName: string },
): Promise<number> {
  const { id } = await trx
    .insertInto('firmware_files')
    .values({
      kind: file.kind,
      version: file.version,
      file_name: file.fileName,
      object_key: file.objectKey,
      size: file.size,
      sha256: file.sha256,
      note: file.note,
      ...signingColumns(file.signing),
      uploaded_by: by.userId,
      uploaded_by_name: by.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeModels(trx, id, file.deviceModelIds);
  return id;
}

export async function updateFirmware(
  trx: Kysely<Database>,
  id: number,
  values: { version: string; note: string; signing: Signing | null; deviceModelIds: number[] },
): Promise<void> {
  await trx
    .updateTable('firmware_files')
    .set({ version: values.version, note: values.note, ...signingColumns(values.signing) })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('firmware_models').where('firmware_id', '=', id).execute();
  await writeModels(trx, id, values.deviceModelIds);
}

/** @throws foreign key violation when a model does not exist */
async function writeModels(trx: Kysely<Database>, id: number, deviceModelIds: readonly number[]): Promise<void> {
  await sql`
    insert into firmware_models (firmware_id, device_model_id)
    select ${id}, unnest(${[...deviceModelIds]}::int[])`.execute(trx);
}

function signingColumns(signing: Signing | null) {
  return {
    signing_certificate: signing?.certificate ?? null,
    signature: signing?.signature ?? null,
    signed_by: signing?.signedBy ?? null,
    signed_until: signing?.signedUntil ?? null,
  };
}

/** True while a device is going to download a file. */
export async function isAwaited(db: Kysely<Database>, id: number): Promise<boolean> {
  const { rows } = await sql<{ awaited: boolean }>`
    select exists (select from transfers where firmware_id = ${id} and ended_at is null) as awaited`.execute(db);
  return rows[0]!.awaited;
}

/** @throws check violation `firmware_awaited` while a device is going to download it */
export async function deleteFirmware(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('firmware_files').where('id', '=', id).execute();
}

export interface ChoiceRecord {
  id: number;
  version: string;
  fileName: string;
  size: number;
  note: string;
  uploadedAt: Date;
}

/** The files that suit all of several devices: for their model, or for one that it inherits from; newest first. */
export async function firmwareFor(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  kind: FirmwareKind,
): Promise<ChoiceRecord[]> {
  const { rows } = await sql<ChoiceRecord>`
    ${modelsOf(deviceIds)}
    select f.id, f.version, f.file_name as "fileName", f.size, f.note, f.uploaded_at as "uploadedAt"
      from firmware_files f
     where f.kind = ${kind} and ${suitsAll}
     order by f.uploaded_at desc, f.id desc limit 100`.execute(db);
  return rows;
}

/**
 * A file for several devices. Its row is locked until the end of the transaction. Null when it does not suit all of
 * them.
 */
export async function shareFirmwareFor(
  trx: Kysely<Database>,
  deviceIds: readonly number[],
  kind: FirmwareKind,
  id: number,
): Promise<StoredFirmware | null> {
  const { rows } = await sql<StoredFirmwareRow>`
    ${modelsOf(deviceIds)}
    select f.id, f.kind, f.version, f.file_name as "fileName", f.object_key as "objectKey", f.size, f.sha256, f.note,
           ${SIGNING}, '{}'::int[] as "deviceModelIds"
      from firmware_files f
     where f.id = ${id} and f.kind = ${kind} and ${suitsAll}
       for key share of f`.execute(trx);
  return storedFirmwareOf(rows[0]);
}

/** The models of devices, each with all the models it inherits from. */
function modelsOf(deviceIds: readonly number[]): RawBuilder<unknown> {
  return sql`
    with recursive family (model, id) as (
      select device_model_id, device_model_id from devices where id = any(${[...deviceIds]}::int[])
      union
      select family.model, m.parent_id
        from device_models m join family on family.id = m.id where m.parent_id is not null
    )`;
}

/** The condition that the file `f` is for every model of `modelsOf`. */
const suitsAll = sql`
  (select count(distinct model) from family) = (
    select count(distinct family.model) from firmware_models fm join family on family.id = fm.device_model_id
     where fm.firmware_id = f.id)`;

/** The given keys that no file has. */
export async function unusedFirmwareKeys(db: Kysely<Database>, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${[...keys]}::text[]) key
     where not exists (select from firmware_files where object_key = key)`.execute(db);
  return rows.map(({ key }) => key);
}
