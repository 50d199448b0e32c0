import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { type LockedDevice, lockDevice } from './devices.store.ts';

/** The device in scope, locked for this transaction. */
export async function requireEditable(trx: Kysely<Database>, caller: Caller, id: number): Promise<LockedDevice> {
  const device = await lockDevice(caller.scope, trx, id);
  if (!device) throw notFound('device');
  return device;
}

/** The fields that every entry of the action log has for a device. */
export function entryOf<O extends string>(device: LockedDevice, operation: O) {
  return {
    operation,
    objectType: 'device' as const,
    objectId: String(device.id),
    objectName: device.name,
    customerId: device.customerId,
    siteId: device.siteId,
  };
}
