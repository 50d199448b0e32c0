import type { Pool } from 'pg';
import { ONLY_NODE } from '../../platform/node.ts';
import { updateDeviceStatuses } from './device-status.ts';
import { endConnectionsOf } from './restart.store.ts';

/** The close reason of a connection that a previous run left open. */
const DETAIL = 'the server stopped';

/**
 * Call this before gateways open. Disconnects every device that a previous run of the server left connected, with its
 * event and status, so that no device is shown online by mistake. Returns their number.
 */
export async function announceRestart(pool: Pool, node: string = ONLY_NODE): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const devices = await endConnectionsOf(client, node, DETAIL);
    await updateDeviceStatuses(client, devices);
    await client.query('commit');
    return devices.length;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
