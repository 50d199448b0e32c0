import { pipeline } from 'node:stream/promises';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Writer } from '../../apps/server/src/platform/packing/bytes.ts';

const DAY_MS = 86_400_000;
/** The times of binary COPY begin in 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
/** Numbers of message IDs, as in packing/keys.ts. */
const MESSAGE_IDS = 2 ** 18;
/** Bytes that are written at once. A row has fewer. */
const CHUNK = 1 << 20;
const INT4 = 23;
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

interface Source {
  deviceId: number;
  firstId: number;
  lastId: number;
  at: Date;
  lastAt: Date;
  frames: number;
  takesMore: boolean;
  keys: number[];
  dictionary: number;
  data: Buffer;
}

/** The batches of one day of some devices, for other devices and other days. */
export interface Copies {
  sources: readonly number[];
  /** the new devices: a group has as many as there are sources */
  groups: readonly (readonly number[])[];
  days: number;
  /** the ID that the first copied frame has at least */
  firstId: number;
}

/**
 * Loads copies of batches with COPY. Each copy has other frame IDs and times, also in its compressed data, and other
 * message IDs in the index. The index of keys is built afterwards.
 */
export async function loadCopies(pool: Pool, copies: Copies): Promise<void> {
  const { rows } = await pool.query<Source>(
    `select device_id as "deviceId", first_id as "firstId", last_id as "lastId", at, last_at as "lastAt", frames,
            takes_more as "takesMore", keys, dictionary, data
       from frame_batches where device_id = any($1::int[]) order by last_id`,
    [copies.sources],
  );
  const client = await pool.connect();
  try {
    await client.query(
      `set statement_timeout = 0; set maintenance_work_mem = '1GB'; set synchronous_commit = off; drop index frame_batches_keys`,
    );
    const target = client.query(
      copyFrom(`copy frame_batches (device_id, first_id, last_id, at, last_at, frames, takes_more, keys, dictionary, data)
                  from stdin (format binary)`),
    );
    const start = performance.now();
    await pipeline(() => chunks(rows, copies), target);
    console.log(`  copied in ${((performance.now() - start) / 1_000).toFixed(0)} s, the rest is the index`);
    await client.query('create index frame_batches_keys on frame_batches using gin (keys)');
    await client.query('vacuum analyze frame_batches');
  } finally {
    client.release(true);
  }
}

async function* chunks(sources: readonly Source[], copies: Copies): AsyncGenerator<Buffer> {
  const parts = sources.map(partsOf);
  const place = new Map(copies.sources.map((id, index) => [id, index]));
  const least = Math.min(...sources.map(({ firstId }) => firstId));
  const ids = Math.max(...sources.map(({ lastId }) => lastId)) - least + 1;
  const rows = new Rows();
  rows.bytes(Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'));
  rows.bytes(Buffer.alloc(8));
  let block = 0;
  // From the oldest day, so that later frames have higher IDs.
  for (let day = copies.days - 1; day >= 0; day -= 1) {
    for (const group of copies.groups) {
      const shift = { ids: copies.firstId - least + ids * block++, ms: -day * DAY_MS };
      for (const [index, source] of sources.entries()) {
        rows.add(source, parts[index]!, group[place.get(source.deviceId)!]!, shift);
        if (rows.isFull) yield rows.take();
      }
    }
  }
  rows.int2(-1);
  yield rows.take();
}

/** A batch whose first ID and first time can be replaced: all others are differences. */
interface Parts {
  /** the head of the data and its texts */
  start: Buffer;
  count: number;
  firstId: number;
  ids: Buffer;
  firstMs: number;
  rest: Buffer;
}

function partsOf({ data }: Source): Parts {
  const end = 5 + data.readUInt32LE(1);
  const numbers = zstdDecompressSync(data.subarray(end));
  let at = 0;
  const unsigned = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = numbers[at++]!;
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  };
  const [count, firstId] = [unsigned(), unsigned() / 2];
  const idsAt = at;
  for (let index = 1; index < count; index += 1) unsigned();
  const ids = numbers.subarray(idsAt, at);
  const firstMs = unsigned() / 2;
  return { start: data.subarray(0, end), count, firstId, ids, firstMs, rest: numbers.subarray(at) };
}

function numbersOf(values: readonly number[], last: 'signed' | 'unsigned'): Buffer {
  const to = new Writer();
  for (const value of values) to[last](value);
  return to.parts().numbers;
}

/** Rows of binary COPY. */
class Rows {
  #buffer = Buffer.alloc(2 * CHUNK);
  #at = 0;

  get isFull(): boolean {
    return this.#at > CHUNK;
  }

  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#at);
    this.#buffer = Buffer.alloc(2 * CHUNK);
    this.#at = 0;
    return taken;
  }

  add(source: Source, parts: Parts, deviceId: number, shift: { ids: number; ms: number }): void {
    const numbers = zstdCompressSync(
      Buffer.concat([
        numbersOf([parts.count], 'unsigned'),
        numbersOf([parts.firstId + shift.ids], 'signed'),
        parts.ids,
        numbersOf([parts.firstMs + shift.ms], 'signed'),
        parts.rest,
      ]),
      FASTEST,
    );
    const keys = Int32Array.from(source.keys, (key) =>
      key < 0 ? key : Math.floor(Math.random() * MESSAGE_IDS),
    ).sort();
    this.int2(10);
    this.#int4s(4, deviceId);
    this.#int8(source.firstId + shift.ids);
    this.#int8(source.lastId + shift.ids);
    for (const time of [source.at, source.lastAt]) this.#int8((time.getTime() + shift.ms - EPOCH_MS) * 1_000);
    this.#int4s(2);
    this.int2(source.frames);
    this.#int4s(1);
    this.#buffer[this.#at++] = source.takesMore ? 1 : 0;
    this.#int4s(20 + 8 * keys.length, 1, 0, INT4, keys.length, 1);
    for (const key of keys) this.#int4s(4, key);
    this.#int4s(2);
    this.int2(source.dictionary);
    this.#int4s(parts.start.length + numbers.length);
    this.bytes(parts.start);
    this.bytes(numbers);
  }

  int2(value: number): void {
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  bytes(some: Buffer): void {
    this.#at += some.copy(this.#buffer, this.#at);
  }

  #int4s(...values: number[]): void {
    for (const value of values) this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  /** A value of eight bytes, with its length. */
  #int8(value: number): void {
    this.#int4s(8);
    this.#at = this.#buffer.writeBigInt64BE(BigInt(value), this.#at);
  }
}
