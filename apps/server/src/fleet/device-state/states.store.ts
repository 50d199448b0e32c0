import type { Query } from '../../platform/database/statement.ts';
import { numberArray, type Statement, timeArray } from '../../platform/database/statement.ts';
import { storableJson, storableText } from '../../platform/database/storable.ts';
import { type Item, lastOfEach, type Sorted } from '../../ports/uplink-items.ts';
import { storeMessageFaults } from './message-faults.store.ts';

/** Stores what devices reported last: their boot, clock and software. */
export async function storeStates(client: Query, sorted: Sorted): Promise<void> {
  await storeBoots(client, sorted.booted);
  await storeClocks(client, sorted.clock);
  await storeMessageFaults(client, sorted.messageFault);
  await storeProgress(client, 'firmware_status', sorted.firmwareStatus);
  await storeProgress(client, 'diagnostics_status', sorted.diagnosticsStatus);
}

async function storeBoots(client: Query, items: readonly Item<'booted'>[]): Promise<void> {
  if (items.length === 0) return;
  // A boot counts more than what only repeats one.
  const sorted = items.toSorted((a, b) => Number(!a.event.triggered) - Number(!b.event.triggered));
  const last = lastOfEach(sorted, (item) => item.deviceId);
  const devices = last.map((item) => item.deviceId);
  await client.query({
    name: 'ingest_boots',
    // A repeated version is only a boot if it is another one.
    text: `update device_states s set boot = r.boot::jsonb, booted_at = case
        when r.repeated and s.booted_at is not null and (r.version is null or r.version = d.soft_version) then s.booted_at
        else r.t end
      from unnest($1::int[], $2::timestamptz[], $3::text[], $4::boolean[], $5::text[]) as r (d, t, boot, repeated, version)
      join devices d on d.id = r.d where s.device_id = r.d`,
    values: [
      devices,
      last.map((item) => item.event.at),
      last.map((item) => storableJson(item.event.boot)),
      last.map((item) => item.event.triggered === true),
      last.map((item) => storableText(item.event.softVersion, 100)),
    ],
  });
  const versions = last.filter((item) => item.event.softVersion !== null);
  if (versions.length === 0) return;
  await client.query({
    name: 'ingest_versions',
    // Rows of `devices` are locked in the order of their ids wherever many are written, so that two writers cannot
    // deadlock.
    text: `with r as (
        select d.id, v.version from devices d join unnest($1::int[], $2::text[]) as v (d, version) on d.id = v.d
        where d.soft_version <> v.version order by d.id for no key update of d)
      update devices d set soft_version = r.version from r where d.id = r.id`,
    values: [versions.map((item) => item.deviceId), versions.map((item) => storableText(item.event.softVersion, 100))],
  });
}

async function storeClocks(client: Query, items: readonly Item<'clock'>[]): Promise<void> {
  if (items.length === 0) return;
  const last = lastOfEach(items, (item) => item.deviceId);
  await client.query({
    name: 'ingest_clocks',
    text: `update device_states s set clock_skew_ms = r.skew from unnest($1::int[], $2::bigint[]) as r (d, skew)
      where s.device_id = r.d`,
    values: [last.map((item) => item.deviceId), last.map((item) => Math.round(item.event.skewMs))],
  });
}

async function storeProgress(
  client: Query,
  column: 'firmware_status' | 'diagnostics_status',
  items: readonly (Item<'firmwareStatus'> | Item<'diagnosticsStatus'>)[],
): Promise<void> {
  if (items.length === 0) return;
  const last = lastOfEach(items, (item) => item.deviceId);
  await client.query({
    name: `ingest_${column}`,
    text: `update device_states s set ${column} = r.status from unnest($1::int[], $2::text[]) as r (d, status)
      where s.device_id = r.d`,
    values: [last.map((item) => item.deviceId), last.map((item) => storableText(item.event.status, 64))],
  });
}

/** Stores when devices last sent a message. */
export function lastSeenStatements(frames: readonly Item<'frame'>[]): Statement[] {
  const seen = new Map<number, Date>();
  for (const { deviceId, event } of frames) if (event.type === 'receive') seen.set(deviceId, event.at);
  if (seen.size === 0) return [];
  return [
    {
      name: 'last_seen',
      text: `insert into device_states as s (device_id, last_seen_at)
        select d, to_timestamp(t / 1000) from unnest($1::int[], $2::float8[]) as r (d, t)
        on conflict (device_id) do update set last_seen_at = excluded.last_seen_at`,
      values: [numberArray([...seen.keys()]), timeArray([...seen.values()])],
    },
  ];
}
