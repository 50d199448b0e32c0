import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Batch,
  type BatchCounts,
  type BatchExecution,
  batchIsOver,
  batchSpanMs,
  batchTimeoutMs,
  countOf,
  DEFAULT_BATCH_PARALLEL,
  failuresOf,
  nextBatch,
} from './batches.ts';
import { MAX_QUEUE_MINUTES } from './controls.ts';
import { type Execution, type ExecutionEvent, NEW_EXECUTION, nextExecution, refusedExecution } from './executions.ts';
import { nextTask } from './tasks.ts';
import {
  newTransfer,
  refusedTransfer,
  statusEvent,
  TRANSFER_RULES,
  type Transfer,
  type TransferEvent,
  transferResult,
  versionEvent,
} from './transfers.ts';

const ended = (result: Execution['result'], reason: Execution['reason']): Execution => ({
  ...{ state: 'ended', result, reason },
});

test.each<[BatchExecution, boolean, keyof BatchCounts]>([
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
  [{ ...NEW_EXECUTION, file: 'underWay' }, false, 'queued'],
  [{ ...ended('success', 'accepted'), file: 'underWay' }, false, 'inFlight'],
  [{ ...ended('success', 'accepted'), file: 'done' }, false, 'succeeded'],
  [{ ...ended('success', 'accepted'), file: 'failed' }, false, 'failed'],
  [{ ...ended('success', 'accepted'), file: 'timedOut' }, false, 'timedOut'],
  [{ ...ended('timeout', 'noAnswer'), file: 'underWay' }, false, 'timedOut'],
  [{ ...ended('timeout', 'noAnswer'), file: 'done' }, false, 'succeeded'],
  [{ ...ended('failure', 'rejected'), file: 'failed' }, false, 'failed'],
  [{ ...ended('offline', 'deviceOffline'), file: 'failed' }, false, 'offline'],
  [{ ...ended('failure', 'batchStopped'), file: 'failed' }, false, 'cancelled'],
])('%o counts as %3$s', (execution, refused, count) => {
  expect(countOf(execution, refused)).toBe(count);
});

test('a batch of a thousand silent devices ends within an hour', () => {
  const span = batchSpanMs('clearCache', 1_000, DEFAULT_BATCH_PARALLEL);
  expect(span).toBeGreaterThan(20 * 60_000);
  expect(span).toBeLessThan(60 * 60_000);
  expect(batchTimeoutMs('clearCache', 1_000, DEFAULT_BATCH_PARALLEL)).toBe(span);
});

test.each([
  ['upgradeSoftware', 20, 20, 30],
  ['upgradeSoftware', 100, 20, 150],
  ['uploadLog', 21, 20, 60],
  // one minute to respond and two to restart
  ['softReset', 100, 20, 15],
  // The response of most devices is the result. Only devices with a vehicle take longer.
  ['disableSystem', 100, 20, 2.5],
] as const)(
  'a batch of %s to %i devices, %i at a time, usually takes %i minutes, and no device times out within a week',
  (kind, devices, parallel, minutes) => {
    const span = batchSpanMs(kind, devices, parallel);
    expect(span).toBeGreaterThanOrEqual(minutes * 60_000);
    expect(span).toBeLessThan((minutes + 3) * 60_000);
    expect(batchTimeoutMs(kind, devices, parallel)).toBe(MAX_QUEUE_MINUTES * 60_000);
  },
);

test('a command never waits longer than a command queued for its device', () => {
  expect(batchSpanMs('upgradeSoftware', 1_000, 1)).toBe(MAX_QUEUE_MINUTES * 60_000);
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
  { type: 'deadlinePassed', connection: 'kept' },
  { type: 'cancelled', reason: 'cancelled' },
);

test('any events in any order: never more at a time than allowed, none after the stop, no device lost or counted twice', () => {
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
  );
});

const fileEvent: fc.Arbitrary<{ file: TransferEvent }> = fc
  .constantFrom<TransferEvent | null>(
    { type: 'progress', state: 'downloading' },
    ...['Downloaded', 'Installed', 'InstallationFailed', 'Idle'].map((status) => statusEvent('software', status)),
    versionEvent('2.0', '2.0'),
    versionEvent('1.0', '2.0'),
    { type: 'timeout' },
  )
  .map((file) => ({ file: file as TransferEvent }));

interface Part {
  execution: Execution;
  transfer: Transfer;
}
const seen = ({ execution, transfer }: Part): BatchExecution => ({ ...execution, file: transferResult(transfer) });

test('for any results of commands and their files: a device is in flight until its file has arrived, and only the version makes it a success', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: DEVICES - 1 }), fc.oneof(event, fileEvent));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      fc.array(step, { maxLength: 80 }),
      (parallel, stopAfter, steps) => {
        const parts: Part[] = Array(DEVICES).fill({ execution: NEW_EXECUTION, transfer: newTransfer('software') });
        const proven = new Set<number>();
        let batch: Batch = { parallel, stopAfter, stopped: null, counts: { ...NOTHING, queued: DEVICES } };
        for (const [place, one] of steps) {
          const before = parts[place]!;
          const after = { ...before };
          // A file transfer starts after the command was sent, and a rejected command ends its transfer.
          if ('file' in one) {
            if (before.execution.state === 'queued') continue;
            after.transfer = nextTask(TRANSFER_RULES.software, before.transfer, one.file) ?? before.transfer;
          } else {
            const next = nextExecution(before.execution, one);
            if (!next) continue;
            after.execution = next;
            const refused = next.result === 'failure' || next.result === 'offline';
            if (refused)
              after.transfer =
                nextTask(TRANSFER_RULES.software, before.transfer, refusedTransfer(null)) ?? before.transfer;
          }
          const moved = nextBatch(batch, seen(before), seen(after));
          if (!moved) {
            // Only starting one device too many is rejected, never the result of a file.
            expect(one).toEqual({ type: 'sent' });
            continue;
          }
          parts[place] = after;
          batch = moved;
          if (after.transfer.state === 'verified') proven.add(place);
          const counted = { ...NOTHING };
          for (const part of parts) counted[countOf(seen(part))] += 1;
          expect(batch.counts).toEqual(counted);
          expect(batch.counts.inFlight).toBeLessThanOrEqual(parallel);
          expect(batch.counts.succeeded).toBeLessThanOrEqual(proven.size);
          if (stopAfter !== null && failuresOf(batch.counts) >= stopAfter) expect(batch.stopped).toBe('failures');
        }
      },
    ),
  );
});
