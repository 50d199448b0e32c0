import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { Reader, Writer } from '../../platform/packing/bytes.ts';

const compress = promisify(zstdCompress);
const decompressLarge = promisify(zstdDecompress);
/** Less takes less time here than in progress to another thread and back. Bytes. */
const SMALL = 16_384;
const decompress = async (data: Buffer) =>
  data.length <= SMALL ? zstdDecompressSync(data) : await decompressLarge(data);

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** The first byte of packed data. */
const FORMAT = 1;
const MILLISECOND = 1_000;

/** A reading as its row has it. Times in microseconds since the epoch, which is the precision of the database. */
export interface PackableReading {
  connector: number;
  at: number;
  receivedAt: number;
  layoutId: number;
  transactionId: number | null;
  analog: number[];
  counters: number[];
}

/** The readings of a batch as columns, in the order of their times. */
export interface ReadingColumns {
  at: number[];
  receivedAt: number[];
  transactionId: (number | null)[];
  /** the readings of each connector and layout */
  groups: ReadingGroup[];
}

interface ReadingGroup {
  connector: number;
  layoutId: number;
  /** the places of its readings in the columns of times */
  rows: number[];
  /** for each quantity of the layout its values, one for each of `rows` */
  analog: number[][];
  counters: number[][];
}

/** Compresses readings of one device, which are in the order of their times. Every value stays exact. */
export async function packReadings(readings: readonly PackableReading[]): Promise<Buffer> {
  const to = new Writer();
  to.unsigned(readings.length);
  writeTimes(
    to,
    readings.map(({ at }) => at),
  );
  writeTimes(
    to,
    readings.map(({ at, receivedAt }) => receivedAt - at),
  );
  writeDifferences(
    to,
    readings.map(({ transactionId }) => transactionId ?? 0),
  );
  const groups = [...Map.groupBy(readings, groupOf).values()];
  const numbers = new Map(groups.map(([first], number) => [groupOf(first!), number]));
  to.unsigned(groups.length);
  if (groups.length > 1) for (const reading of readings) to.unsigned(numbers.get(groupOf(reading))!);
  for (const group of groups) {
    const { connector, layoutId, analog, counters } = group[0]!;
    to.unsigned(connector);
    to.unsigned(layoutId);
    to.unsigned(analog.length);
    to.unsigned(counters.length);
    for (const place of analog.keys()) {
      writeValues(
        to,
        group.map((reading) => Math.fround(reading.analog[place]!)),
        SINGLE,
      );
    }
    for (const place of counters.keys()) {
      writeValues(
        to,
        group.map((reading) => reading.counters[place]!),
        DOUBLE,
      );
    }
  }
  return Buffer.concat([Buffer.of(FORMAT), await compress(to.parts().numbers, LEVEL)]);
}

/** The readings of packed data. */
export function unpackColumns(data: Buffer): Promise<ReadingColumns> {
  return unpack(data, null);
}

/** The places of wanted quantities, from 0, by connector and layout (`placesKey`). */
export type RequestedPlaces = ReadonlyMap<string, { analog: ReadonlySet<number>; counters: ReadonlySet<number> }>;

/** The key of a connector and a layout in `RequestedPlaces`. */
export function placesKey(connector: number, layoutId: number): string {
  return `${connector} ${layoutId}`;
}

/** The times and the wanted values of packed data. What is not wanted stays empty. */
export function unpackValues(data: Buffer, wanted: RequestedPlaces): Promise<ReadingColumns> {
  return unpack(data, wanted);
}

async function unpack(data: Buffer, wanted: RequestedPlaces | null): Promise<ReadingColumns> {
  if (data[0] !== FORMAT) throw new Error(`Readings of the unknown format ${data[0]}`);
  const from = new Reader(await decompress(data.subarray(1)), Buffer.alloc(0));
  const count = from.unsigned();
  const at = readTimes(from, count);
  let receivedAt: number[] = [];
  let transactionId: (number | null)[] = [];
  if (wanted) from.skip(1 + 2 * count);
  else {
    receivedAt = readTimes(from, count).map((delay, row) => at[row]! + delay);
    transactionId = readDifferences(from, count).map((id) => (id === 0 ? null : id));
  }
  const groupCount = from.unsigned();
  const rowsOf: number[][] = Array.from({ length: groupCount }, () => []);
  for (let row = 0; row < count; row += 1) rowsOf[groupCount > 1 ? from.unsigned() : 0]!.push(row);
  const groups = rowsOf.map((rows): ReadingGroup => {
    const [connector, layoutId, analog, counters] = [from, from, from, from].map((one) => one.unsigned()) as [
      ...[number, number, number, number],
    ];
    const places = wanted?.get(placesKey(connector, layoutId));
    const values = (number: number, of: ReadonlySet<number> | undefined, precision: Precision) =>
      Array.from({ length: number }, (_, place) => {
        if (!wanted || of?.has(place)) return readValues(from, rows.length, precision);
        skipValues(from, rows.length, precision);
        return [];
      });
    return {
      ...{ connector, layoutId, rows },
      analog: values(analog, places?.analog, SINGLE),
      counters: values(counters, places?.counters, DOUBLE),
    };
  });
  return { at, receivedAt, transactionId, groups };
}

/** The same as rows, in the order of their times. */
export async function unpackReadings(data: Buffer): Promise<PackableReading[]> {
  const { at, receivedAt, transactionId, groups } = await unpackColumns(data);
  const readings: PackableReading[] = [];
  for (const { connector, layoutId, rows, analog, counters } of groups) {
    for (const [index, row] of rows.entries()) {
      readings[row] = {
        ...{ connector, layoutId, at: at[row]!, receivedAt: receivedAt[row]!, transactionId: transactionId[row]! },
        analog: analog.map((values) => values[index]!),
        counters: counters.map((values) => values[index]!),
      };
    }
  }
  return readings;
}

function groupOf({ connector, layoutId, analog, counters }: PackableReading): string {
  return `${connector} ${layoutId} ${analog.length} ${counters.length}`;
}

/** Times or durations in microseconds: in milliseconds if that is exact, and as the change of their differences. */
function writeTimes(to: Writer, times: readonly number[]): void {
  const unit = times.every((time) => time % MILLISECOND === 0) ? MILLISECOND : 1;
  to.unsigned(unit);
  let before = 0;
  let step = 0;
  for (const time of times) {
    const value = time / unit;
    to.signed(value - before - step);
    step = value - before;
    before = value;
  }
}

function readTimes(from: Reader, count: number): number[] {
  const unit = from.unsigned();
  let before = 0;
  let step = 0;
  return Array.from({ length: count }, () => {
    step += from.signed();
    before += step;
    return before * unit;
  });
}

function writeDifferences(to: Writer, values: readonly number[]): void {
  let before = 0;
  for (const value of values) {
    to.signed(value - before);
    before = value;
  }
}

function readDifferences(from: Reader, count: number): number[] {
  let before = 0;
  return Array.from({ length: count }, () => {
    before += from.signed();
    return before;
  });
}

/** How the database stores values: PostgreSQL's `real` and `float8`. */
interface Precision {
  bytes: 4 | 8;
  round(value: number): number;
}
const SINGLE: Precision = { bytes: 4, round: Math.fround };
const DOUBLE: Precision = { bytes: 8, round: (value) => value };

/** Meters report few decimal places; values with more are written as they are stored. */
const MOST_PLACES = 6;
const AS_STORED = 255;
/** Their differences, doubled for the sign, are below 2^53. */
const LARGEST = 2 ** 50;

/** Writes values as decimal numbers of the same number of places, or else byte by byte as they are stored. */
function writeValues(to: Writer, values: readonly number[], precision: Precision): void {
  for (let places = 0; places <= MOST_PLACES; places += 1) {
    const factor = 10 ** places;
    if (!values.every((value) => isDecimal(value, factor, precision))) continue;
    to.byte(places);
    writeDifferences(
      to,
      values.map((value) => Math.round(value * factor)),
    );
    return;
  }
  to.byte(AS_STORED);
  const view = viewOf(values.length, precision);
  for (const [row, value] of values.entries()) put(view, row, value, precision);
  // All first bytes, then all second bytes: neighbours are alike, and compress.
  for (let byte = 0; byte < precision.bytes; byte += 1) {
    for (let row = 0; row < values.length; row += 1) to.byte(view.getUint8(row * precision.bytes + byte));
  }
}

function readValues(from: Reader, count: number, precision: Precision): number[] {
  const places = from.byte();
  if (places !== AS_STORED) {
    const factor = 10 ** places;
    return readDifferences(from, count).map((value) => precision.round(value / factor));
  }
  const view = viewOf(count, precision);
  for (let byte = 0; byte < precision.bytes; byte += 1) {
    for (let row = 0; row < count; row += 1) view.setUint8(row * precision.bytes + byte, from.byte());
  }
  return Array.from({ length: count }, (_, row) =>
    precision === SINGLE ? view.getFloat32(row * 4) : view.getFloat64(row * 8),
  );
}

function skipValues(from: Reader, count: number, { bytes }: Precision): void {
  if (from.byte() === AS_STORED) from.skipBytes(count * bytes);
  else from.skip(count);
}

function isDecimal(value: number, factor: number, { round }: Precision): boolean {
  const scaled = Math.round(value * factor);
  return Math.abs(scaled) <= LARGEST && round(scaled / factor) === value && !Object.is(value, -0);
}

function viewOf(count: number, { bytes }: Precision): DataView {
  return new DataView(new ArrayBuffer(count * bytes));
}

function put(view: DataView, row: number, value: number, precision: Precision): void {
  if (precision === SINGLE) view.setFloat32(row * 4, value);
  else view.setFloat64(row * 8, value);
}
