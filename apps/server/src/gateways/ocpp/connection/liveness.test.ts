import { expect, test } from 'vitest';
import { Liveness } from './liveness.ts';

const PING = 30;
const HEARTBEAT = 60;
const at = (seconds: number) => seconds * 1_000;

test.each<[string, (liveness: Liveness) => void, dead: number]>([
  ['a device that never answered a ping: three heartbeats', () => undefined, 180],
  ['one that answers pings: two pings', (liveness) => liveness.pong(at(0)), 60],
  ['a pong counts', (liveness) => liveness.pong(at(100)), 160],
  ['a message counts', (liveness) => liveness.alive(at(100)), 280],
  ['an interval that was changed since', (liveness) => liveness.setInterval(600), 1_800],
  ['a short interval does not shorten the time for pings', (liveness) => liveness.setInterval(5), 60],
  ['no heartbeats at all: three days', (liveness) => liveness.setInterval(0), 259_200],
])('%s', (_, happens, dead) => {
  const liveness = new Liveness(at(0), PING, HEARTBEAT);
  happens(liveness);
  expect(liveness.deadFor(at(dead))).toBeNull();
  expect(liveness.deadFor(at(dead) + 1)).not.toBeNull();
});

test('the seconds of silence are returned', () => {
  const liveness = new Liveness(at(0), PING, HEARTBEAT);
  liveness.alive(at(20));
  expect(liveness.deadFor(at(220.4))).toBe(200);
});

test('pings are due at their interval', () => {
  const liveness = new Liveness(at(0), PING, HEARTBEAT);
  expect([29, 30, 31, 60].map((seconds) => liveness.isPingDue(at(seconds)))).toEqual([false, true, false, true]);
});
