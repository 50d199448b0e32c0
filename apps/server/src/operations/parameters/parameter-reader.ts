import { readsToStart } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import type { CommandSender } from '../commands/send-command.ts';

const ROUND_MS = 1_000;

/** Who requests commands that nobody requested: no name. */
const SYSTEM_USER = { userId: null, userName: '' };

/**
 * Reads the parameters of devices after their first connection and after each boot, a few devices at a time. Devices on
 * MQTT report their parameters by themselves. A device that does not answer is asked again after its next boot.
 */
export function parameterReader(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  sendFor: CommandSender['sendFor'];
  /** IDs of connected devices whose parameters are due, at most `limit`, each returned once */
  claimUnread(limit: number): Promise<number[]>;
  /** how long the oldest report of a device has waited to be stored (ms) */
  delayMs(): number;
}): ScheduledJob {
  const { db, clock, log, sendFor, claimUnread, delayMs } = parts;
  return clock.repeat(
    async () => {
      const room = readsToStart({ inFlight: await readsInFlight(db), delayMs: delayMs() });
      if (room === 0) return;
      const devices = await claimUnread(room);
      await Promise.all(
        devices.map((deviceId) =>
          sendFor(deviceId, { kind: 'refreshParameters', connector: 0, params: {} }, SYSTEM_USER),
        ),
      );
    },
    {
      job: 'parameterReading',
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
     where e.state <> 'ended' and c.kind = 'refreshParameters' and c.requested_by_name = ''`.execute(db);
  return rows[0]?.count ?? 0;
}
