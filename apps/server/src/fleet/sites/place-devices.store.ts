import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { updateDeviceStatuses } from '../device-state/device-status.ts';

/**
 * Updates the statuses of devices after a user changed what decides them. `trx` is the transaction of the change. It
 * locks the devices, so that a report of a device that is stored meanwhile does not undo the change.
 */
export async function deriveStatuses(trx: Kysely<Database>, deviceIds: readonly number[]): Promise<void> {
  await sql`
    select id from devices where id = any(${[...deviceIds]}::int[]) order by id for no key update`.execute(trx);
  await updateDeviceStatuses(
    {
      async query<Row>(config: { text: string; values: unknown[] }) {
        return await trx.executeQuery<Row>(CompiledQuery.raw(config.text, config.values));
      },
    },
    deviceIds,
  );
}

/** Locks the sites of a customer, so that no device is added to them until the end of the transaction. */
export async function lockSitesOf(trx: Kysely<Database>, customerId: number): Promise<void> {
  await sql`select id from sites where customer_id = ${customerId} order by id for update`.execute(trx);
}

/** The devices of a site or of a customer whose sites the transaction has locked. */
export async function listDevicesOf(
  trx: Kysely<Database>,
  place: { siteId: number } | { customerId: number },
): Promise<number[]> {
  const which = 'siteId' in place ? sql`site_id = ${place.siteId}` : sql`customer_id = ${place.customerId}`;
  const { rows } = await sql<{ id: number }>`select id from devices where ${which} order by id`.execute(trx);
  return rows.map(({ id }) => id);
}
