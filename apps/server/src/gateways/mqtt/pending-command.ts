import type { CommandKind } from '@chargehand/domain';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { type Fact, type Outcome, outcomeOf } from './facts.ts';

/** A command that was written to a device. */
interface Pending {
  executionId: string;
  kind: CommandKind;
  /** the result of a message of the device; null when the message does not concern the command */
  match(fact: Fact): Outcome | null;
  at: number;
  /** the connection ended after it was written: a restart that is answered now has happened */
  interrupted?: boolean;
}

/**
 * The last command that was sent to a device. It outlives the connection: a device that restarts answers on its next
 * one.
 */
export interface PendingCommand {
  /** @param at when it was sent */
  put(call: Pick<DeviceCall, 'executionId' | 'kind'>, match: Pending['match'], at: Date): void;
  /** The command that waits for an answer and ends with the connection; null when there is none. */
  lost(at: Date): string | null;
  /** The answers in a message of the device. */
  answers(facts: readonly Fact[], at: Date): UplinkEvent[];
}

/** Commands that end the connection and are answered on the next one. */
const RESTARTS: ReadonlySet<CommandKind> = new Set(['softReset', 'hardReset', 'restartCcu']);
/** Longer than any deadline of the operations module: a later message answers nothing. */
const TIMEOUT_MS = 180_000;
/** Execution ids are UUIDs. An answer with any other id is not for one of our commands. */
const EXECUTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The operations module keeps one execution in flight per device. When it sends the next one, the previous one has
 * timed out.
 */
export function pendingCommand(): PendingCommand {
  let pending: Pending | null = null;
  return {
    put({ executionId, kind }, match, at) {
      pending = { executionId, kind, match, at: at.getTime() };
    },
    lost(at) {
      if (!pending || at.getTime() - pending.at > TIMEOUT_MS) return null;
      if (!RESTARTS.has(pending.kind)) return pending.executionId;
      pending.interrupted = true;
      return null;
    },
    answers(facts, at) {
      const events: UplinkEvent[] = [];
      const answer = (executionId: string, outcome: Outcome) => {
        const own = pending?.executionId === executionId ? pending : null;
        if (own) pending = null;
        const restarted = own?.interrupted && outcome.success ? ({ reason: 'restarted' } as const) : {};
        events.push({ kind: 'answer', executionId, at, ...outcome, ...restarted });
      };
      if (pending && at.getTime() - pending.at > TIMEOUT_MS) pending = null;
      for (const fact of facts) {
        // An answer is accepted by its id even after a restart of the server; the operations module knows its command.
        if (fact.type === 'answer') {
          if (EXECUTION_ID.test(fact.id)) answer(fact.id, outcomeOf(fact));
          continue;
        }
        const outcome = pending?.match(fact);
        if (pending && outcome) answer(pending.executionId, outcome);
      }
      return events;
    },
  };
}
