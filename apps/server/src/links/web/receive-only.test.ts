import { expect, test } from 'vitest';
import { receiveOnly } from './receive-only.ts';

/** A masked frame of a client; the mask is zero. */
function frame(opcode: number, payload: Buffer, { last = true } = {}): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x80 | length])
      : length < 65_536
        ? Buffer.from([0x80 | 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x80 | 127, 0, 0, 0, 0, 0]), Buffer.from([length >> 16, length >> 8, length])]);
  return Buffer.concat([Buffer.from([(last ? 0x80 : 0) | opcode]), head, Buffer.alloc(4), payload]);
}

const TEXT = frame(1, Buffer.from('on'));
const PING = frame(9, Buffer.from('data'));
const PONG = frame(10, Buffer.from('1'));
const CLOSE = frame(8, Buffer.from([3, 232]));
const LONG = frame(2, Buffer.alloc(300, 1));
const HUGE = frame(2, Buffer.alloc(70_000, 2));

/** What passes of chunks, and whether the filter failed. */
function filter(passes: () => boolean) {
  const stream = receiveOnly(passes);
  const kept: Buffer[] = [];
  let failed = false;
  stream.on('data', (data) => kept.push(data));
  stream.on('error', () => {
    failed = true;
  });
  return {
    send: (data: Buffer) => new Promise<void>((resolve) => stream.write(data, () => resolve())),
    kept: () => Buffer.concat(kept),
    failed: () => failed,
  };
}

test.each([1, 3, 100_000])('only answers to pings and the close remain, in chunks of %i bytes', async (size) => {
  const all = Buffer.concat([TEXT, PING, LONG, PONG, HUGE, TEXT, CLOSE]);
  for (const [allowed, expected] of [
    [false, Buffer.concat([PONG, CLOSE])],
    [true, all],
  ] as const) {
    const { send, kept } = filter(() => allowed);
    for (let at = 0; at < all.length; at += size) await send(all.subarray(at, at + size));
    expect(kept().equals(expected)).toBe(true);
  }
});

test('the rest of a message that was dropped is dropped, and one that was passed must not go on', async () => {
  let allowed = false;
  const dropped = filter(() => allowed);
  await dropped.send(frame(1, Buffer.from('a'), { last: false }));
  allowed = true;
  await dropped.send(frame(0, Buffer.from('b')));
  expect(dropped.kept()).toHaveLength(0);
  await dropped.send(TEXT);
  expect(dropped.kept()).toEqual(TEXT);
  for (const rest of [frame(0, Buffer.from('b')), LONG.subarray(200)]) {
    allowed = true;
    const begun = filter(() => allowed);
    await begun.send(rest.length < 100 ? frame(1, Buffer.from('a'), { last: false }) : LONG.subarray(0, 200));
    allowed = false;
    await begun.send(rest);
    expect(begun.failed()).toBe(true);
  }
});

test('a control frame that is too long ends the connection', async () => {
  const { send, failed } = filter(() => false);
  await send(frame(10, Buffer.alloc(126)));
  expect(failed()).toBe(true);
});
