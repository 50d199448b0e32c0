import { READ_AFTER_BOOT_MS } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/**
 * Marks at most `limit` connected OCPP devices whose parameters were not requested since their last boot, and returns
 * their IDs. Each device is returned once. Devices with commands in progress are left for later.
 */
export async function claimUnreadDevices(db: Kysely<Database>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update device_states s set parameters_asked_at = clock_timestamp()
      from (
        select s.device_id from device_states s
          join devices d on d.id = s.device_id join sites p on p.id = d.site_id join customers o on o.id = d.customer_id
         where s.connected and (s.parameters_asked_at is null or s.parameters_asked_at < s.booted_at)
           and s.protocol like 'ocpp%' and d.enabled and p.enabled and o.enabled
           and greatest(s.booted_at, s.connected_at) < now() - make_interval(secs => ${READ_AFTER_BOOT_MS / 1_000})
           and not exists (select from executions e where e.device_id = s.device_id and e.state in ('queued', 'sent'))
         order by s.connected_at limit ${limit}
           for update of s skip locked
      ) due
     where s.device_id = due.device_id
    returning s.device_id as id`.execute(db);
  return rows.map(({ id }) => id);
}
