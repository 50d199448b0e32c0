import { expect, test } from 'vitest';
import { Liveness } from './liveness.ts';

const PING = 30;
const HEARTBEAT = 60;
const at = (seconds: number) => seconds * 1_000;

test.each<[string, (line: Liveness) => void, dead: number]>([
  ['a device that never answered a ping: three heartbeats', () => undefined, 180],
  ['one that answers pings: two pings', (line) => line.pong(at(0)), 60],
  ['a pong is a sign of life', (line) => line.pong(at(100)), 160],
  ['a message is a sign of life', (line) => line.alive(at(100)), 280],
  ['an interval that was set since', (line) => line.setInterval(600), 1_800],
  ['a short interval never outruns the pings', (line) => line.setInterval(5), 60],
  ['no heartbeats at all: three days', (line) => line.setInterval(0), 259_200],
])('%s', (_, happens, dead) => {
  const line = new Liveness(at(0), PING, HEARTBEAT);
  happens(line);
  expect(line.deadFor(at(dead))).toBeNull();
  expect(line.deadFor(at(dead) + 1)).not.toBeNull();
});

test('pings are due at their interval', () => {
  const line = new Liveness(at(0), PING, HEARTBEAT);
  expect([29, 30, 31, 60].map((seconds) => line.isPingDue(at(seconds)))).toEqual([false, true, false, true]);
});
