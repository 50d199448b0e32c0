import { OFFLINE_GRACE_MS } from '@chargehand/domain';
import { clearOffline } from '../../alarms/index.ts';
import type { Query } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, rounds } from '../../ports/uplink-items.ts';

export type ConnectionItem = Item<'connected'> | Item<'disconnected'>;

/**
 * Stores whether devices are connected, and the device event of type 0 that a lost connection opens and the next one
 * closes. The end of a connection that a newer one has replaced changes nothing: the device was never offline.
 */
export async function storeConnections(client: Query, node: string, items: readonly ConnectionItem[]): Promise<void> {
  for (const round of rounds(items, (item) => item.deviceId)) {
    const began = round.filter((item): item is Item<'connected'> => item.event.kind === 'connected');
    const ended = round.filter((item): item is Item<'disconnected'> => item.event.kind === 'disconnected');
    if (began.length > 0) await storeConnected(client, node, began);
    if (ended.length > 0) await storeDisconnected(client, ended);
  }
}

async function storeConnected(client: Query, node: string, items: readonly Item<'connected'>[]): Promise<void> {
  const devices = items.map((item) => item.deviceId);
  const times = items.map((item) => item.event.at);
  await client.query({
    name: 'ingest_connected',
    text: `insert into device_states as s (device_id, connected, connection_id, node, protocol, remote_address, connected_at, last_seen_at)
      select d, true, c, $6, p, a, t, t from unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) as r (d, c, p, a, t)
      on conflict (device_id) do update set
        connected = true, connection_id = excluded.connection_id, node = excluded.node, protocol = excluded.protocol,
        remote_address = excluded.remote_address, connected_at = excluded.connected_at,
        last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
        offline_due_at = null,
        total_runtime_seconds = s.total_runtime_seconds + case when s.connected
          then greatest(0, extract(epoch from excluded.connected_at - s.connected_at))::bigint else 0 end`,
    values: [
      devices,
      items.map((item) => item.event.connectionId),
      items.map((item) => storableText(item.event.protocol, 32)),
      items.map((item) => storableText(item.event.remoteAddress, 64)),
      times,
      node,
    ],
  });
  await client.query({
    name: 'ingest_reconnected',
    text: `update device_events e set ended_at = greatest(e.at, r.t) from unnest($1::int[], $2::timestamptz[]) as r (d, t)
      where e.device_id = r.d and e.type = 0 and e.ended_at is null`,
    values: [devices, times],
  });
  await clearOffline(client, devices, times);
}

async function storeDisconnected(client: Query, items: readonly Item<'disconnected'>[]): Promise<void> {
  await client.query({
    name: 'ingest_disconnected',
    text: `with ended as (
        update device_states s set
          connected = false, disconnected_at = r.t, disconnect_reason = r.why, disconnect_detail = r.detail,
          offline_due_at = r.t + make_interval(secs => $6::float8 / 1000),
          total_runtime_seconds = s.total_runtime_seconds + greatest(0, extract(epoch from r.t - s.connected_at))::bigint
        from unnest($1::int[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[]) as r (d, c, t, why, detail)
        where s.device_id = r.d and s.connection_id = r.c and s.connected
        returning s.device_id, r.t, r.why, r.detail)
      insert into device_events (device_id, connector, type, at, code, detail, source)
      select device_id, 0, 0, t, why, detail, 'line' from ended on conflict do nothing`,
    values: [
      items.map((item) => item.deviceId),
      items.map((item) => item.event.connectionId),
      items.map((item) => item.event.at),
      items.map((item) => item.event.reason),
      items.map((item) => storableText(item.event.detail, 500)),
      OFFLINE_GRACE_MS,
    ],
  });
}
