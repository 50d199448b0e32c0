import { areLeftConnectionsOver, LEFT_CHECK_MS } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { claimLeftNode, listLeftNodes } from '../../platform/nodes/nodes.store.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import type { Events } from '../../ports/events.ts';
import { updateDeviceStatuses } from './device-status.ts';
import { endConnectionsOf } from './left-devices.store.ts';

/** The close reason of a connection that an ended process left open. */
const DETAIL = 'the server stopped';

/**
 * Disconnects devices that an ended process left and that have not returned, with their events and statuses. Runs in
 * every process with gateways; each ended process is handled by one of them.
 */
export function leftDevices(parts: { pool: Pool; events: Events; clock: Clock; log: Log }): ScheduledJob {
  const { pool, events, clock, log } = parts;
  const seen = new Map<number, number>();
  let here = 0;
  return clock.repeat(
    async () => {
      here += 1;
      const left = await listLeftNodes(pool);
      for (const epoch of seen.keys()) if (!left.some((node) => node.epoch === epoch)) seen.delete(epoch);
      for (const { epoch, reason } of left) {
        const rounds = (seen.get(epoch) ?? -1) + 1;
        seen.set(epoch, rounds);
        if (!areLeftConnectionsOver(reason, { seen: rounds, here })) continue;
        const devices = await disconnect(pool, epoch);
        for (const id of devices) events.publish(['device.state', 'device.events', 'device.alarms'], { id });
        if (devices.length > 0) log.info({ epoch, devices: devices.length }, 'devices did not return to any process');
      }
    },
    { job: 'leftConnections', everyMs: LEFT_CHECK_MS, log, failed: 'devices of ended processes could not be checked' },
  );
}

async function disconnect(pool: Pool, epoch: number): Promise<number[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const devices = (await claimLeftNode(client, epoch)) ? await endConnectionsOf(client, String(epoch), DETAIL) : [];
    await updateDeviceStatuses(client, devices);
    await client.query('commit');
    return devices;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
