import { nextExecution } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { ScheduledJob } from '../platform/work/scheduled-job.ts';
import type { Events } from '../ports/events.ts';
import { announceEnded } from './batches/announce.ts';
import type { BatchRunner } from './batches/batch-runner.ts';
import { noteFiles } from './batches/batches.store.ts';
import type { Dispatcher } from './dispatcher.ts';
import { devicesToServe, type End, letReadsGiveWay, lockOverdue, queryOf, writeEnds } from './executions.store.ts';
import { forgetPasswords } from './password-changes.ts';

/** Deadlines are whole tens of seconds, so one more second does not matter. A sweep of an empty index is cheap. */
const SWEEP_MS = 1_000;
/** Rows processed in one transaction, so that a long queue of overdue executions does not cause long locks. */
const SWEEP_ROWS = 500;

/**
 * Ends executions past their deadline, lets reads give way, updates batches whose files have arrived, sends the waiting commands
 * of devices whose wake-up was lost with a node, and announces operations that have ended: at start and every second. Several nodes may sweep at a time: each row is
 * processed by one of them.
 */
export function sweeper(parts: {
  db: Kysely<Database>;
  dispatcher: Dispatcher;
  batches: BatchRunner;
  events: Events;
  clock: Clock;
  log: Log;
}): ScheduledJob {
  const { db, events, clock, log } = parts;

  async function sweep(signal: AbortSignal): Promise<void> {
    let taken: number;
    do {
      taken = await endOverdue();
    } while (taken === SWEEP_ROWS && !signal.aborted);
    let noted: number[];
    do {
      noted = await noteFiles(db, SWEEP_ROWS);
      for (const deviceId of noted) events.publish('device.executions', { id: deviceId });
    } while (noted.length === SWEEP_ROWS && !signal.aborted);
    await letReadsGiveWay(db);
    for (const deviceId of await devicesToServe(db, SWEEP_ROWS)) void parts.dispatcher.wake(deviceId);
    await parts.batches.advanceAll();
    await forgetPasswords(db);
    await announceEnded(db);
  }

  /** @returns the number of overdue executions */
  async function endOverdue(): Promise<number> {
    const ended = await db.transaction().execute(async (transaction) => {
      const client = queryOf(transaction);
      const overdue = await lockOverdue(client, SWEEP_ROWS);
      const ends = overdue.flatMap((one): End[] => {
        const next = nextExecution(one, { type: 'deadlinePassed', connection: one.connection, whenIdle: one.whenIdle });
        return next ? [{ executionId: one.executionId, execution: next, at: null, detail: null, answer: null }] : [];
      });
      await writeEnds(client, ends);
      return overdue;
    });
    for (const { deviceId } of ended) events.publish('device.executions', { id: deviceId });
    return ended.length;
  }

  return clock.repeat(sweep, {
    job: 'commandSweep',
    everyMs: SWEEP_MS,
    log,
    failed: 'overdue commands could not be swept; trying again every second',
    again: 'the sweep of overdue commands works again',
  });
}
