import type { Locale, QueryOf, telemetryEndpoints } from '@chargehand/contract';
import { bucketStart, connectorCell, entryLabels, RESOLUTIONS, type Resolution } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { ReadingDays } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { inLocale, type Words } from '../../platform/xlsx/list-export.ts';
import { type Cell, xlsxOf } from '../../platform/xlsx/xlsx.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import { availableFrom, devicesOf, type Range, type RequestedDevice, rangeOf, stepOf } from './chart-query.ts';
import type { ReadableItem } from './reading-items.service.ts';
import { type ExportedValue, listValues } from './readings-export.store.ts';

/** Values that are read and written at once. This limits the memory of an export, however long the range. */
const BATCH = 5_000;
/**
 * Maximum number of rows of a sheet (a limit of spreadsheet programs, not of ECMA-376), minus the heading and a closing
 * note.
 */
const MOST_ROWS = 1_048_576 - 2;

const SHEET: Words = { en: 'Readings', zh: '历史数据' };
const COLUMNS: readonly (Words & { width: number })[] = [
  { en: 'Time', zh: '时间', width: 20 },
  { en: 'Device', zh: '设备', width: 26 },
  { en: 'SN', zh: 'SN', width: 22 },
  { en: 'Connector', zh: '枪号', width: 14 },
  { en: 'Mean over (s)', zh: '均值时长（秒）', width: 14 },
];
const CUT: Words = {
  en: 'The sheet is full: choose a shorter range for the rest.',
  zh: '工作表已满，其余数据请缩短时间范围后导出。',
};

/**
 * Every reading of some quantities over a range, by device in order of time. When single readings are no longer stored,
 * the finest rollup that is.
 */
export async function readingsWorkbook(
  db: Kysely<Database>,
  days: ReadingDays,
  caller: Caller,
  locale: Locale,
  visible: readonly VisibleDevice[],
  query: QueryOf<typeof telemetryEndpoints.exportReadings>,
): Promise<Workbook> {
  const devices = await devicesOf(db, caller, visible, query);
  const range = rangeOf(query);
  const columns = [...new Set(devices.flatMap(({ items: request }) => request.map(columnOf)))];
  const titles = new Map(
    devices.flatMap(({ items: request }) => request.map((item) => [columnOf(item), title(item, locale)])),
  );
  const content = xlsxOf({
    name: inLocale(SHEET, locale),
    columns: [
      ...COLUMNS.map(({ width, ...words }) => ({ heading: inLocale(words, locale), width })),
      ...columns.map((column) => ({ heading: titles.get(column) ?? column, width: 20 })),
    ],
    rows: rowsOf(db, caller, devices, columns, stretchesOf(range, days, Date.now()), locale),
  });
  return { name: inLocale(SHEET, locale), content };
}

/** The sources of a range in the finest stored resolution, oldest first. */
function stretchesOf(range: Range, days: ReadingDays, now: number) {
  const stretches: { resolution: Resolution; from: number; to: number }[] = [];
  let { to } = range;
  for (const resolution of RESOLUTIONS) {
    if (range.from >= to) break;
    const kept = resolution === 'day' ? range.from : availableFrom(resolution, days, now);
    // Days start at midnight of the time zone: the finer rows start where the last whole day ends.
    const from = resolution === 'hour' && kept > range.from ? bucketStart('day', kept + 86_400_000 - 1) : kept;
    if (from >= to) continue;
    stretches.unshift({ resolution, from: Math.max(range.from, from), to });
    to = from;
  }
  return stretches;
}

async function* rowsOf(
  db: Kysely<Database>,
  caller: Caller,
  devices: readonly RequestedDevice[],
  columns: readonly string[],
  stretches: ReturnType<typeof stretchesOf>,
  locale: Locale,
): AsyncGenerator<Cell[][]> {
  const cut = inLocale(CUT, locale);
  let left = MOST_ROWS;
  for (const device of devices) {
    for (const [connector, items] of Map.groupBy(device.items, (item) => item.connector)) {
      const positions = items.flatMap(({ places }, quantity) => places.map((place) => ({ ...place, quantity })));
      const request = { deviceId: device.id, connector, positions };
      const cells = items.map((item) => ({
        column: columns.indexOf(columnOf(item)),
        labels: entryLabels(item.entries, locale === 'zh-CN' ? 'zh' : 'en'),
      }));
      for (const { resolution, from, to } of stretches) {
        const head: Cell[] = [
          device.name,
          device.sn,
          connectorCell(connector, device.protocol),
          stepOf(resolution) || null,
        ];
        let next = new Date(from);
        for (;;) {
          const stretch = { resolution, from: next, to: new Date(to) };
          const values = await listValues(caller.scope, db, request, stretch, BATCH);
          const rows = gathered(values, cells, head, columns.length);
          if (rows.length > left) {
            yield [...rows.slice(0, left), [cut]];
            return;
          }
          left -= rows.length;
          yield rows;
          if (values.length < BATCH) break;
          next = new Date(values.at(-1)!.at.getTime() + 1);
        }
      }
    }
  }
}

/** The column of a quantity, and the labels of its values when it is an enumeration. */
interface QuantityCells {
  column: number;
  labels: ReadonlyMap<number, string>;
}

/** The values of an instant in one row, unless one of them was reported twice. */
function gathered(
  values: readonly ExportedValue[],
  cells: readonly QuantityCells[],
  head: readonly Cell[],
  width: number,
) {
  const rows: Cell[][] = [];
  let at = Number.NaN;
  for (const value of values) {
    const { column: place = 0, labels } = cells[value.quantity] ?? {};
    const column = 1 + head.length + place;
    const cell = (value.value === null ? undefined : labels?.get(value.value)) ?? value.value;
    const row = rows.at(-1);
    if (row && value.at.getTime() === at && row[column] === null) {
      row[column] = cell;
      continue;
    }
    at = value.at.getTime();
    const fresh: Cell[] = [value.at, ...head, ...Array.from({ length: width }, () => null)];
    fresh[column] = cell;
    rows.push(fresh);
  }
  return rows;
}

const columnOf = ({ key, unit }: ReadableItem) => `${key}\n${unit}`;

function title({ key, unit, name, part }: ReadableItem, locale: Locale): string {
  const called = name === null ? key : `${inLocale(name, locale)} ${part}`.trim();
  return unit === '' ? called : `${called} (${unit})`;
}
