import type { EndCause } from '@chargehand/contract';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    [ended: `session.${string}.ended`]: SessionEndMessage;
    [identity: `session.${string}.identity`]: null;
    'rights.changed': RightsChange;
  }
}

/** The event for a session's end: one of 20001-20004 (spec §4), and why another user or action ended it, if so. */
export interface SessionEndMessage {
  code?: number;
  cause?: EndCause | null;
  note?: string | null;
}

/** The subject of the end of a session. */
export const sessionEnded = (sessionId: string) => `session.${sessionId}.ended` as const;

/** The subject for the start and the end of an impersonation in a session. */
export const identityChanged = (sessionId: string) => `session.${sessionId}.identity` as const;

/** The subject for changed permissions of users. */
export const RIGHTS_CHANGED = 'rights.changed';

/** The users whose permissions changed; null: everyone with some role. */
export interface RightsChange {
  userId: number | null;
}
