// The protocol log in compressed batches: bytes per frame, the time to find a frame among many, and the cost of packing
// while frames are stored. node bench/frames/run.ts [--full] [--frames 2000000] [--part ingest|packing]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type FleetFilters, listFleetFrames } from '../../apps/server/src/audit/frames/fleet/fleet-frames.store.ts';
import { packDevice } from '../../apps/server/src/audit/frames/packing/packer.store.ts';
import { framePacker } from '../../apps/server/src/audit/frames/packing/packer.ts';
import { frameStatements, listFramesBefore } from '../../apps/server/src/audit/index.ts';
import { createPastPartitions } from '../../apps/server/src/ingest/index.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { runEach } from '../../apps/server/src/platform/database/statement.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import type { FrameEvent } from '../../apps/server/src/ports/uplink.ts';
import type { Item } from '../../apps/server/src/ports/uplink-items.ts';
import { cpuSeconds } from '../gateway/servers.ts';
import { at, fill, startDatabase, timed } from '../side-by-side.ts';
import { loadCopies } from './copies.ts';
import { growPlainFrames, keepPlainFrames } from './plain.ts';
import { demoTraffic, meterTraffic, type Span } from './traffic.ts';

const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, frames: { type: 'string' }, part: { type: 'string' } },
});
/** Frames in all batches when one is looked for. */
const total = Number(options.frames ?? (options.full ? 100_000_000 : 2_000_000));
const GOALS = { demoBytes: 60, meterBytes: 150, timeMs: 200, messageMs: 1_000, searchMs: 1_000, ingest: 0.95 };
const DAY_MS = 86_400_000;
const DAYS = 30;
/** Rows of the floor: all frames would take too much space. */
const PLAIN_FRAMES = 4_000_000;
/** Pairs of turns without and with packing, and the time of a turn. */
const PAIRS = 12;
const TURN_MS = 3_000;
const EVERYTHING = { customers: 'all', sites: 'all' } as const;
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const past: Span = { from: today - DAYS * DAY_MS, to: today };

const base = await startDatabase();
const { pool, db } = base.database;
let missed = false;
try {
  await createPastPartitions(pool, new Date(past.from), new Date(today + 2 * DAY_MS));
  const devices = await addDevices(25);

  // One pile has a month of frames, like the devices of a fleet that is in use for long.
  await store(devices.slice(0, 1), past, demoTraffic);
  await store(devices.slice(1, 20), { from: today - DAY_MS, to: today }, demoTraffic);
  await keepPlainFrames(pool);
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

  if (options.part === undefined) await findAmongMany(devices);

  const { rate, cpu } = await costOfPacking(devices);
  console.log(
    `  storing frames while others are packed, compared with storing alone: ratio ${rate.toFixed(3)} of the rate, ${cpu.toFixed(3)} of the frames per second of CPU time (goal ${GOALS.ingest})`,
  );
  if (cpu < GOALS.ingest) missed = true;
} finally {
  await base.stop();
}
process.exit(missed ? 1 : 0);

/** Loads a fleet's month of frames, and measures how fast some of them are found. */
async function findAmongMany(devices: readonly number[]): Promise<void> {
  const sources = devices.slice(1, 20);
  const { rows: loaded } = await pool.query<{ all: number; day: number }>(
    `select sum(frames)::int as all, sum(frames) filter (where device_id = any($1::int[]))::int as day
       from frame_batches`,
    [sources],
  );
  const groups = Math.max(1, Math.ceil((total - loaded[0]!.all) / (loaded[0]!.day * DAYS)));
  const others = await addDevices(groups * sources.length, 'COPY');
  const start = performance.now();
  await loadCopies(pool, {
    ...{ sources, days: DAYS, firstId: 1_000_000_000 },
    groups: Array.from({ length: groups }, (_, group) =>
      others.slice(group * sources.length, (group + 1) * sources.length),
    ),
  });
  const { rows: all } = await pool.query<{ frames: number; batches: number }>(
    'select sum(frames)::bigint as frames, count(*)::int as batches from frame_batches',
  );
  const megabytes = Math.round((await sizeOf('frame_batches')) / 1_048_576);
  console.log(
    `${all[0]!.frames.toLocaleString('en')} frames of ${(others.length + devices.length).toLocaleString('en')} devices in ${all[0]!.batches.toLocaleString('en')} batches, loaded in ${((performance.now() - start) / 1_000).toFixed(0)} s; ${megabytes.toLocaleString('en')} MB`,
  );
  const plain = await growPlainFrames(pool, Math.min(total, PLAIN_FRAMES));

  let turn = 0;
  const one = <T>(list: readonly T[]) => list[(turn * 7_919) % list.length]!;
  const tenMinutes = () => {
    const from = new Date(past.from + (turn++ % DAYS) * DAY_MS + 36_000_000);
    return { from, to: new Date(from.getTime() + 600_000) };
  };
  const lastTenMinutes = { from: new Date(today - DAY_MS + 36_000_000), to: new Date(today - DAY_MS + 36_600_000) };
  await compare('ten minutes of a device', 90, GOALS.timeMs, {
    product: async () => some(await listFramesBefore(EVERYTHING, db, one(others), tenMinutes(), null, 100)),
    floor: () => plain.byTime(plain.devices[turn++ % plain.devices.length]!, lastTenMinutes.from, lastTenMinutes.to),
  });
  await compare('the same in the log of all devices', 90, GOALS.timeMs, {
    product: async () => some(await fleetFrames({ deviceId: one(others), ...tenMinutes() })),
    floor: () => plain.byTime(plain.devices[turn++ % plain.devices.length]!, lastTenMinutes.from, lastTenMinutes.to),
  });

  const heartbeats = { action: 'Heartbeat', types: [2] };
  const ids: string[] = [];
  for (const device of devices.slice(0, 20))
    for (const { messageId } of await listFramesBefore(EVERYTHING, db, device, heartbeats, null, 5))
      ids.push(messageId!);
  await compare('an action and a message ID of any device', 60, GOALS.messageMs, {
    product: async () => some(await fleetFrames({ action: 'Heartbeat', messageId: ids[turn++ % ids.length]! })),
    floor: () => plain.byMessage('Heartbeat', plain.messageIds[turn++ % plain.messageIds.length]!),
  });

  const day = () => {
    const from = new Date(past.from + (turn++ % DAYS) * DAY_MS);
    return { from, to: new Date(from.getTime() + DAY_MS) };
  };
  const lastDay = { from: new Date(today - DAY_MS), to: new Date(today) };
  const missing = 'no such text';
  await compare('a text in a day of a device', 60, GOALS.searchMs, {
    product: () => listFramesBefore(EVERYTHING, db, one(others), { ...day(), search: missing }, null, 100),
    floor: () => plain.byText(plain.devices[turn++ % plain.devices.length]!, lastDay.from, lastDay.to, missing),
  });
  await compare('the same in the log of all devices', 60, GOALS.searchMs, {
    product: () => fleetFrames({ deviceId: one(others), ...day(), search: missing }),
    floor: () => plain.byText(plain.devices[turn++ % plain.devices.length]!, lastDay.from, lastDay.to, missing),
  });
}

function report(what: string, value: number, goal: number, note = ''): void {
  console.log(
    `  ${what}: ${value.toFixed(1)}, goal ${goal}${note && ` (${note})`}, ratio ${(value / goal).toFixed(2)}`,
  );
  if (value > goal) missed = true;
}

/** The time to find frames, and that of plain rows with indexes, in turns. */
async function compare(
  what: string,
  count: number,
  goal: number,
  sides: { product(): Promise<unknown>; floor(): Promise<unknown> },
): Promise<void> {
  const product: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < count; round += 1) {
    product.push(...(await timed(1, sides.product)));
    floor.push(...(await timed(1, sides.floor)));
  }
  const p50 = at(product, 0.5);
  const plain = `plain rows ${at(floor, 0.5).toFixed(1)} and ${at(floor, 0.95).toFixed(1)}`;
  report(
    `${what}, p95 in ms`,
    at(product, 0.95),
    goal,
    `p50 ${p50.toFixed(1)}; ${plain}, ${(p50 / at(floor, 0.5)).toFixed(1)} times`,
  );
}

function some(frames: readonly unknown[]): void {
  if (frames.length === 0) throw new Error('No frames');
}

/** A page of the log of all devices. */
async function fleetFrames(filters: FleetFilters): Promise<readonly unknown[]> {
  return (await listFleetFrames(EVERYTHING, db, filters, { before: null, after: 0, limit: 100 })).frames;
}

async function addDevices(count: number, prefix = 'BENCH'): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `with c as (insert into customers (code, name) values ($2, $2) returning id),
       s as (insert into sites (customer_id, code, name) select id, $2, $2 from c returning id, customer_id),
       m as (insert into device_models (name, type) values ($2, 1) returning id),
       d as (insert into devices (sn, name, site_id, customer_id, device_model_id)
             select $2 || '-' || n, $2 || ' ' || n, s.id, s.customer_id, m.id from s, m, generate_series(1, $1::int) n
             returning id)
     select id from d order by id`,
    [count, prefix],
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
  const start = performance.now();
  for (const { id } of rows) {
    for (let packed = 1; packed > 0; frames += packed) packed = await packDevice(db, id, new Date(today + DAY_MS));
  }
  console.log(`  packed ${((frames / (performance.now() - start)) * 1_000).toFixed(0)} frames per second`);
  await fill(pool, 'vacuum protocol_frames');
  return frames;
}

/**
 * Storing while a packer works, compared with storing without it, in turns: the rate, and the frames per second of CPU
 * time of this process and the database.
 */
async function costOfPacking(ids: readonly number[]): Promise<{ rate: number; cpu: number }> {
  const postmaster = Number.parseInt(readFileSync(join(base.folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const cpuNow = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + cpuSeconds(postmaster);
  };
  const events = ids.map((id) => meterTraffic(`cost-${id}`, { from: Date.now() - 3_000_000, to: Date.now() }));
  const batch = (number: number) =>
    ids.flatMap((id, index) =>
      [0, 1].map((n) => itemOf(id, events[index]![(2 * number + n) % events[index]!.length]!)),
    );
  let number = 0;
  const rateOf = async (kind: 'without' | 'packing') => {
    // Messages wait at this rate, so the server packs less.
    const packer = framePacker({
      ...{ db, clock: systemClock, log: createLog('warn') },
      isLate: () => options.part !== 'packing',
    });
    if (kind === 'packing') packer.wake();
    let stored = 0;
    const startCpu = cpuNow();
    const start = performance.now();
    while (performance.now() - start < TURN_MS) {
      const items = batch(number++);
      await runEach(
        pool,
        frameStatements(items, () => null),
      );
      stored += items.length;
    }
    const measured = { rate: stored / (performance.now() - start), cpu: stored / (cpuNow() - startCpu) };
    await packer.stop();
    return measured;
  };
  type Measured = Awaited<ReturnType<typeof rateOf>>;
  const rates: { without: Measured; packing: Measured }[] = [];
  await rateOf('without');
  for (let pair = 0; pair < PAIRS; pair += 1) {
    // Each comes first in every other pair, so that a trend of the machine favors neither.
    const [first, second] = pair % 2 === 0 ? (['without', 'packing'] as const) : (['packing', 'without'] as const);
    const one = await rateOf(first);
    const other = await rateOf(second);
    rates.push(first === 'without' ? { without: one, packing: other } : { without: other, packing: one });
  }
  const ratios = (of: keyof Measured) => rates.map(({ without, packing }) => packing[of] / without[of]);
  const perSecond = (kind: 'without' | 'packing') =>
    (
      at(
        rates.map((pair) => pair[kind].rate),
        0.5,
      ) * 1_000
    ).toFixed(0);
  const spread = (of: keyof Measured) => `${at(ratios(of), 0.25).toFixed(2)} to ${at(ratios(of), 0.75).toFixed(2)}`;
  console.log(
    `  stored ${perSecond('without')} frames/s without packing, ${perSecond('packing')} with it; half of the pairs: ${spread('rate')} of the rate, ${spread('cpu')} by CPU time`,
  );
  return { rate: at(ratios('rate'), 0.5), cpu: at(ratios('cpu'), 0.5) };
}

/** Bytes of a table with its partitions and indexes. */
async function sizeOf(table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select coalesce(sum(pg_total_relation_size(relid)), 0)::bigint as bytes from pg_partition_tree($1) where isleaf`,
    [table],
  );
  return rows[0]!.bytes;
}
