import type { CommandKind } from '@chargehand/domain';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { type Fact, type Outcome, outcomeOf } from './facts.ts';

/** A command that was written to a device. */
interface Pending {
  executionId: string;
  kind: CommandKind;
  /** what a word of the device makes of it; null while it says nothing to it */
  hears(fact: Fact): Outcome | null;
  at: number;
}

/** What a device was asked last. It outlives the connection: a device that restarts answers on its next one. */
export interface PendingCommand {
  /** @param at when it was written */
  put(call: Pick<DeviceCall, 'executionId' | 'kind'>, hears: Pending['hears'], at: Date): void;
  /** The command that waits for an answer and loses it with the connection; null when there is none. */
  lost(at: Date): string | null;
  /** The answers in what a device said. */
  answers(facts: readonly Fact[], at: Date): UplinkEvent[];
}

/** These end the connection, and are answered on the next one. */
const RESTARTS: ReadonlySet<CommandKind> = new Set(['softReset', 'hardReset', 'restartCcu']);
/** Longer than any deadline of the operations room: what comes later answers nothing. */
const TIMEOUT_MS = 180_000;
/** Execution ids are UUIDs; an answer under any other id is to nothing of ours. */
const EXECUTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The operations room keeps one execution in flight per device: that it asks the next thing means that it gave up the one before. */
export function pendingCommand(): PendingCommand {
  let pending: Pending | null = null;
  return {
    put({ executionId, kind }, hears, at) {
      pending = { executionId, kind, hears, at: at.getTime() };
    },
    lost(at) {
      if (!pending || RESTARTS.has(pending.kind) || at.getTime() - pending.at > TIMEOUT_MS) return null;
      return pending.executionId;
    },
    answers(facts, at) {
      const events: UplinkEvent[] = [];
      const answer = (executionId: string, outcome: Outcome) => {
        if (pending?.executionId === executionId) pending = null;
        events.push({ kind: 'answer', executionId, at, ...outcome });
      };
      if (pending && at.getTime() - pending.at > TIMEOUT_MS) pending = null;
      for (const fact of facts) {
        // By its id an answer is taken even after a restart of ours; the operations room knows what it is to.
        if (fact.type === 'answer') {
          if (EXECUTION_ID.test(fact.id)) answer(fact.id, outcomeOf(fact));
          continue;
        }
        const outcome = pending?.hears(fact);
        if (pending && outcome) answer(pending.executionId, outcome);
      }
      return events;
    },
  };
}
