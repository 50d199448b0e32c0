import { READ_AFTER_BOOT_MS, readsToStart } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import type { CommandsService } from '../commands/commands.service.ts';

const ROUND_MS = 1_000;

/** Who requests commands that nobody requested: no name. */
const NOBODY = { userId: null, userName: '' };

/**
 * Reads the parameters of devices after their first connection and after each boot, a few devices at a time. Devices on
 * MQTT report their parameters by themselves. A device that does not answer is asked again after its next boot.
 */
export function parameterReader(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  ask: CommandsService['ask'];
  /** how long the oldest report of a device has waited to be stored (ms) */
  delayMs(): number;
}): ScheduledJob {
  const { db, clock, log, ask, delayMs } = parts;
  return clock.repeat(
    async () => {
      const room = readsToStart({ inFlight: await readsInFlight(db), delayMs: delayMs() });
      if (room === 0) return;
      const devices = await claimUnread(db, room);
      await Promise.all(
        devices.map((deviceId) => ask(deviceId, { kind: 'refreshParameters', connector: 0, params: {} }, NOBODY)),
      );
    },
    {
      everyMs: ROUND_MS,
      log,
      failed: 'the parameters of devices that booted could not be requested; trying again every second',
      again: 'the parameters of devices that booted are requested again',
    },
  );
}

/** Reads that nobody requested and that devices have not answered yet. */
async function readsInFlight(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from executions e join commands c on c.id = e.command_id
     where e.state in ('queued', 'sent') and c.kind = 'refreshParameters' and c.requested_by_name = ''`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Devices that have booted since they were last read, or were never read; each is taken by one node. */
async function claimUnread(db: Kysely<Database>, limit: number): Promise<number[]> {
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
