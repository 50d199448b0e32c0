import type { ReadingItem, ResultOf, telemetryEndpoints } from '@chargehand/contract';
import { ITEM_TYPES } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { presentDescription } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import { type ItemPosition, positionsOf } from '../layouts.ts';
import { describeValues, type ReportedValue } from '../runtime/described-values.ts';
import { listLatestReadings } from '../runtime/runtime.store.ts';
import { deviceHead } from './reading-items.store.ts';

/** A quantity of a connector that a caller may read, and where its values are stored. */
export interface ReadableItem extends ReadingItem {
  places: ItemPosition[];
}

/** A device and its quantities that a caller may read. */
export interface ReadableDevice {
  id: number;
  name: string;
  sn: string;
  /** the protocol of its current or latest connection; null when it had none */
  protocol: string | null;
  items: ReadableItem[];
}

/** The quantities a device has reported, as far as the caller's levels allow. */
export async function readReadingItems(
  db: Kysely<Database>,
  caller: Caller,
  device: VisibleDevice,
): Promise<ResultOf<typeof telemetryEndpoints.listReadingItems>> {
  const { items } = await readableDevice(db, caller, device);
  return { items: items.map(({ places: _, ...item }) => item) };
}

/**
 * A device with all reported quantities that the caller may read, in the order of its current model. A key reported in
 * two units counts as two quantities.
 */
export async function readableDevice(
  db: Kysely<Database>,
  caller: Caller,
  device: VisibleDevice,
): Promise<ReadableDevice> {
  const { id, sn, rights } = device;
  const [latest, head, present] = await Promise.all([
    listLatestReadings(caller.scope, db, id),
    deviceHead(caller.scope, db, id),
    presentDescription(db, device.deviceModelId),
  ]);
  const quantities = new Map<string, { reported: ReportedValue; counter: boolean; places: ItemPosition[] }>();
  for (const { connector, layoutId, items, at } of latest) {
    for (const place of positionsOf(layoutId, items)) {
      const { key, unit, counter } = place;
      const same = quantities.get(nameOf({ connector, key, unit }));
      if (same) same.places.push(place);
      else {
        const reported = { connector, key, unit, value: null, text: null, at };
        quantities.set(nameOf(reported), { reported, counter, places: [place] });
      }
    }
  }
  const { values, items } = describeValues(
    [...quantities.values()].map(({ reported }) => reported),
    { present, at: () => present },
    { levels: caller.levels, undescribed: rights.readParameters },
    new Set(),
  );
  const readable = values.map(({ connector, key, unit, item, variant }): ReadableItem => {
    const { counter, places } = quantities.get(nameOf({ connector, key, unit }))!;
    const described = item === null ? null : items[item]!;
    const names = { name: described?.name ?? null, part: variant, group: described?.groupName ?? null };
    const entries = described?.type === ITEM_TYPES.enumeration ? described.range : '';
    return { connector, key, unit, counter, ...names, entries, places };
  });
  return { id, ...head, sn, items: readable.sort((a, b) => a.connector - b.connector) };
}

function nameOf({ connector, key, unit }: { connector: number; key: string; unit: string }): string {
  return `${connector} ${key} ${unit}`;
}
