import type { Pool } from 'pg';
import { ONLY_NODE } from '../../platform/node.ts';
import { updateDeviceStatuses } from './device-status.ts';
import { endLinesOf } from './restart.store.ts';

/** What a connection that a former run left open is said to have ended with. */
const DETAIL = 'the server stopped';

/**
 * To be called before gateways open: every device that a former run of this node left connected is disconnected, with
 * its event and status, so that nothing claims to be online that is not. Gives back how many there were.
 */
export async function announceRestart(pool: Pool, node: string = ONLY_NODE): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const devices = await endLinesOf(client, node, DETAIL);
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
