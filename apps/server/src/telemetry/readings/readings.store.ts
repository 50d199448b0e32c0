import { ROLLUPS } from '@chargehand/domain';
import { numberArray, type Statement, textArray, timeArray } from '../../platform/database/statement.ts';
import type { Item } from '../../ports/uplink-items.ts';
import { givesWay } from './latest.ts';
import type { LaidOut, LayoutIds } from './layouts.ts';

export interface LaidOutItem extends LaidOut {
  item: Item<'reading'>;
}

/**
 * Adds readings, one row each, except for those stored before. Marks their five minutes for the rollup, and updates the
 * latest row of their (device, connector, layout) if they are newer.
 */
export function readingStatements(layoutIds: LayoutIds, readings: readonly LaidOutItem[]): Statement[] {
  if (readings.length === 0) return [];
  const latest = newest(readings, layoutIds);
  return [
    {
      name: 'readings',
      text: `insert into readings (device_id, connector, at, received_at, layout_id, transaction_id, analog, counters)
        select d, n, to_timestamp(t / 1000), to_timestamp(g / 1000), l, x, a::real[], c::float8[]
        from unnest($1::int[], $2::int2[], $3::float8[], $4::float8[], $5::int[], $6::int[], $7::text[], $8::text[])
          as r (d, n, t, g, l, x, a, c)
        on conflict do nothing`,
      values: [
        numberArray(readings.map(({ item }) => item.deviceId)),
        numberArray(readings.map(({ item }) => item.event.connector)),
        timeArray(readings.map(({ item }) => item.event.at)),
        timeArray(readings.map(({ item }) => item.event.receivedAt)),
        numberArray(readings.map(({ layoutKey }) => layoutIds.get(layoutKey) ?? null)),
        numberArray(readings.map(({ item }) => item.event.transactionId)),
        textArray(readings.map(({ analog }) => numberArray(analog))),
        textArray(readings.map(({ counters }) => numberArray(counters))),
      ],
    },
    markStatement(readings),
    {
      name: 'latest_readings_now',
      text: `insert into latest_readings as k (device_id, connector, layout_id, at, analog, counters)
        select d, n, l, to_timestamp(t / 1000), a::real[], c::float8[]
        from unnest($1::int[], $2::int2[], $3::int[], $4::float8[], $5::text[], $6::text[]) as r (d, n, l, t, a, c)
        on conflict (device_id, connector, layout_id) do update set
          at = excluded.at, analog = excluded.analog, counters = excluded.counters
        where ${givesWay('k', '$7')}`,
      values: [
        numberArray(latest.map(({ item }) => item.deviceId)),
        numberArray(latest.map(({ item }) => item.event.connector)),
        numberArray(latest.map(({ layoutKey }) => layoutIds.get(layoutKey) ?? null)),
        timeArray(latest.map(({ item }) => item.event.at)),
        textArray(latest.map(({ analog }) => numberArray(analog))),
        textArray(latest.map(({ counters }) => numberArray(counters))),
        Date.now(),
      ],
    },
  ];
}

/**
 * The buckets of the finest rollup. Midnight of the time zone is a boundary between two of them, as of any two quarters
 * of an hour.
 */
const MARKED_MS = ROLLUPS.fiveMinutes * 1_000;

/**
 * Stores with the readings which five minutes have new ones. Rows are only added: no batch waits for another or for the
 * worker, and when a mark is visible, its readings are visible too.
 */
function markStatement(readings: readonly LaidOutItem[]): Statement {
  const marks = new Map<string, { deviceId: number; at: number }>();
  for (const { item } of readings) {
    const at = Math.floor(item.event.at.getTime() / MARKED_MS) * MARKED_MS;
    marks.set(`${item.deviceId} ${at}`, { deviceId: item.deviceId, at });
  }
  return {
    name: 'reading_marks',
    text: `insert into reading_marks (device_id, at)
      select d, to_timestamp(t / 1000) from unnest($1::int[], $2::float8[]) as r (d, t)`,
    values: [
      numberArray([...marks.values()].map(({ deviceId }) => deviceId)),
      numberArray([...marks.values()].map(({ at }) => at)),
    ],
  };
}

/** The newest reading of each (device, connector, layout) of a batch. */
function newest(readings: readonly LaidOutItem[], layoutIds: LayoutIds): LaidOutItem[] {
  const found = new Map<string, LaidOutItem>();
  for (const reading of readings) {
    if (reading.item.event.unplaced) continue;
    const key = `${reading.item.deviceId} ${reading.item.event.connector} ${layoutIds.get(reading.layoutKey)}`;
    const other = found.get(key);
    if (!other || other.item.event.at <= reading.item.event.at) found.set(key, reading);
  }
  return [...found.values()];
}
