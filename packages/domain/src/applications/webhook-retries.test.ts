import { expect, test } from 'vitest';
import { isReceiverDown, retryDelivery, WEBHOOK_GIVE_UP_SECONDS } from './webhook-retries.ts';

const refused = { status: 500, text: '', accepted: false };

test('a delivery is tried for three days, with growing pauses', () => {
  const pauses: number[] = [];
  for (let delay = retryDelivery(1, refused); delay !== null; delay = retryDelivery(pauses.length + 1, refused)) {
    pauses.push(delay);
  }
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(WEBHOOK_GIVE_UP_SECONDS);
});

test('a receiver can ask for a longer pause of at most a day', () => {
  expect(retryDelivery(1, { ...refused, retryAfterSeconds: 900 })).toBe(900);
  expect(retryDelivery(4, { ...refused, retryAfterSeconds: 1 })).toBe(1_800);
  expect(retryDelivery(1, { ...refused, retryAfterSeconds: 999_999 })).toBe(86_400);
});

test('a delivery is not tried again when its address is forbidden or gone', () => {
  expect(retryDelivery(1, { ...refused, final: true })).toBeNull();
  expect(retryDelivery(1, { ...refused, gone: true })).toBeNull();
});

test.each([
  [null, true],
  [500, true],
  [503, true],
  [429, true],
  [400, false],
  [302, false],
])('a receiver that answers %s is down: %s', (status, down) => expect(isReceiverDown({ status })).toBe(down));
