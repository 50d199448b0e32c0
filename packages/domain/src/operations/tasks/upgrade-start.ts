import type { CommandInputs } from '../commands.ts';
import { MAX_QUEUE_MINUTES } from '../controls.ts';

/** The default time that an upgrade waits until its device is idle: until the next day. */
export const DEFAULT_START_MINUTES = 24 * 60;
/** The maximum time an upgrade can be planned ahead (ms). Later, its firmware is rarely still the right one. */
export const MAX_START_AHEAD_MS = 30 * 24 * 60 * 60_000;

/** A field of an upgrade start that is missing, superfluous, or out of range. */
export interface StartFault {
  field: 'startAt' | 'startWithinMinutes' | 'whenOffline';
  fault: 'missing' | 'unknown' | 'past' | 'tooFar';
}

export interface StartPlan {
  /** earliest time; null: immediately */
  notBefore: Date | null;
  /** how long it may wait from now until it is sent (ms) */
  timeoutMs: number;
  fault: null;
}

/**
 * When a command may be sent. An upgrade that does not start now waits until its device is connected and idle, or until
 * a deadline, so it does not use `whenOffline`.
 * @returns null if the command is sent now
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
