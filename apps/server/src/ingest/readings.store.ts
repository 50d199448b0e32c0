import type { Item } from './batch.ts';
import type { LaidOut, Layouts } from './layouts.ts';
import { numberArray, type Statement, textArray, timeArray } from './statement.ts';

export interface LaidOutItem extends LaidOut {
  item: Item<'reading'>;
}

/** Adds readings, one row each, those that came before left out, and moves the latest row of their (device, connector, layout) forward in time. */
export function readingStatements(layouts: Layouts, readings: readonly LaidOutItem[]): Statement[] {
  if (readings.length === 0) return [];
  const latest = newest(readings, layouts);
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
        numberArray(readings.map(({ layoutKey }) => layouts.idOf(layoutKey))),
        numberArray(readings.map(({ item }) => item.event.transactionId)),
        textArray(readings.map(({ analog }) => numberArray(analog))),
        textArray(readings.map(({ counters }) => numberArray(counters))),
      ],
    },
    {
      name: 'latest_readings_now',
      text: `insert into latest_readings as k (device_id, connector, layout_id, at, analog, counters)
        select d, n, l, to_timestamp(t / 1000), a::real[], c::float8[]
        from unnest($1::int[], $2::int2[], $3::int[], $4::float8[], $5::text[], $6::text[]) as r (d, n, l, t, a, c)
        on conflict (device_id, connector, layout_id) do update set
          at = excluded.at, analog = excluded.analog, counters = excluded.counters
        where k.at <= excluded.at`,
      values: [
        numberArray(latest.map(({ item }) => item.deviceId)),
        numberArray(latest.map(({ item }) => item.event.connector)),
        numberArray(latest.map(({ layoutKey }) => layouts.idOf(layoutKey))),
        timeArray(latest.map(({ item }) => item.event.at)),
        textArray(latest.map(({ analog }) => numberArray(analog))),
        textArray(latest.map(({ counters }) => numberArray(counters))),
      ],
    },
  ];
}

/** The newest reading of each (device, connector, layout) of a batch. */
function newest(readings: readonly LaidOutItem[], layouts: Layouts): LaidOutItem[] {
  const found = new Map<string, LaidOutItem>();
  for (const reading of readings) {
    const key = `${reading.item.deviceId} ${reading.item.event.connector} ${layouts.idOf(reading.layoutKey)}`;
    const other = found.get(key);
    if (!other || other.item.event.at <= reading.item.event.at) found.set(key, reading);
  }
  return [...found.values()];
}
