import { type ExecutionEvent, NEW_EXECUTION, nextExecution } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { ChangeFeed } from '../ports/changes.ts';
import type { DeviceCall, DeviceLink, Handover } from '../ports/device-link.ts';
import { claimNext, lockExecutions, queryOf, writeEnds } from './executions.store.ts';

export interface Dispatcher {
  /**
   * Gives the device what waits for it, if nothing is in flight; resolves when that is done. Never rejects: what fails
   * is logged, and the sweep takes it up.
   */
  wake(deviceId: number): Promise<void>;
  /** Takes up nothing new and waits for what is under way. */
  stop(): Promise<void>;
}

/** Hands queued executions to devices: one at a time for each, in order, each at most once, on however many nodes. */
export function dispatcher(parts: {
  db: Kysely<Database>;
  link: DeviceLink;
  changes: ChangeFeed;
  log: Log;
}): Dispatcher {
  const { db, link, changes, log } = parts;
  const underWay = new Map<number, { done: Promise<void>; again: boolean }>();
  let stopped = false;

  async function serve(deviceId: number): Promise<void> {
    for (;;) {
      if (stopped) return;
      const claimed = await claimNext(db, deviceId, SENT);
      if (!claimed) return;
      const event = await handOver(deviceId, claimed);
      if (event) await end(claimed.call.executionId, event);
      changes.changed(deviceId, 'executions');
      // In flight now: the answer, or the deadline, calls for the next one.
      if (!event) return;
    }
  }

  /** Why the call was not written to the line, or null when it was, or when that is not known. */
  async function handOver(deviceId: number, claimed: { call: DeviceCall; enabled: boolean }): Promise<Refusal | null> {
    if (!claimed.enabled) return { type: 'notSent', reason: 'deviceDisabled' };
    let handover: Handover;
    try {
      handover = await link.execute(deviceId, claimed.call);
    } catch (error) {
      log.error({ err: error, deviceId, executionId: claimed.call.executionId }, 'a command may not have been sent');
      return null;
    }
    switch (handover.outcome) {
      case 'sent':
        return null;
      case 'offline':
        return { type: 'notSent', reason: 'deviceOffline' };
      case 'notSupported':
        return { type: 'notSent', reason: 'notSupported' };
    }
  }

  async function end(executionId: string, event: ExecutionEvent): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const client = queryOf(transaction);
      const [execution] = await lockExecutions(client, [executionId]);
      const next = execution ? nextExecution(execution, event) : null;
      if (next) await writeEnds(client, [{ executionId, execution: next, at: null, detail: null, answer: null }]);
    });
  }

  async function run(deviceId: number, turn: { again: boolean }): Promise<void> {
    try {
      do {
        turn.again = false;
        await serve(deviceId);
      } while (turn.again);
    } catch (error) {
      log.error({ err: error, deviceId }, 'commands of a device could not be sent');
    } finally {
      underWay.delete(deviceId);
    }
  }

  return {
    wake(deviceId) {
      const turn = underWay.get(deviceId);
      if (turn) {
        turn.again = true;
        return turn.done;
      }
      if (stopped) return Promise.resolve();
      const fresh = { done: Promise.resolve(), again: false };
      underWay.set(deviceId, fresh);
      fresh.done = run(deviceId, fresh);
      return fresh.done;
    },
    async stop() {
      stopped = true;
      await Promise.all([...underWay.values()].map((turn) => turn.done));
    },
  };
}

type Refusal = Extract<ExecutionEvent, { type: 'notSent' }>;

/** What the rule makes of a queued execution that is given to its device. */
const SENT = sentExecution();

function sentExecution() {
  const sent = nextExecution(NEW_EXECUTION, { type: 'sent' });
  if (!sent) throw new Error('a queued execution cannot be sent');
  return sent;
}
