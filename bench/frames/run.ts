// The protocol log in compressed batches: bytes per frame, the time to find a frame among many, and the cost of packing
// while frames are stored. node bench/frames/run.ts [--full] [--frames 2000000]
import { parseArgs } from 'node:util';
import { unpackFrames } from '../../apps/server/src/audit/frames/packing/batches.ts';
import { actionKey, messageIdKey } from '../../apps/server/src/audit/frames/packing/keys.ts';
import { packDevice } from '../../apps/server/src/audit/frames/packing/packer.store.ts';
import { framePacker } from '../../apps/server/src/audit/frames/packing/packer.ts';
import { frameStatements, listFramesBefore } from '../../apps/server/src/audit/index.ts';
import { createPastPartitions } from '../../apps/server/src/ingest/index.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { runEach } from '../../apps/server/src/platform/database/statement.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import type { FrameEvent } from '../../apps/server/src/ports/uplink.ts';
import type { Item } from '../../apps/server/src/ports/uplink-items.ts';
import { fill, startDatabase, timed } from '../side-by-side.ts';
import { demoTraffic, meterTraffic, type Span } from './traffic.ts';

const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, frames: { type: 'string' } },
});
/** Frames in all batches when one is looked for. */
const total = Number(options.frames ?? (options.full ? 100_000_000 : 2_000_000));
const GOALS = { demoBytes: 60, meterBytes: 150, timeMs: 200, messageMs: 1_000, searchMs: 1_000, ingest: 0.95 };
const DAY_MS = 86_400_000;
const DAYS = 30;
const EVERYTHING = { customers: 'all', sites: 'all' } as const;
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const past: Span = { from: today - DAYS * DAY_MS, to: today };

const base = await startDatabase();
const { pool, db } = base.database;
let missed = false;
try {
  await createPastPartitions(pool, new Date(past.from), new Date(today + 2 * DAY_MS));
  const devices = await addDevices(25);
  const first = devices[0]!;

  // One pile has a month of frames, like the devices of a fleet that is in use for long.
  await store(devices.slice(0, 1), past, demoTraffic);
  await store(devices.slice(1, 20), { from: today - DAY_MS, to: today }, demoTraffic);
  const before = await sizeOf('protocol_frames');
  const demoFrames = await packAll();
  const demoBytes = (await sizeOf('frame_batches')) / demoFrames;
  console.log(`${demoFrames.toLocaleString('en')} frames of demo piles`);
  report('bytes of a frame, with indexes', demoBytes, GOALS.demoBytes, `${(before / demoFrames).toFixed(0)} unpacked`);

  const already = await sizeOf('frame_batches');
  await store(devices.slice(20), { from: today - DAY_MS, to: today }, meterTraffic);
  const unpackedMeter = await sizeOf('protocol_frames');
  const meterFrames = await packAll();
  // The response of a MeterValues is small: half of the frames have nearly all of the bytes.
  const meterBytes = ((await sizeOf('frame_batches')) - already) / (meterFrames / 2);
  report(
    'bytes of a MeterValues with 40 values and its response, with indexes',
    meterBytes,
    GOALS.meterBytes,
    `${(unpackedMeter / (meterFrames / 2)).toFixed(0)} unpacked`,
  );

  const { rows: loaded } = await pool.query<{ batches: number; frames: number }>(
    'select count(*)::int as batches, sum(frames)::int as frames from frame_batches where device_id < $1',
    [devices[20]],
  );
  const copies = Math.max(0, Math.ceil((total - loaded[0]!.frames) / loaded[0]!.frames));
  const start = performance.now();
  for (let copy = 0; copy < copies; copy += 50) await addCopies(copy, Math.min(copies, copy + 50), devices[20]!);
  await fill(pool, 'analyze frame_batches');
  const { rows: all } = await pool.query<{ frames: number }>('select sum(frames)::bigint as frames from frame_batches');
  console.log(
    `${all[0]!.frames.toLocaleString('en')} frames in batches, loaded in ${((performance.now() - start) / 1_000).toFixed(0)} s; ${(((await sizeOf('frame_batches')) / 1_048_576) | 0).toLocaleString('en')} MB`,
  );

  let day = 0;
  const timeMs = await slowest(30, async () => {
    const from = new Date(past.from + (day++ % DAYS) * DAY_MS + 36_000_000);
    const filters = { from, to: new Date(from.getTime() + 600_000) };
    if ((await listFramesBefore(EVERYTHING, db, first, filters, null, 100)).length < 10) throw new Error('No frames');
  });
  report('p95 of ten minutes of a device, in ms', timeMs, GOALS.timeMs);

  const ids = (await listFramesBefore(EVERYTHING, db, first, { action: 'Heartbeat' }, null, 5_000))
    .map(({ messageId }) => messageId!)
    .filter((_, index) => index % 100 === 0);
  let turn = 0;
  const messageMs = await slowest(30, async () => {
    if ((await findMessage('Heartbeat', ids[turn++ % ids.length]!)) < 2) throw new Error('No frames');
  });
  report('p95 of an action and a message ID of any device, in ms', messageMs, GOALS.messageMs);

  const lastDay = { from: new Date(today - DAY_MS), to: new Date(today) };
  const searchMs = await slowest(10, async () => {
    await listFramesBefore(EVERYTHING, db, first, { ...lastDay, search: 'no such text' }, null, 100);
  });
  report('p95 of a text in a day of a device, in ms', searchMs, GOALS.searchMs);

  const ratio = await costOfPacking(devices);
  console.log(
    `  storing frames while others are packed: ratio ${ratio.toFixed(3)} of the rate without (goal ${GOALS.ingest})`,
  );
  if (ratio < GOALS.ingest) missed = true;
} finally {
  await base.stop();
}
process.exit(missed ? 1 : 0);

function report(what: string, value: number, goal: number, note = ''): void {
  console.log(
    `  ${what}: ${value.toFixed(1)}, goal ${goal}${note && ` (${note})`}, ratio ${(value / goal).toFixed(2)}`,
  );
  if (value > goal) missed = true;
}

/** The 95th percentile of the milliseconds of a call. */
async function slowest(count: number, call: () => Promise<unknown>): Promise<number> {
  const times = (await timed(count, call)).sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}

async function addDevices(count: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `with c as (insert into customers (code, name) values ('BENCH', 'Bench') returning id),
       s as (insert into sites (customer_id, code, name) select id, 'BENCH', 'Bench' from c returning id, customer_id),
       m as (insert into device_models (name, type) values ('Bench', 1) returning id),
       d as (insert into devices (sn, name, site_id, customer_id, device_model_id)
             select 'BENCH-' || n, 'Bench ' || n, s.id, s.customer_id, m.id from s, m, generate_series(1, $1::int) n returning id)
     select id from d order by id`,
    [count],
  );
  const ids = rows.map(({ id }) => id);
  await pool.query(
    `insert into device_states (device_id, protocol) select unnest($1::int[]), 'ocpp1.6'
     on conflict (device_id) do update set protocol = 'ocpp1.6'`,
    [ids],
  );
  return ids;
}

function itemOf(deviceId: number, event: FrameEvent): Item<'frame'> {
  return { deviceId, event } as Item<'frame'>;
}

/** Stores the frames of devices in the order of their times, as the ingest does. */
async function store(ids: readonly number[], span: Span, traffic: (sn: string, span: Span) => FrameEvent[]) {
  const items = ids
    .flatMap((id) => traffic(`bench-${id}`, span).map((event) => itemOf(id, event)))
    .sort((one, other) => one.event.at.getTime() - other.event.at.getTime());
  for (let at = 0; at < items.length; at += 500) {
    await runEach(
      pool,
      frameStatements(items.slice(at, at + 500), () => null),
    );
  }
}

/** Packs all frames. @returns how many there were */
async function packAll(): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select distinct device_id as id from protocol_frames');
  let frames = 0;
  for (const { id } of rows) {
    for (let packed = 1; packed > 0; frames += packed) packed = await packDevice(db, id, new Date(today + DAY_MS));
  }
  await fill(pool, 'vacuum protocol_frames');
  return frames;
}

/** Copies the batches of demo traffic for other devices, with other message IDs in the index. */
async function addCopies(from: number, to: number, below: number): Promise<void> {
  await fill(
    pool,
    `insert into frame_batches (device_id, first_id, last_id, at, last_at, frames, takes_more, keys, dictionary, data)
     select device_id + 1000 * (copy + 1), first_id, last_id, at, last_at, frames, takes_more,
            array(select case when key < 0 then key else (random() * 262143 + 0 * copy)::int end from unnest(keys) as key),
            dictionary, data
       from frame_batches, generate_series(${from}, ${to - 1}) as copy where device_id < ${below}`,
  );
}

/** How many frames have an action and a message ID, of all devices: in batches and not packed. */
async function findMessage(action: string, messageId: string): Promise<number> {
  const { rows } = await pool.query<{ dictionary: number; data: Buffer }>(
    'select dictionary, data from frame_batches where keys @> $1::int[]',
    [[messageIdKey(messageId), actionKey(action)]],
  );
  let found = 0;
  for (const batch of rows) {
    for (const frame of await unpackFrames(batch)) {
      if (frame.messageId === messageId && frame.action === action) found += 1;
    }
  }
  const { rows: unpacked } = await pool.query('select id from protocol_frames where action = $1 and message_id = $2', [
    action,
    messageId,
  ]);
  return found + unpacked.length;
}

/** The rate of storing while a packer works, compared with the rate without it; each measured in turns. */
async function costOfPacking(ids: readonly number[]): Promise<number> {
  const events = ids.map((id) => meterTraffic(`cost-${id}`, { from: Date.now() - 3_000_000, to: Date.now() }));
  const batch = (number: number) =>
    ids.flatMap((id, index) =>
      [0, 1].map((n) => itemOf(id, events[index]![(2 * number + n) % events[index]!.length]!)),
    );
  const rates = { without: [] as number[], packing: [] as number[] };
  for (let round = 0; round < 10; round += 1) {
    const kind = round % 2 === 0 ? 'without' : 'packing';
    const packer = framePacker(db, systemClock, createLog('warn'));
    if (kind === 'packing') packer.wake();
    let stored = 0;
    const start = performance.now();
    for (let number = 0; performance.now() - start < 3_000; number += 1) {
      const items = batch(number);
      await runEach(
        pool,
        frameStatements(items, () => null),
      );
      stored += items.length;
    }
    rates[kind].push(stored / (performance.now() - start));
    await packer.stop();
  }
  const middle = (some: number[]) => some.sort((one, other) => one - other)[Math.floor(some.length / 2)]!;
  console.log(
    `  stored ${(middle(rates.without) * 1_000).toFixed(0)} frames/s without packing, ${(middle(rates.packing) * 1_000).toFixed(0)} with it`,
  );
  return middle(rates.packing) / middle(rates.without);
}

/** Bytes of a table with its partitions and indexes. */
async function sizeOf(table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select coalesce(sum(pg_total_relation_size(relid)), 0)::bigint as bytes from pg_partition_tree($1) where isleaf`,
    [table],
  );
  return rows[0]!.bytes;
}
