import type { EndCause } from '@chargehand/contract';

/** What is announced of a session's end: one of 20001-20004 (spec §4), and why somebody ended it, where they did. */
export interface SessionNews {
  code?: number;
  cause?: EndCause | null;
  note?: string | null;
}

/**
 * The subject on which it is announced that sessions were opened or ended; the message is whose they were, as
 * `SessionHolder[]`.
 */
export const SESSIONS_CHANGED = 'sessions.changed';

export type SessionHolder = { userId: number; customerId: number };

/** The subject on which it is announced that a session sees as somebody else now, or no longer. */
export function identityChanged(sessionId: string): string {
  return `session.${sessionId}.identity`;
}

/**
 * The subject on which it is announced that somebody may see or do other things from now on; the message is `RightsNews`.
 */
export const RIGHTS_CHANGED = 'rights.changed';

/** Whose rights changed; null: those of everybody with some role. */
export type RightsNews = { userId: number | null };

/** The subject on which the end of a session is announced; the message is a `SessionNews`. */
export function sessionEnded(sessionId: string): string {
  return `session.${sessionId}.ended`;
}
