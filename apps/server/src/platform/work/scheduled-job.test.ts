import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, type Log } from '../log.ts';
import { scheduledJob } from './scheduled-job.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const log = createLog('silent');
const recorder = () => {
  const lines: string[] = [];
  const line = (level: string) => (one: unknown, text?: string) => lines.push(`${level} ${text ?? one}`);
  return { lines, log: { ...log, error: line('error'), warn: line('warn'), info: line('info') } as unknown as Log };
};

test('one run at the start, then one after every pause, until the stop', async () => {
  const work = vi.fn(async () => undefined);
  const turns = scheduledJob(work, { job: 'probe', everyMs: 1_000, log, failed: 'failed' });
  await turns.start();
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(work).toHaveBeenCalledTimes(3);
  await turns.stop();
  turns.wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(3);
});

test('the first run may wait for its pause', async () => {
  const work = vi.fn(async () => undefined);
  const turns = scheduledJob(work, { job: 'probe', everyMs: 1_000, log, failed: 'failed' });
  turns.startLater();
  await vi.advanceTimersByTimeAsync(999);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(1);
  await turns.stop();
});

test('never two at once, woken or not; the pause starts when a run ends, and a stop waits for it', async () => {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const turns = scheduledJob(
    (signal) => {
      signals.push(signal);
      return new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    },
    { job: 'probe', everyMs: 1_000, log, failed: 'failed' },
  );
  void turns.start();
  turns.wake();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ends).toHaveLength(1);
  ends[0]!();
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toHaveLength(1);
  turns.wake();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ends).toHaveLength(2);

  let stopped = false;
  const stopping = turns.stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(signals[1]!.aborted).toBe(true);
  expect(stopped).toBe(false);
  ends[1]!();
  await stopping;
  expect(vi.getTimerCount()).toBe(0);
});

test('an error is logged once when it starts and once when it is over, or for every run', async () => {
  const outcomes = [true, false, false, true, true, false];
  const turn = (left: boolean[]) => async () => {
    if (!left.shift()) throw new Error('no database');
  };
  const once = recorder();
  const each = recorder();
  const options = { job: 'probe', everyMs: 1_000, failed: 'it failed' } as const;
  const turns = [
    scheduledJob(turn([...outcomes]), { ...options, log: once.log, again: 'it works again' }),
    scheduledJob(turn([...outcomes]), { ...options, log: each.log }),
  ];
  await Promise.all(turns.map((one) => one.start()));
  await vi.advanceTimersByTimeAsync((outcomes.length - 1) * 1_000);
  expect(once.lines).toEqual(['error it failed', 'info it works again', 'error it failed']);
  expect(each.lines).toEqual(['warn it failed', 'warn it failed', 'warn it failed']);
  await Promise.all(turns.map((one) => one.stop()));
});
