import { MAX_CHART_DAYS, MAX_CHART_ITEMS } from '@chargehand/contract';
import { RESOLUTIONS, type Resolution, ROLLUPS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { ReadingDays } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import { type ReadableDevice, type ReadableItem, readableDevice } from './reading-items.service.ts';

const DAY_MS = 86_400_000;

/** The query parameters for quantities and time. */
interface ChartRequest {
  items: string;
  also?: string;
  from: string;
  to: string;
}

/** A range in epoch milliseconds, the end not included. */
export interface Range {
  from: number;
  to: number;
}

/** A range from the query. @throws Problem when it is reversed or too long. */
export function rangeOf({ from, to }: { from: string; to: string }): Range {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  if (!(range.from < range.to)) throw new Problem('rangeTurned', { field: 'to' });
  if (range.to - range.from > MAX_CHART_DAYS * DAY_MS) {
    throw new Problem('rangeTooLong', { field: 'from', values: { days: MAX_CHART_DAYS } });
  }
  return range;
}

/** A device with the requested quantities. Quantities that it never reported are left out. */
export interface RequestedDevice extends ReadableDevice {
  items: ReadableItem[];
}

/** Devices, each with the requested quantities. */
export async function devicesOf(
  db: Kysely<Database>,
  caller: Caller,
  visible: readonly VisibleDevice[],
  request: ChartRequest,
): Promise<RequestedDevice[]> {
  const wanted = itemsOf(request.items);
  const devices: RequestedDevice[] = [];
  for (const one of visible) {
    const device = await readableDevice(db, caller, one);
    devices.push({
      ...device,
      items: wanted.flatMap(({ connector, key }) =>
        device.items.filter((item) => item.connector === connector && item.key === key),
      ),
    });
  }
  return devices;
}

/** The coarser of the resolution that suits a range and the one that is still stored for its start. */
export function availableResolution(wanted: Resolution, range: Range, days: ReadingDays, now: number): Resolution {
  const finest = RESOLUTIONS.find((one) => range.from >= availableFrom(one, days, now)) ?? 'day';
  return RESOLUTIONS.indexOf(finest) > RESOLUTIONS.indexOf(wanted) ? finest : wanted;
}

/** The time since which readings are stored in a resolution; epoch milliseconds. */
export function availableFrom(resolution: Resolution, days: ReadingDays, now: number): number {
  const keptDays = resolution === 'raw' ? days.raw : days.rollups[resolution];
  return Math.floor(now / DAY_MS) * DAY_MS - keptDays * DAY_MS;
}

/** Seconds of a bucket; 0 for single readings. */
export function stepOf(resolution: Resolution): number {
  return resolution === 'raw' ? 0 : ROLLUPS[resolution];
}

function itemsOf(text: string): { connector: number; key: string }[] {
  const items = [...new Set(text.split(',').filter((item) => item !== ''))].map((item) => {
    const [, connector, key] = /^(\d{1,5}):(.+)$/s.exec(decoded(item)) ?? [];
    if (connector === undefined || key === undefined) throw notItems();
    return { connector: Number(connector), key };
  });
  if (items.length === 0) throw new Problem('fieldRequired', { field: 'items' });
  if (items.length > MAX_CHART_ITEMS) {
    throw new Problem('fieldItems', { field: 'items', values: { min: 1, max: MAX_CHART_ITEMS } });
  }
  return items;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notItems();
  }
}

function notItems(): Problem {
  return new Problem('fieldFormat', { field: 'items', values: { expected: '1:Voltage,1:SoC' } });
}
