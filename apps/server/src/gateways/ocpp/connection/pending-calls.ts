import type { Clock } from '../../../platform/clock.ts';
import type { DeviceCall } from '../../../ports/devices/device-link.ts';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import { badAnswer, type Dialect, type DialectConnection, type Outcome, type Plan, readCallError } from '../dialect.ts';
import type { Violation } from '../schemas.ts';
import { readAnyway } from '../tolerance/tolerance.ts';
import { CALLERROR, type ErrorFrame, type ResultFrame, writeCall } from '../wire.ts';
import { messagePlan } from '../workbench.ts';
import { type MessageFault, partialFault, toleratedFault } from './faults/message-faults.ts';

/** The meaning of a device's answer. */
interface ReadAnswer {
  action: string | null;
  /** the answer to a call that this connection is not waiting for */
  unexpected: boolean;
  note: string | null;
  events: UplinkEvent[];
  /** what is wrong with the format of the answer; a device that supports CALLRESULTERROR receives it */
  violation: Violation | null;
  /** what operators see of it */
  fault: MessageFault | null;
}

export interface PendingCalls {
  /** The frame that sends a command to the device; null when the protocol has none for it. */
  put(call: DeviceCall): { action: string; text: string; logged?: { text: string; note: string } } | null;
  /** Reads an answer of the device. */
  answered(frame: ResultFrame | ErrorFrame, at: Date): ReadAnswer;
  /** True if an execution requested this CALL of the device. */
  awaits(action: string, payload: unknown): boolean;
  /** Reads a CALL of the device for progress of executions that requested it. */
  progressOf(action: string, payload: unknown, at: Date): UplinkEvent[];
  /** True while a command waits for an answer that can still arrive; `now` in ms since the epoch. */
  isWaiting(now: number): boolean;
  /** the command that has not been answered yet */
  unanswered(): string | null;
}

/** A command without an answer blocks other messages for at most this time. */
const ANSWER_MS = 60_000;

/** Calls that timed out but may still be answered. */
const REMEMBERED_CALLS = 8;
const NO_PLANS: Map<string, Plan> = new Map();
/** Execution ids are UUIDs. An answer with any other id is not for one of our calls. */
const EXECUTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Our calls on one connection. The operations module keeps one execution in flight per device and sets its deadline.
 * When it sends the next one, the previous one has timed out; its late answer is still read.
 */
export function pendingCalls(
  dialect: Dialect,
  connection: DialectConnection,
  isTolerant: () => boolean,
  clock: Clock,
): PendingCalls {
  let pending: string | null = null;
  let since = 0;
  // Most connections never receive a call, so they have no map of their own.
  let plans: Map<string, Plan> = NO_PLANS;
  /** what the device agreed to send, by the execution that requested it */
  let awaited: Map<string, NonNullable<Plan['awaits']>> | null = null;
  /** the pending execution, when the device sent the requested message before its answer, as some devices do */
  let sentBeforeAnswer: string | null = null;
  return {
    put(call) {
      const plan = call.kind === 'sendMessage' ? messagePlan(dialect, connection, call) : connection.plan(call);
      if (!plan) return null;
      const violation = dialect.schemas.violationOf(plan.action, 'req', plan.payload);
      if (violation) return null;
      pending = call.executionId;
      since = clock.now().getTime();
      if (plans === NO_PLANS) plans = new Map();
      plans.set(call.executionId, plan);
      const [oldest] = plans.keys();
      if (plans.size > REMEMBERED_CALLS && oldest !== undefined) plans.delete(oldest);
      const { action, payload, logged } = plan;
      const textOf = (content: object) => writeCall(call.executionId, action, content);
      return {
        ...{ action, text: textOf(payload) },
        ...(logged && { logged: { text: textOf(logged.payload), note: logged.note } }),
      };
    },
    answered(frame, at) {
      const plan = plans.get(frame.id);
      const unexpected = frame.id !== pending;
      if (!unexpected) pending = null;
      if (plan) plans.delete(frame.id);
      if (!plan && !EXECUTION_ID.test(frame.id)) {
        return {
          action: null,
          unexpected,
          note: 'answers no call; ignored',
          events: [],
          violation: null,
          fault: null,
        };
      }
      const read = readOutcome({ dialect, connection, tolerant: isTolerant() }, frame, plan, at);
      const { outcome, notes, violation = null, fault = null } = read;
      if (unexpected) notes.unshift(plan ? 'a late answer' : 'answers a call that this connection did not send');
      const note = notes.length > 0 ? notes.join('; ') : null;
      const action = plan?.action ?? null;
      if (!outcome) {
        const executionId = frame.id;
        return {
          ...{ action, unexpected, note, violation, fault },
          events: [{ kind: 'executionProgress', executionId, at, state: 'working', detail: null }],
        };
      }
      const { success, reason, detail, parameters } = outcome;
      const answer =
        frame.type === CALLERROR
          ? { code: frame.code, description: frame.description, details: frame.details }
          : frame.payload;
      const events: UplinkEvent[] = [{ kind: 'answer', executionId: frame.id, at, success, reason, detail, answer }];
      const early = sentBeforeAnswer === frame.id;
      if (early) sentBeforeAnswer = null;
      if (success && plan?.awaits && early) events.push({ kind: 'messageReceived', executionId: frame.id, at });
      else if (success && plan?.awaits) {
        awaited ??= new Map();
        awaited.set(frame.id, plan.awaits);
        const [oldest] = awaited.keys();
        if (awaited.size > REMEMBERED_CALLS && oldest !== undefined) awaited.delete(oldest);
      }
      if (parameters) events.push({ kind: 'parameters', at, executionId: frame.id, ...parameters });
      return { action, unexpected, note, events, violation, fault };
    },
    awaits(action, payload) {
      const isAwaited = pending === null ? undefined : plans.get(pending)?.awaits;
      return [isAwaited, ...(awaited?.values() ?? [])].some((one) => one?.(action, payload as Record<string, unknown>));
    },
    progressOf(action, payload, at) {
      if (pending !== null && plans.get(pending)?.awaits?.(action, payload as Record<string, unknown>)) {
        sentBeforeAnswer = pending;
      }
      if (awaited === null) return [];
      const events: UplinkEvent[] = [];
      for (const [executionId, isAwaited] of awaited) {
        if (!isAwaited(action, payload as Record<string, unknown>)) continue;
        awaited.delete(executionId);
        events.push({ kind: 'messageReceived', executionId, at });
      }
      if (awaited.size === 0) awaited = null;
      return events;
    },
    unanswered: () => pending,
    isWaiting: (now) => pending !== null && now - since < ANSWER_MS,
  };
}

function readOutcome(
  { dialect, connection, tolerant }: { dialect: Dialect; connection: DialectConnection; tolerant: boolean },
  frame: ResultFrame | ErrorFrame,
  plan: Plan | undefined,
  at: Date,
): { outcome: Outcome | null; notes: string[]; violation?: Violation; fault?: MessageFault | null } {
  if (frame.type === CALLERROR) {
    const { code, description } = frame;
    return { outcome: plan?.readError?.(code, description) ?? readCallError(code, description), notes: [] };
  }
  const { payload, broken } = frame;
  if (broken !== undefined) {
    const violation: Violation = { code: 'FormationViolation', description: broken, errors: [] };
    return { outcome: badAnswer(broken), notes: [broken], violation, fault: { outcome: 'rejected', reason: broken } };
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    const reason = 'the payload is not an object';
    return { outcome: badAnswer(reason), notes: [reason], fault: { outcome: 'rejected', reason } };
  }
  if (!plan) return { outcome: connection.readUnexpected(payload as Record<string, unknown>), notes: [] };
  const violation = dialect.schemas.violationOf(plan.action, 'conf', payload);
  if (!violation) return { outcome: plan.read(payload as Record<string, unknown>), notes: [] };
  const message = { action: plan.action, kind: 'conf', payload } as const;
  const tolerated = readAnyway(dialect, message, { tolerant, receivedAt: at });
  if (!tolerated) {
    const reason = violation.description;
    return { outcome: badAnswer(reason), notes: [reason], violation, fault: { outcome: 'rejected', reason } };
  }
  const { notes, refused } = tolerated;
  const fault = partialFault(refused) ?? toleratedFault(notes);
  return { outcome: plan.read(tolerated.payload as Record<string, unknown>), notes: [...notes, ...refused], fault };
}
