import { nextExecution } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { Events } from '../../ports/events.ts';
import { type End, queryOf, writeEnds } from '../executions.store.ts';
import { batchesOf, devicesWithRoom, findBatchState, lockQueuedOf, runningBatches } from './batches.store.ts';

export interface BatchRunner {
  /**
   * Sends the next commands of a batch, or cancels the rest if it has stopped. Resolves when these are sent or ended,
   * and continues with the next ones. Calls during a run are combined, so it is cheap to call for every execution.
   * Never rejects.
   */
  advance(batchId: number): Promise<void>;
  /** The same for the batches of executions that have ended. */
  advanceAfter(executionIds: readonly string[]): Promise<void>;
  /** The same for every open batch: after the server was killed, and for devices that came online. */
  advanceAll(): Promise<void>;
  /** Starts nothing new and waits for the current run. */
  stop(): Promise<void>;
}

/**
 * Sends the commands of batches, one device after another. The database, which keeps the counts with the executions,
 * decides how many may be sent. This also works when runs overlap, and after the server was killed.
 */
export function batchRunner(parts: {
  db: Kysely<Database>;
  events: Events;
  log: Log;
  wake(deviceId: number): Promise<void>;
}): BatchRunner {
  const { db, events, log, wake } = parts;
  const underWay = new Map<number, BatchRun>();
  let stopped = false;

  async function lead(batchId: number): Promise<void> {
    const batch = await findBatchState(db, batchId);
    if (!batch || batch.queued === 0) return;
    if (batch.stopped) await takeBack(batchId);
    else if (batch.room > 0) await Promise.all((await devicesWithRoom(db, batchId, batch.room)).map(wake));
  }

  async function takeBack(batchId: number): Promise<void> {
    const taken = await db.transaction().execute(async (transaction) => {
      const client = queryOf(transaction);
      const queued = await lockQueuedOf(client, batchId);
      const ends = queued.flatMap((execution): End[] => {
        const next = nextExecution(execution, { type: 'cancelled', reason: 'batchStopped' });
        const { executionId } = execution;
        return next ? [{ executionId, execution: next, at: null, detail: null, answer: null }] : [];
      });
      await writeEnds(client, ends);
      return queued;
    });
    for (const { deviceId } of taken) events.publish('device.executions', { id: deviceId });
  }

  /** One round. Errors are left to the sweep. */
  async function round(batchId: number, run: BatchRun): Promise<void> {
    run.again = false;
    try {
      await lead(batchId);
    } catch (error) {
      run.again = false;
      log.error({ err: error, batchId }, 'a batch of commands could not be continued; trying again within a second');
    }
  }

  async function sendNext(batchId: number, run: BatchRun): Promise<void> {
    await run.first;
    while (run.again && !stopped) await round(batchId, run);
    underWay.delete(batchId);
  }

  function advance(batchId: number): Promise<void> {
    const run = underWay.get(batchId);
    if (run) {
      run.again = true;
      return run.done;
    }
    if (stopped) return Promise.resolve();
    const fresh: BatchRun = { first: Promise.resolve(), done: Promise.resolve(), again: false };
    underWay.set(batchId, fresh);
    fresh.first = round(batchId, fresh);
    fresh.done = sendNext(batchId, fresh);
    return fresh.first;
  }

  return {
    advance,
    async advanceAfter(executionIds) {
      if (stopped) return;
      try {
        await Promise.all((await batchesOf(db, executionIds)).map(advance));
      } catch (error) {
        log.error({ err: error }, 'batches of commands could not be continued; trying again within a second');
      }
    },
    async advanceAll() {
      if (stopped) return;
      await Promise.all((await runningBatches(db)).map(advance));
    },
    async stop() {
      stopped = true;
      await Promise.all([...underWay.values()].map((run) => run.done));
    },
  };
}

interface BatchRun {
  /** devices that could be sent to in the first round */
  first: Promise<void>;
  done: Promise<void>;
  /** something changed since the round began */
  again: boolean;
}
