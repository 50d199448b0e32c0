import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw, type RawPoint, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';
import { EVERY_CASE } from '../../testing/stalls/every-case.ts';

/** The total number of frames, and of connections that send them. `FUZZ_SEED` repeats a run. */
const FRAMES = EVERY_CASE ? 100_000 : 25_000;
const LINES = 8;
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_102);
/** The number of frames after which a connection sends a Heartbeat and waits for its answer. */
const STRETCH = 250;
const FRAME_LIMIT = 16_384;
/** The maximum growth of the process memory (bytes). */
const GROWTH_LIMIT = 64 * 1024 * 1024;
/** OCPP-J 1.6 §4.2.3. */
const CODES: ReadonlySet<unknown> = new Set([
  'NotImplemented',
  'NotSupported',
  'InternalError',
  'ProtocolError',
  'SecurityError',
  'FormationViolation',
  'PropertyConstraintViolation',
  'OccurenceConstraintViolation',
  'TypeConstraintViolation',
  'GenericError',
]);

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ frameLimitBytes: FRAME_LIMIT });
});
afterAll(() => bed.stop());

test(`${FRAMES} random, truncated, mutated and huge frames cause no crash, leak or wrong answer, and other devices are served`, {
  // Generous: the test counts, it does not measure time.
  timeout: 1_200_000,
}, async () => {
  const collect = garbageCollector();
  const illegal: unknown[] = [];
  let sent = 0;
  let connections = 0;
  await bed.addDevice('CALM-1');
  const calm = await connectRaw(`${bed.url}/CALM-1`);
  for (let connection = 0; connection < LINES; connection += 1)
    await bed.addDevice(`FUZZ-${connection}`, { tolerant: connection % 2 === 1 });

  const attack = async (connection: number, frames: number) => {
    const random = randomOf(SEED + connection);
    let left = frames;
    while (left > 0) {
      const point = await connectRaw(`${bed.url}/FUZZ-${connection}`);
      connections += 1;
      point.socket.on('message', (data) => check(JSON.parse(String(data)), illegal));
      while (left > 0 && point.socket.readyState === point.socket.OPEN) {
        const stretch = Math.min(left, STRETCH);
        for (let number = 0; number < stretch; number += 1) {
          const { data, binary } = randomFrame(random);
          point.socket.send(data, { binary });
        }
        left -= stretch;
        sent += stretch;
        await Promise.race([signOfLife(point, `alive-${connection}-${left}`), point.closed]);
      }
      point.socket.terminate();
    }
  };

  collect();
  const before = process.memoryUsage();
  const attacks = Promise.all(Array.from({ length: LINES }, (_, connection) => attack(connection, FRAMES / LINES)));
  let over = false;
  void attacks.finally(() => {
    over = true;
  });
  let answers = 0;
  while (!over) {
    const [type] = await calm.call('Heartbeat', {});
    expect(type).toBe(3);
    answers += 1;
  }
  await attacks;
  collect();
  const after = process.memoryUsage();

  expect(sent).toBe(FRAMES);
  expect(illegal).toEqual([]);
  expect(connections).toBeGreaterThan(LINES);
  expect(calm.socket.readyState).toBe(calm.socket.OPEN);
  // Counted, not timed: the fuzzing connections wait for an answer after every series of frames, and the well-behaved
  // device sends as often.
  expect(answers).toBeGreaterThan(FRAMES / LINES / STRETCH / 2);
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(GROWTH_LIMIT);
  expect(bed.gateway.connections).toBeLessThanOrEqual(LINES + 1);
});

/** Only the three message types of OCPP-J and the error codes of the specification are allowed. */
function check(frame: unknown, illegal: unknown[]): void {
  const fine =
    Array.isArray(frame) &&
    (frame[0] === 3 ? frame.length === 3 : frame[0] === 4 && frame.length === 5 && CODES.has(frame[2]));
  if (!fine) illegal.push(frame);
}

/** Resolves when the answer to a Heartbeat with this id has arrived, whatever arrived before it. */
async function signOfLife(point: RawPoint, id: string): Promise<void> {
  point.send([2, id, 'Heartbeat', {}]);
  for (;;) if ((await point.next())[1] === id) return;
}

/** Pseudorandom numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const VALID = [
  ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }],
  ['Heartbeat', {}],
  [
    'StatusNotification',
    { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp: '2026-01-01T00:00:00Z' },
  ],
  [
    'MeterValues',
    {
      connectorId: 1,
      meterValue: [{ timestamp: '2026-01-01T00:00:00Z', sampledValue: [{ value: '1.5', unit: 'kWh' }] }],
    },
  ],
  ['StartTransaction', { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: '2026-01-01T00:00:00Z' }],
  ['StopTransaction', { transactionId: 1, meterStop: 1, timestamp: '2026-01-01T00:00:00Z' }],
  ['Authorize', { idTag: 'T' }],
  ['DataTransfer', { vendorId: 'v', data: 'd' }],
  ['FirmwareStatusNotification', { status: 'Idle' }],
  ['DiagnosticsStatusNotification', { status: 'Idle' }],
] as const;

const ODD = [
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\ud800',
  '💥',
  "'; drop table devices; --",
  '<script>',
  '\\',
  '"',
  '',
  ' ',
  '1e999',
  '-0',
  'NaN',
  '9'.repeat(400),
];

function randomFrame(random: () => number): { data: string | Buffer; binary: boolean } {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const whole = (most: number) => Math.floor(random() * most);
  const chance = random();
  const text = (data: string) => ({ data, binary: false });
  // Rare, because each of these closes the connection.
  if (chance < 0.0003) return { data: Buffer.from(Array.from({ length: 20 }, () => whole(256))), binary: true };
  if (chance < 0.0006) return text('x'.repeat(FRAME_LIMIT + 1 + whole(3 * FRAME_LIMIT)));
  if (chance < 0.0009) return text('y'.repeat(1_000_000));
  if (chance < 0.0012) return { data: Buffer.from([0xc3, 0x28, whole(256)]), binary: false };
  if (chance < 0.01) return text('['.repeat(1 + whole(FRAME_LIMIT)));
  if (chance < 0.012)
    return text(`[2,"d","DataTransfer",{"vendorId":"v","data":"${'z'.repeat(whole(FRAME_LIMIT - 60))}"}]`);
  if (chance < 0.015) return text(`[3,"${'['.repeat(9)}",${'['.repeat(5_000)}${']'.repeat(5_000)}]`);

  const [action, payload] = pick(VALID);
  const valid = JSON.stringify([2, `f${whole(5_000)}`, action, payload]);
  if (chance < 0.15) return text(valid.slice(0, whole(valid.length)));
  if (chance < 0.5) return text(mutated(valid, 1 + whole(4), whole));
  if (chance < 0.7)
    return text(JSON.stringify([2, `f${whole(5_000)}`, action, { ...payload, [pick(ODD)]: pick(ODD) }]));
  if (chance < 0.85) {
    const fields = Object.keys(payload);
    const changed = { ...payload, [pick(fields) ?? 'x']: pick([null, [], {}, true, -1, 2 ** 40, 0.1, ...ODD]) };
    return text(JSON.stringify([2, `f${whole(5_000)}`, action, changed]));
  }
  if (chance < 0.92)
    return text(
      JSON.stringify([pick([0, 1, 2, 3, 4, 5, '2', null, {}]), pick([...ODD, 1, null]), pick(ODD), pick(ODD)]),
    );
  if (chance < 0.95) {
    const id = `00000000-0000-4000-8000-${String(whole(10)).padStart(12, '0')}`;
    return text(
      JSON.stringify([
        3 + whole(2),
        id,
        pick([{}, { status: pick(ODD) }, null, 'x', { configurationKey: pick([1, [1], [{}], {}]) }]),
      ]),
    );
  }
  return text(String.fromCharCode(...Array.from({ length: whole(60) }, () => 1 + whole(0xd7ff))));
}

function mutated(text: string, times: number, whole: (most: number) => number): string {
  let result = text;
  for (let time = 0; time < times; time += 1) {
    const at = whole(result.length);
    const insert = String.fromCharCode(32 + whole(95));
    result = result.slice(0, at) + insert + result.slice(at + whole(3));
  }
  return result;
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
