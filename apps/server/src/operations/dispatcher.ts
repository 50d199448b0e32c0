import {
  type CommandKind,
  type ExecutionEvent,
  NEW_EXECUTION,
  type NotSent,
  nextExecution,
  transferOf,
  unmetPrecondition,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import { batching } from '../platform/work/batching.ts';
import type { DeviceCall, DeviceLink, SendResult } from '../ports/devices/device-link.ts';
import type { LinkCalls } from '../ports/devices/links.ts';
import type { TokenListCalls } from '../ports/devices/token-lists.ts';
import type { Events } from '../ports/events.ts';
import type { TransferCalls } from '../ports/transfers.ts';
import { sessionName } from './commands/commands.store.ts';
import { type Claimed, claimNext, lockExecutions, queryOf, writeEnds, writePutBack } from './executions.store.ts';
import { passwordOf } from './password-changes.ts';

export interface Dispatcher {
  /**
   * Sends the next waiting command of the device if nothing is in flight; resolves when that is done. Never rejects:
   * errors are logged, and the sweep tries again.
   */
  wake(deviceId: number): Promise<void>;
  /** Starts nothing new and waits for the current run. */
  stop(): Promise<void>;
}

/** Sends queued executions to devices: one at a time for each, in order, each at most once. */
export function dispatcher(parts: {
  db: Kysely<Database>;
  link: DeviceLink;
  events: Events;
  transfers: TransferCalls;
  links: LinkCalls;
  tokenLists: TokenListCalls;
  log: Log;
  /** an execution of a batch ended without being sent, so the batch may send another one */
  onRoom(batchId: number): void;
}): Dispatcher {
  const { db, link, events, transfers, links, tokenLists, log, onRoom } = parts;
  const underWay = new Map<number, { done: Promise<void>; again: boolean }>();
  const claim = batching((deviceIds) => claimNext(db, deviceIds, SENT));
  let stopped = false;

  async function serve(deviceId: number): Promise<void> {
    for (;;) {
      if (stopped) return;
      const claimed = await claim(deviceId);
      if (!claimed) return;
      const event = await send(deviceId, claimed);
      if (event) await end(claimed.call.executionId, event);
      events.publish('device.executions', { id: deviceId });
      // In flight now: the answer or the deadline triggers the next one. Returned to the queue: the device's next
      // connection does.
      if (!event || event.type === 'putBack') return;
      if (claimed.batchId !== null) onRoom(claimed.batchId);
    }
  }

  /** Why the call was not written to the connection; null when it was, or when that is unknown. */
  async function send(deviceId: number, claimed: Claimed): Promise<Refusal | null> {
    if (!claimed.enabled) return { type: 'notSent', reason: 'deviceDisabled' };
    const unmet = unmetPrecondition(claimed.precondition, claimed);
    if (unmet) return { type: 'notSent', reason: unmet };
    let sendResult: SendResult;
    try {
      const call = await callOf(deviceId, claimed);
      if (!call) return { type: 'notSent', reason: UNNEEDED[claimed.call.kind] ?? 'notSent' };
      sendResult = await link.execute(deviceId, call);
    } catch (error) {
      log.error({ err: error, deviceId, executionId: claimed.call.executionId }, 'a command may not have been sent');
      return null;
    }
    switch (sendResult.outcome) {
      case 'sent':
        return null;
      case 'offline':
        return claimed.waits ? { type: 'putBack' } : { type: 'notSent', reason: 'deviceOffline' };
      case 'notSupported':
        return { type: 'notSent', reason: 'notSupported' };
    }
  }

  /** The call with the data that is known only when it is sent; null when there is nothing to send any more. */
  async function callOf(deviceId: number, { call, transactionId }: Claimed): Promise<DeviceCall | null> {
    if (transferOf(call.kind) !== null) return transfers.prepare(deviceId, call);
    if (call.kind === 'changePassword') {
      const password = await passwordOf(db, call.executionId);
      return password === null ? null : { ...call, params: { password } };
    }
    if (call.kind === 'startVpn' || call.kind === 'stopVpn') {
      const params = await links.paramsOf(call.executionId);
      return params === null || params === 'over' ? null : { ...call, params };
    }
    if (call.kind === 'updateTokenList') {
      const tokenList = await tokenLists.callOf(deviceId, call.executionId);
      return tokenList && { ...call, params: { tokenList } };
    }
    if (call.kind !== 'remoteStop') return call;
    const transaction = transactionId === undefined ? null : await sessionName(db, deviceId, transactionId);
    return transaction === null ? null : { ...call, params: { transaction } };
  }

  async function end(executionId: string, event: ExecutionEvent): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const client = queryOf(transaction);
      const [execution] = await lockExecutions(client, [executionId]);
      const next = execution ? nextExecution(execution, event) : null;
      if (next?.state === 'queued') await writePutBack(client, executionId, next);
      else if (next) await writeEnds(client, [{ executionId, execution: next, at: null, detail: null, answer: null }]);
    });
  }

  async function run(deviceId: number, pass: { again: boolean }): Promise<void> {
    try {
      do {
        pass.again = false;
        await serve(deviceId);
      } while (pass.again);
    } catch (error) {
      log.error({ err: error, deviceId }, 'commands of a device could not be sent');
    } finally {
      underWay.delete(deviceId);
    }
  }

  return {
    wake(deviceId) {
      const running = underWay.get(deviceId);
      if (running) {
        running.again = true;
        return running.done;
      }
      if (stopped) return Promise.resolve();
      const fresh = { done: Promise.resolve(), again: false };
      underWay.set(deviceId, fresh);
      fresh.done = run(deviceId, fresh);
      return fresh.done;
    },
    async stop() {
      stopped = true;
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}

/** Why there is nothing to send any more when it is a command's turn. */
const UNNEEDED: Readonly<Partial<Record<CommandKind, NotSent>>> = {
  remoteStop: 'noSession',
  changePassword: 'passwordInUse',
};

type Refusal = Extract<ExecutionEvent, { type: 'notSent' | 'putBack' }>;

/** The rule's decision on a queued execution that is about to be sent. */
const SENT = sentExecution();

function sentExecution() {
  const sent = nextExecution(NEW_EXECUTION, { type: 'sent' });
  if (!sent) throw new Error('a queued execution cannot be sent');
  return sent;
}
