import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** A device whose connection has been lost for longer than the grace period. */
export interface LostDevice {
  deviceId: number;
  since: Date;
  detail: string | null;
  /** with its site and its customer */
  enabled: boolean;
  suppressed: boolean;
}

/**
 * Devices whose grace period has ended, locked until the end of the transaction. Those that another transaction has
 * locked, such as ingest, are left for the next round.
 */
export async function lockLostDevices(trx: Kysely<Database>, limit: number): Promise<LostDevice[]> {
  const { rows } = await sql<LostDevice>`
    select s.device_id as "deviceId", coalesce(s.disconnected_at, s.offline_due_at) as since,
           s.disconnect_detail as detail, d.enabled and site.enabled and customer.enabled as enabled,
           d.maintenance as suppressed
      from device_states s
      join devices d on d.id = s.device_id
      join sites site on site.id = d.site_id
      join customers customer on customer.id = d.customer_id
     where s.offline_due_at <= now() and not s.connected
     order by s.device_id limit ${limit} for update of s skip locked`.execute(trx);
  return rows;
}

/** Removes the pending alarms of devices, because they were raised or no longer apply. */
export async function endWait(trx: Kysely<Database>, deviceIds: readonly number[]): Promise<void> {
  await sql`
    update device_states set offline_due_at = null where device_id = any(${[...deviceIds]}::int[])`.execute(trx);
}

/** A transaction in the form that the stores of ingest use. */
export function queryOf(trx: Kysely<Database>) {
  return {
    async query<Row>(config: { text: string; values: unknown[] }) {
      return await trx.executeQuery<Row>(CompiledQuery.raw(config.text, config.values));
    },
  };
}
