import { expect, test } from 'vitest';
import { steppedClock } from '../../testing/clock.ts';
import { listQueue } from './list-queue.ts';

/** Devices that take two messages each. Returns which device had a step, in order. */
function fleet() {
  const clock = steppedClock();
  const steps: number[] = [];
  const left = new Map<number, number>();
  let atOnce = 0;
  let empty = 0;
  const queue = listQueue({
    clock,
    async step(deviceId) {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await Promise.resolve();
      atOnce -= 1;
      steps.push(deviceId);
      const messages = left.get(deviceId) ?? 2;
      left.set(deviceId, messages - 1);
      return messages > 0 ? { executionId: `${deviceId}-${messages}`, send: true } : null;
    },
    send: async () => undefined,
    onEmpty() {
      empty += 1;
    },
  });
  /** Lets every pause end until nothing is to do. */
  const settle = async () => {
    for (let turn = 0; turn < 200; turn += 1) {
      for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
      await clock.advance(1_000);
    }
  };
  return { queue, steps, settle, empty: () => empty };
}

test('devices have one step at a time, and the next one when they answer', async () => {
  const { queue, steps, settle, empty } = fleet();
  queue.add([1, 2]);
  await settle();
  expect(steps).toEqual([1, 2]);
  expect(queue.open()).toEqual(['1-2', '2-2']);
  expect(queue.onAnswered(1, 'of another command')).toBe(false);
  expect(queue.onAnswered(2, '2-2')).toBe(true);
  await settle();
  expect(queue.onAnswered(2, '2-1')).toBe(true);
  await settle();
  expect(steps).toEqual([1, 2, 2, 2]);
  expect(queue.open()).toEqual(['1-2']);
  expect(empty()).toBeGreaterThan(0);
  await queue.stop();
});

test('at most 50 messages are open; a device that ended without an answer makes room', async () => {
  const { queue, steps, settle } = fleet();
  queue.add(Array.from({ length: 60 }, (_, n) => n + 1));
  await settle();
  expect(steps).toHaveLength(50);
  // Found by the sweep: its command ended.
  queue.add([7]);
  queue.onAnswered(8, '8-2');
  await settle();
  expect(steps.slice(50)).toEqual([7, 8]);
  for (const id of [7, 8]) queue.onAnswered(id, `${id}-1`);
  await settle();
  expect(steps.slice(52)).toEqual([7, 8, 51, 52]);
  await queue.stop();
});
