import { type Item, type Query, rounds } from './batch.ts';
import { storableText } from './text.ts';

/** Keeps what devices told of their parameters: a complete list replaces the former one, a partial one adds to it. */
export async function storeParameters(client: Query, items: readonly Item<'parameters'>[]): Promise<void> {
  for (const round of rounds(items, (item) => item.deviceId)) {
    for (const { deviceId, event } of round) await storeOne(client, deviceId, event);
  }
}

async function storeOne(client: Query, deviceId: number, event: Item<'parameters'>['event']): Promise<void> {
  const entries = [...new Map(event.entries.map((entry) => [storableText(entry.key, 64), entry]))];
  const keys = entries.map(([key]) => key);
  if (event.complete) {
    await client.query({
      text: 'delete from device_parameters where device_id = $1 and key <> all ($2::text[])',
      values: [deviceId, keys],
    });
  } else if (event.unknownKeys.length > 0) {
    await client.query({
      text: 'delete from device_parameters where device_id = $1 and key = any ($2::text[])',
      values: [deviceId, event.unknownKeys.map((key) => storableText(key, 64))],
    });
  }
  if (keys.length === 0) return;
  await client.query({
    name: 'ingest_parameters',
    text: `insert into device_parameters (device_id, key, value, readonly, read_at)
      select $1, k, v, r, $5 from unnest($2::text[], $3::text[], $4::boolean[]) as u (k, v, r)
      on conflict (device_id, key) do update set value = excluded.value, readonly = excluded.readonly, read_at = excluded.read_at`,
    values: [
      deviceId,
      keys,
      entries.map(([, entry]) => storableText(entry.value, 4_000)),
      entries.map(([, entry]) => entry.readonly),
      event.at,
    ],
  });
}
