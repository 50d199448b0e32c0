import { DRAFT_SAVE_MS } from '@chargehand/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DraftState, draftSaver } from './draft-saver.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SAVED = { savedAt: '2026-01-01T08:00:00.000Z' };

function saverOf(save: () => Promise<{ savedAt: string }>) {
  const states: DraftState[] = [];
  const saved = vi.fn(save);
  const saver = draftSaver({ savedAt: null, save: saved, onState: (state) => states.push(state) });
  saver.start();
  return { saver, saved, last: () => states.at(-1) };
}

test('changes are saved every 30 seconds, and nothing else is', async () => {
  const { saver, saved, last } = saverOf(async () => SAVED);
  await vi.advanceTimersByTimeAsync(DRAFT_SAVE_MS * 3);
  expect(saved).not.toHaveBeenCalled();
  saver.changed();
  saver.changed();
  expect(last()?.changes).toBe('unsaved');
  await vi.advanceTimersByTimeAsync(DRAFT_SAVE_MS);
  expect(saved).toHaveBeenCalledTimes(1);
  expect(last()).toEqual({ changes: 'none', savedAt: SAVED.savedAt, problem: null });
  await vi.advanceTimersByTimeAsync(DRAFT_SAVE_MS * 2);
  expect(saved).toHaveBeenCalledTimes(1);
});

test('a change during a request is not reported as saved, and is saved next', async () => {
  const answer = Promise.withResolvers<{ savedAt: string }>();
  const { saver, saved, last } = saverOf(() =>
    saved.mock.calls.length === 1 ? answer.promise : Promise.resolve(SAVED),
  );
  saver.changed();
  const first = saver.flush();
  saver.changed();
  const second = saver.flush();
  expect(saved).toHaveBeenCalledTimes(1);
  answer.resolve(SAVED);
  expect(await first).toBe(false);
  expect(await second).toBe(true);
  expect(saved).toHaveBeenCalledTimes(2);
  expect(last()?.changes).toBe('none');
});

test('a failure is reported with its reason and the time of the last success, and is tried again', async () => {
  let broken = false;
  const { saver, last } = saverOf(async () => {
    if (broken) throw new Error('No connection');
    return SAVED;
  });
  saver.changed();
  await saver.flush();
  broken = true;
  saver.changed();
  expect(await saver.flush()).toBe(false);
  expect(last()).toEqual({ changes: 'failed', savedAt: SAVED.savedAt, problem: 'No connection' });
  broken = false;
  await vi.advanceTimersByTimeAsync(DRAFT_SAVE_MS);
  expect(last()?.changes).toBe('none');
});

test('a published text has nothing to save', async () => {
  const { saver, saved, last } = saverOf(async () => SAVED);
  saver.changed();
  saver.published();
  expect(await saver.flush()).toBe(true);
  expect(saved).not.toHaveBeenCalled();
  expect(last()).toEqual({ changes: 'none', savedAt: null, problem: null });
});
