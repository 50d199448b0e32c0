import type { CommandInputs } from './commands.ts';
import { MAX_QUEUE_MINUTES } from './controls.ts';

/** How long an upgrade waits for its device to be idle unless the caller says otherwise: until the next day. */
export const DEFAULT_START_MINUTES = 24 * 60;
/** How far ahead an upgrade can be planned (ms): later, its firmware is rarely still the right one. */
export const MAX_START_AHEAD_MS = 30 * 24 * 60 * 60_000;

/** A field of an upgrade start that is missing, superfluous, or out of range. */
export interface StartFault {
  field: 'startAt' | 'startWithinMinutes' | 'whenOffline';
  fault: 'missing' | 'unknown' | 'past' | 'tooFar';
}

export interface StartPlan {
  /** not sent before; null: at once */
  notBefore: Date | null;
  /** for how long from now it may wait until it is sent (ms) */
  timeoutMs: number;
  fault: null;
}

/**
 * When a command may be sent. An upgrade that does not start now waits for its device to be connected and idle, until a
 * deadline; so it takes no `whenOffline`.
 * @returns null if the command is to be sent now
 */
export function startPlan(
  inputs: Pick<CommandInputs, 'start' | 'startAt' | 'startWithinMinutes'> & { whenOffline?: string },
  now: Date,
): StartPlan | { fault: StartFault } | null {
  const { start = 'now', startAt, startWithinMinutes, whenOffline } = inputs;
  const fault = (field: StartFault['field'], what: StartFault['fault']) => ({ fault: { field, fault: what } });
  if (start !== 'at' && startAt !== undefined) return fault('startAt', 'unknown');
  if (start === 'now') return startWithinMinutes === undefined ? null : fault('startWithinMinutes', 'unknown');
  if (whenOffline !== undefined) return fault('whenOffline', 'unknown');
  const waitMs = Math.min(startWithinMinutes ?? DEFAULT_START_MINUTES, MAX_QUEUE_MINUTES) * 60_000;
  if (start === 'whenIdle') return { notBefore: null, timeoutMs: waitMs, fault: null };
  if (startAt === undefined) return fault('startAt', 'missing');
  const notBefore = new Date(startAt);
  const ahead = notBefore.getTime() - now.getTime();
  if (ahead <= 0) return fault('startAt', 'past');
  if (ahead > MAX_START_AHEAD_MS) return fault('startAt', 'tooFar');
  return { notBefore, timeoutMs: ahead + waitMs, fault: null };
}
