import { nextExecution } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { Events } from '../../ports/events.ts';
import { type End, queryOf, writeEnds } from '../executions.store.ts';
import { batchesOf, batchStanding, devicesWithRoom, lockQueuedOf, runningBatches } from './batches.store.ts';

export interface BatchRunner {
  /**
   * Has as many devices of a batch asked as it has room for; takes back the rest of one that has stopped. Resolves when
   * these have been handed over or are over themselves, and goes on with those that follow. Cheap to call with everything
   * that becomes of its executions: calls that come while one is under way are one. Never rejects.
   */
  advance(batchId: number): Promise<void>;
  /** The same for the batches of executions that are over. */
  advanceAfter(executionIds: readonly string[]): Promise<void>;
  /** The same for every batch that is not over: what a node that was killed left, and devices that came back. */
  advanceAll(): Promise<void>;
  /** Takes up nothing new and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Leads batches from one device to the next. What may be asked is decided by the database, where the counts are kept with
 * the executions themselves: on many nodes at once, and after any of them was killed.
 */
export function batchRunner(parts: {
  db: Kysely<Database>;
  events: Events;
  log: Log;
  wake(deviceId: number): Promise<void>;
}): BatchRunner {
  const { db, events, log, wake } = parts;
  const underWay = new Map<number, Turn>();
  let stopped = false;

  async function lead(batchId: number): Promise<void> {
    const batch = await batchStanding(db, batchId);
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

  /** One round; what goes wrong is left to the sweep. */
  async function round(batchId: number, turn: Turn): Promise<void> {
    turn.again = false;
    try {
      await lead(batchId);
    } catch (error) {
      turn.again = false;
      log.error({ err: error, batchId }, 'a batch of commands could not be led on; trying again within a second');
    }
  }

  async function goOn(batchId: number, turn: Turn): Promise<void> {
    await turn.first;
    while (turn.again && !stopped) await round(batchId, turn);
    underWay.delete(batchId);
  }

  function advance(batchId: number): Promise<void> {
    const turn = underWay.get(batchId);
    if (turn) {
      turn.again = true;
      return turn.done;
    }
    if (stopped) return Promise.resolve();
    const fresh: Turn = { first: Promise.resolve(), done: Promise.resolve(), again: false };
    underWay.set(batchId, fresh);
    fresh.first = round(batchId, fresh);
    fresh.done = goOn(batchId, fresh);
    return fresh.first;
  }

  return {
    advance,
    async advanceAfter(executionIds) {
      if (stopped) return;
      try {
        await Promise.all((await batchesOf(db, executionIds)).map(advance));
      } catch (error) {
        log.error({ err: error }, 'batches of commands could not be led on; trying again within a second');
      }
    },
    async advanceAll() {
      if (stopped) return;
      await Promise.all((await runningBatches(db)).map(advance));
    },
    async stop() {
      stopped = true;
      await Promise.all([...underWay.values()].map((turn) => turn.done));
    },
  };
}

interface Turn {
  /** the devices that had room at first */
  first: Promise<void>;
  done: Promise<void>;
  /** something has changed since the round began */
  again: boolean;
}
