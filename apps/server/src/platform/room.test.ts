import { expect, test } from 'vitest';
import { type ProcessRole, type Room, startRooms } from './room.ts';

const EVERY_ROLE: ReadonlySet<ProcessRole> = new Set(['api', 'gateway', 'jobs', 'links']);

/** Modules that record their calls. */
function recordedRooms(...rooms: (Partial<Room> & { name: string })[]) {
  const calls: string[] = [];
  const recorded = rooms.map(
    (room): Room => ({
      start: () => void calls.push(`start ${room.name}`),
      stop: () => void calls.push(`stop ${room.name}`),
      ...room,
    }),
  );
  return { calls, rooms: recorded };
}

test('rooms start in order and stop in reverse order', async () => {
  const { calls, rooms } = recordedRooms({ name: 'a' }, { name: 'b' }, { name: 'c' });
  const stop = await startRooms(rooms, EVERY_ROLE);
  await stop();
  expect(calls).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('a room starts only in processes that have its role', async () => {
  const { calls, rooms } = recordedRooms(
    { name: 'any' },
    { name: 'sweep', role: 'jobs' },
    { name: 'ws', role: 'gateway' },
  );
  await startRooms(rooms, new Set(['jobs']));
  expect(calls).toEqual(['start any', 'start sweep']);
});

test('if a room fails to start, every room is stopped and the error is thrown', async () => {
  const failing = { name: 'b', start: () => Promise.reject(new Error('port in use')) };
  const { calls, rooms } = recordedRooms({ name: 'a' }, failing, { name: 'c' });
  await expect(startRooms(rooms, EVERY_ROLE)).rejects.toThrow('port in use');
  expect(calls).toEqual(['start a', 'stop c', 'stop b', 'stop a']);
});

test('a room that fails to stop does not keep the others running', async () => {
  const failing = { name: 'b', stop: () => Promise.reject(new Error('stuck')) };
  const { calls, rooms } = recordedRooms({ name: 'a' }, failing, { name: 'c' });
  const stop = await startRooms(rooms, EVERY_ROLE);
  await expect(stop()).rejects.toThrow('stuck');
  expect(calls.slice(3)).toEqual(['stop c', 'stop a']);
});
