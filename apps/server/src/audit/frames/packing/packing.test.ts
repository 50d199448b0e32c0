import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packFrames, unpackFrames } from './batches.ts';
import type { Frame } from './columns.ts';
import { DICTIONARIES, dictionaryOf } from './dictionaries.ts';
import { actionKey, keysOf, messageIdKey } from './keys.ts';
import { divide, ripe, takesMore } from './ripe.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const frame = (given: Partial<Frame> = {}): Frame => ({
  ...{ id: 1, connectionId: null, at: new Date(NOW), type: 2, action: null, messageId: null, body: null },
  ...{ note: null, ...given },
  bytes: given.bytes ?? Buffer.byteLength(given.body ?? ''),
});
const numbered = (frames: Frame[]) => frames.map((one, index) => ({ ...one, id: 7_000_000_000 + 3 * index }));
const unpacked = async (frames: Frame[], protocol: string | null) =>
  await unpackFrames(await packFrames(frames, protocol));
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('frames are the same after packing', () => {
  const bodies: [string, string[]][] = [
    ['numbers with equal decimals', ['{"v":"231.40"}', '{"v":"-5.00"}', '{"v":"0.01"}']],
    ['numbers without trailing zeros', ['{"v":231.4}', '{"v":231}', '{"v":-0.05}']],
    ['numbers that are not canonical', ['{"v":007}', '{"v":-0}', '{"v":1.50}', '{"v":1}']],
    ['large numbers', ['{"v":999999999999999}', '{"v":-999999999.999999}', '{"v":12345678901234567890}']],
    ['times', ['"2026-11-26T11:59:59.000Z"', '"1970-01-01T00:00:00.001Z"', '"2026-11-26T11:59:59Z"']],
    ['texts like times', ['"2026-02-30T10:00:00Z"', '"2026-13-01T10:00:00.000Z"', '"2026-11-26T24:00:00Z"']],
    ['UUIDs', [`"${UUID}"`, `"${UUID.toUpperCase()}"`, `"x${UUID}y"`]],
    ['marks of the format', ['\u0001n', '5', '\u0001', '\u0002m', '["\u0002a",5]', '\u0001tu']],
    ['other texts', ['', 'ü充电桩🔌', 'a1b2.3.4', '1.6J', '-', '--5', '5-5', '1e5', '$&$1']],
  ];
  test.each(bodies)('%s', async (_, texts) => {
    const frames = numbered([...texts, ...texts].map((body) => frame({ body, action: 'A', messageId: 'm' })));
    for (const protocol of ['ocpp1.6', 'ocpp2.0.1', null]) expect(await unpacked(frames, protocol)).toEqual(frames);
  });

  test('calls, their responses and everything around them', async () => {
    const frames = numbered([
      frame({ type: 0, connectionId: UUID, note: 'ocpp1.6' }),
      frame({ action: 'Heartbeat', messageId: 'sn-1', body: '[2,"sn-1","Heartbeat",{}]' }),
      frame({ action: 'Heartbeat', messageId: 'sn-1', body: '[3,"sn-1",{"currentTime":"2026-11-26T12:00:00.003Z"}]' }),
      frame({ action: '"', messageId: '$&', body: '[2,"$&",""",{}]' }),
      frame({ action: 'm', messageId: 'a', body: '[2,"a","m",{"a":"m"}]' }),
      frame({ action: 'x', messageId: 'x', body: '[2,"x","x",{}]' }),
      frame({ body: 'shortened…', bytes: 100_000, at: new Date(NOW - 5) }),
      frame({ type: 1, note: 'closed (1001 gone)', at: new Date(0) }),
    ]);
    expect(await unpacked(frames, 'ocpp1.6')).toEqual(frames);
  });

  test('any frames', async () => {
    const text = fc.oneof(
      fc.constantFrom('\u0001', '\u0002m', '\u0001n', '"a"', '5', '-5.50', UUID, '2026-11-26T12:00:00Z'),
      fc.string({ unit: 'grapheme' }),
    );
    const body = fc.array(text, { maxLength: 6 }).map((parts) => parts.join(''));
    const optional = fc.option(body);
    const any = fc.record({
      ...{ type: fc.integer({ min: 0, max: 3 }), connectionId: fc.option(fc.uuid()), body: optional, note: optional },
      ...{ action: optional, messageId: optional, bytes: fc.nat() },
      at: fc.integer({ min: -1, max: 4e12 }).map((at) => new Date(at)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 20 }), async (some) => {
        const frames = numbered(some.map(frame));
        expect(await unpacked(frames, 'ocpp2.1')).toEqual(frames);
      }),
    );
  });

  test('a batch names what it contains', async () => {
    const frames = numbered([
      frame({ at: new Date(NOW + 5), messageId: 'b', action: 'Heartbeat' }),
      frame({ at: new Date(NOW), messageId: 'b', action: 'Heartbeat' }),
    ]);
    const batch = await packFrames(frames, 'ocpp2.0.1');
    expect([await unpackFrames(batch, 'c'), await unpackFrames(batch, 'b')]).toEqual([[], frames]);
    expect(batch).toMatchObject({
      ...{ firstId: 7_000_000_000, lastId: 7_000_000_003, frames: 2, dictionary: 2 },
      ...{ at: new Date(NOW), lastAt: new Date(NOW + 5), keys: [actionKey('Heartbeat'), messageIdKey('b')] },
    });
  });
});

test('40 similar meter values take at most 100 bytes', async () => {
  const sampled = (n: number) =>
    Array.from({ length: 40 }, (_, k) => ({
      ...{ value: (230 + k + Math.sin(n * 7.3 + k * 3.1)).toFixed(1), context: 'Sample.Periodic', unit: 'V' },
      ...{ measurand: 'Voltage', phase: `L${k}` },
    }));
  const frames = numbered(
    Array.from({ length: 60 }, (_, n) => {
      const at = new Date(NOW + n * 30_000);
      const payload = { connectorId: 1, meterValue: [{ timestamp: at.toISOString(), sampledValue: sampled(n) }] };
      return frame({ at, messageId: `m${n}`, body: JSON.stringify([2, `m${n}`, 'MeterValues', payload]) });
    }),
  );
  expect((await packFrames(frames, 'ocpp1.6')).data.length / frames.length).toBeLessThan(100);
});

test('the script reproduces the dictionaries from the schemas', async () => {
  const script = join(import.meta.dirname, '../../../../../../scripts/frame-dictionaries.mjs');
  const run = promisify(execFile);
  await run(process.execPath, [script]);
  const { stdout } = await run(process.execPath, [script, 'ocpp2']);
  expect(stdout).toBe(dictionaryOf(2)?.toString());
});

test('the dictionaries of stored batches never change', () => {
  const known = DICTIONARIES.map(({ number }) => {
    const text = dictionaryOf(number);
    return [number, text && createHash('sha256').update(text).digest('hex').slice(0, 16)];
  });
  expect(known).toEqual([
    [1, '530675bef2ce2ca4'],
    [2, '54dc7f6921cbfbaa'],
    [0, undefined],
  ]);
  expect(() => dictionaryOf(99)).toThrow('There is no dictionary 99');
});

test('equal message IDs have equal keys, and few others have the same', () => {
  const ids = Array.from({ length: 20_000 }, (_, n) => `sn-${n}`);
  expect(keysOf(ids.map((messageId) => ({ messageId, action: null }))).length).toBeGreaterThan(19_000);
  expect(keysOf([{ messageId: null, action: null }])).toEqual([]);
  expect(messageIdKey('a')).toBeGreaterThanOrEqual(0);
  expect(actionKey('a')).toBeLessThan(0);
});

const HOUR = 3_600_000;
test.each([
  [0, 0, 0],
  [255, HOUR - 1, 0],
  [255, HOUR, 255],
  [256, 0, 256],
  [600, 0, 512],
  [600, HOUR, 600],
])('of %i frames, the oldest %i ms old, %i are packed', (count, age, packed) => {
  expect(ripe(count, new Date(NOW - age), new Date(NOW))).toBe(packed);
});

test('batches are limited in frames, characters and days', () => {
  const sizes = (frames: { at: Date; body: string | null }[]) => divide(frames).map((batch) => batch.length);
  const many = (count: number, body: string | null = null) => Array.from({ length: count }, () => frame({ body }));
  expect(sizes([])).toEqual([]);
  expect(sizes(many(513))).toEqual([256, 256, 1]);
  expect(sizes(many(5, 'x'.repeat(90_000)))).toEqual([2, 2, 1]);
  expect(sizes(many(2, 'x'.repeat(500_000)))).toEqual([1, 1]);
  const midnight = new Date(Date.UTC(2026, 10, 27));
  expect(sizes([frame(), frame({ at: midnight }), frame({ at: midnight }), frame()])).toEqual([1, 2, 1]);
});

test.each([
  [191, 700, true],
  [192, 0, false],
  [74, 2_000, true],
  [75, 2_000, false],
])('a batch of %i frames with %i characters each takes more: %o', (count, length, takes) => {
  expect(takesMore(Array.from({ length: count }, () => frame({ body: 'x'.repeat(length) })))).toBe(takes);
});
