import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Batch,
  type BatchCounts,
  batchIsOver,
  batchSpanMs,
  countOf,
  DEFAULT_BATCH_PARALLEL,
  failuresOf,
  MAX_BATCH_DEVICES,
  nextBatch,
} from './batches.ts';
import { type Execution, type ExecutionEvent, NEW_EXECUTION, nextExecution, refusedExecution } from './executions.ts';

const ended = (result: Execution['result'], reason: Execution['reason']): Execution => ({
  ...{ state: 'ended', result, reason },
});

test.each<[Execution, boolean, keyof BatchCounts]>([
  [NEW_EXECUTION, false, 'queued'],
  [{ state: 'sent', result: 'waiting', reason: null }, false, 'inFlight'],
  [ended('success', 'accepted'), false, 'succeeded'],
  [ended('failure', 'rejected'), false, 'failed'],
  [ended('failure', 'deviceDisabled'), false, 'failed'],
  [ended('timeout', 'noAnswer'), false, 'timedOut'],
  [ended('offline', 'deviceOffline'), false, 'offline'],
  [ended('failure', 'cancelled'), false, 'cancelled'],
  [ended('failure', 'batchStopped'), false, 'cancelled'],
  [refusedExecution('sameValue'), true, 'refused'],
])('%o counts as %3$s', (execution, refused, count) => {
  expect(countOf(execution, refused)).toBe(count);
});

test('a batch of a thousand silent devices is over within the hour', () => {
  const span = batchSpanMs('softReset', MAX_BATCH_DEVICES, DEFAULT_BATCH_PARALLEL);
  expect(span).toBeGreaterThan(45 * 60_000);
  expect(span).toBeLessThan(60 * 60_000);
});

const DEVICES = 6;
const NOTHING: BatchCounts = {
  ...{ queued: 0, inFlight: 0, succeeded: 0, failed: 0 },
  ...{ timedOut: 0, offline: 0, cancelled: 0, refused: 0 },
};

const event: fc.Arbitrary<ExecutionEvent> = fc.constantFrom<ExecutionEvent>(
  { type: 'sent' },
  { type: 'sent' },
  { type: 'putBack' },
  { type: 'answered', success: true, reason: 'accepted' },
  { type: 'answered', success: false, reason: 'rejected' },
  { type: 'notSent', reason: 'deviceOffline' },
  { type: 'deadlinePassed', line: 'kept' },
  { type: 'cancelled', reason: 'cancelled' },
);

test('whatever comes in whatever order: never more at a time than allowed, none after the stop, no device lost or counted twice', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: DEVICES - 1 }), event), { maxLength: 60 }),
      (parallel, stopAfter, steps) => {
        const executions: Execution[] = Array(DEVICES).fill(NEW_EXECUTION);
        let batch: Batch = { parallel, stopAfter, stopped: null, counts: { ...NOTHING, queued: DEVICES } };
        for (const [place, one] of steps) {
          const before = executions[place]!;
          const after = nextExecution(before, one);
          const moved = after && nextBatch(batch, before, after);
          if (!after || !moved) continue;
          if (after.state === 'sent') expect(batch.stopped).toBeNull();
          executions[place] = after;
          batch = moved;
          const counted = { ...NOTHING };
          for (const execution of executions) counted[countOf(execution)] += 1;
          expect(batch.counts).toEqual(counted);
          expect(batch.counts.inFlight).toBeLessThanOrEqual(parallel);
          expect(batch.stopped !== null).toBe(stopAfter !== null && failuresOf(batch.counts) >= stopAfter);
          expect(batchIsOver(batch.counts)).toBe(executions.every(({ state }) => state === 'ended'));
        }
      },
    ),
    { numRuns: 1_000 },
  );
});
