import type { Query } from '../../platform/database/statement.ts';
import { storableJson, storableText } from '../../platform/database/storable.ts';
import type { ReadingEvent } from '../../ports/uplink.ts';

/** One quantity of a layout. */
interface LayoutItem {
  key: string;
  unit: string;
  counter: boolean;
}

/** A reading in its layout: the values of the layout's analog items and of its counters, each in their order. */
export interface LaidOut {
  layoutKey: string;
  layout: LayoutItem[];
  analog: number[];
  counters: number[];
}

/** The layouts known to this process. Their rows are immutable, so cached ones stay valid. */
export interface Layouts {
  /** The id of a layout that was passed to `ensure`. */
  idOf(layoutKey: string): number;
  /** Finds or creates the rows of layouts. Runs outside a batch's transaction, so that no batch waits for another's. */
  ensure(client: Query, readings: readonly LaidOut[]): Promise<void>;
}

/** More layouts than real fleets have. Beyond it the cache is emptied. */
const CACHE_LIMIT = 10_000;

export function layouts(): Layouts {
  const ids = new Map<string, number>();
  return {
    idOf(layoutKey) {
      const id = ids.get(layoutKey);
      if (id === undefined) throw new Error(`The reading layout ${layoutKey} was not ensured`);
      return id;
    },
    async ensure(client, readings) {
      const missing = new Map(readings.filter((r) => !ids.has(r.layoutKey)).map((r) => [r.layoutKey, r.layout]));
      if (missing.size === 0) return;
      const needed = new Set(readings.map((reading) => reading.layoutKey));
      if (ids.size > CACHE_LIMIT) for (const key of ids.keys()) if (!needed.has(key)) ids.delete(key);
      for (const [key, items] of missing) ids.set(key, await findOrCreate(client, items));
    },
  };
}

async function findOrCreate(client: Query, items: LayoutItem[]): Promise<number> {
  const json = storableJson(items);
  await client.query({
    text: 'insert into reading_layouts (items) values ($1::jsonb) on conflict do nothing',
    values: [json],
  });
  const { rows } = await client.query<{ id: number }>({
    text: 'select id from reading_layouts where md5(items::text) = md5(($1::jsonb)::text) and items = $1::jsonb',
    values: [json],
  });
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('A reading layout was neither found nor created');
  return id;
}

/** The largest magnitude of PostgreSQL's `real`, and its smallest one above zero. */
const REAL_MAX = 3.4e38;
const REAL_MIN = 1.2e-38;

/** Arranges a reading in its layout. The same quantities give the same layout in any order. */
export function layOut(reading: ReadingEvent): LaidOut {
  const values = reading.values
    .map((value) => ({ ...value, key: storableText(value.key, 100), unit: storableText(value.unit, 20) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const layout: LayoutItem[] = [];
  const analog: number[] = [];
  const counters: number[] = [];
  let layoutKey = '';
  for (const { key, unit, counter, value } of values) {
    layout.push({ key, unit, counter });
    layoutKey += `${key}|${unit}|${counter ? 'c' : 'a'};`;
    if (counter) counters.push(value);
    else analog.push(asReal(value));
  }
  return { layoutKey, layout, analog, counters };
}

/** A value for PostgreSQL's `real`: too small becomes zero, too large becomes the largest value. */
function asReal(value: number): number {
  const size = Math.abs(value);
  if (size > REAL_MAX) return Math.sign(value) * REAL_MAX;
  return size < REAL_MIN ? 0 : value;
}
