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

/** The IDs of layouts by their keys. */
export type LayoutIds = ReadonlyMap<string, number>;

/** The layouts known to this process. Their rows are immutable, so cached ones stay valid. */
export interface Layouts {
  /**
   * Finds or creates the rows of layouts and returns their IDs. Runs outside a batch's transaction, so that no batch
   * waits for another's.
   */
  ensure(client: Query, readings: readonly Pick<LaidOut, 'layoutKey' | 'layout'>[]): Promise<LayoutIds>;
}

/**
 * The maximum total length of the cached keys: thousands of layouts, more than real fleets have. Beyond it the cache is
 * emptied, so that devices with ever new quantities do not fill the memory.
 */
const CACHE_CHARACTERS = 16_000_000;

export function layouts(most = CACHE_CHARACTERS): Layouts {
  const known = new Map<string, number>();
  let characters = 0;

  const remember = (key: string, id: number) => {
    if (known.has(key)) return;
    if (characters + key.length > most) {
      known.clear();
      characters = 0;
    }
    known.set(key, id);
    characters += key.length;
  };

  return {
    async ensure(client, readings) {
      const ids = new Map<string, number>();
      for (const { layoutKey, layout } of readings) {
        if (ids.has(layoutKey)) continue;
        const id = known.get(layoutKey) ?? (await findOrCreate(client, layout));
        remember(layoutKey, id);
        ids.set(layoutKey, id);
      }
      return ids;
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
