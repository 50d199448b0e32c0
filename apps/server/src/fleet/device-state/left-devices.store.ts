import { OFFLINE_GRACE_MS } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';

/**
 * Ends all connections of a process and opens their device events. Returns the devices, including those whose stored
 * status still claims a connection that does not exist.
 */
export async function endConnectionsOf(client: Query, node: string, detail: string): Promise<number[]> {
  const { rows } = await client.query<{ device_id: number }>({
    text: `with ended as (
        update device_states s set connected = false, disconnected_at = now(), disconnect_reason = 'networkTimeout',
          disconnect_detail = $2, offline_due_at = now() + make_interval(secs => $3::float8 / 1000),
          total_runtime_seconds = s.total_runtime_seconds
            + greatest(0, extract(epoch from coalesce(s.last_seen_at, s.connected_at) - s.connected_at))::bigint
        where s.connected and s.node = $1 returning s.device_id
      ), events as (
        insert into device_events (device_id, connector, type, at, code, detail, source)
        select device_id, 0, 0, now(), 'networkTimeout', $2, 'line' from ended on conflict do nothing
      )
      select device_id from ended
      union
      select d.device_id from device_status d left join device_states s on s.device_id = d.device_id
      where d.status in ('idle', 'working', 'faulted', 'firmwareUpdate') and not coalesce(s.connected, false)`,
    values: [node, detail, OFFLINE_GRACE_MS],
  });
  return rows.map((row) => row.device_id);
}
