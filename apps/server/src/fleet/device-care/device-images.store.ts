import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { deviceInScope } from '../../ports/devices/device-scope.ts';

export interface DeviceImageRecord {
  id: number;
  key: string;
  addedAt: Date;
  addedBy: string;
}

/** The pictures of a device in scope, in order. */
export async function listImages(scope: Scope, db: Kysely<Database>, deviceId: number): Promise<DeviceImageRecord[]> {
  const { rows } = await sql<DeviceImageRecord>`
    select id, key, added_at as "addedAt", added_by_name as "addedBy" from device_images
     where device_id = ${deviceInScope(scope, deviceId)} order by position`.execute(db);
  return rows;
}

/** The pictures of a device that the transaction has locked. */
export async function imagesOfDevice(trx: Kysely<Database>, deviceId: number): Promise<{ id: number; key: string }[]> {
  return await trx
    .selectFrom('device_images')
    .select(['id', 'key'])
    .where('device_id', '=', deviceId)
    .orderBy('position')
    .execute();
}

/** The device in scope that a picture belongs to; null when there is none. */
export async function deviceOfImage(scope: Scope, db: Kysely<Database>, imageId: number): Promise<number | null> {
  const { rows } = await sql<{ deviceId: number }>`
    select i.device_id as "deviceId" from device_images i join devices d on d.id = i.device_id
     where i.id = ${imageId} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`.execute(db);
  return rows[0]?.deviceId ?? null;
}

/** Adds a picture at a position. */
export async function insertImage(
  trx: Kysely<Database>,
  image: { deviceId: number; key: string; position: number; addedBy: string },
): Promise<number> {
  const { deviceId, key, position, addedBy } = image;
  const row = { device_id: deviceId, key, position, added_by_name: addedBy };
  return (await trx.insertInto('device_images').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Puts all pictures of a device into the order of these ids. */
export async function orderImages(trx: Kysely<Database>, deviceId: number, ids: readonly number[]): Promise<void> {
  await sql`
    update device_images i set position = a.number
      from unnest(${[...ids]}::int[]) with ordinality as a (id, number)
     where i.id = a.id and i.device_id = ${deviceId}`.execute(trx);
}

export async function deleteImage(trx: Kysely<Database>, imageId: number): Promise<void> {
  await trx.deleteFrom('device_images').where('id', '=', imageId).execute();
}

export async function setImageKey(trx: Kysely<Database>, imageId: number, key: string): Promise<void> {
  await trx.updateTable('device_images').set({ key }).where('id', '=', imageId).execute();
}
