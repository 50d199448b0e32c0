import type { EndCause } from '@chargehand/contract';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    [ended: `session.${string}.ended`]: SessionNews;
    [identity: `session.${string}.identity`]: null;
    'rights.changed': RightsNews;
  }
}

/** What is published of a session's end: one of 20001-20004 (spec §4), and why somebody ended it, where they did. */
export interface SessionNews {
  code?: number;
  cause?: EndCause | null;
  note?: string | null;
}

/** The subject of the end of a session. */
export const sessionEnded = (sessionId: string) => `session.${sessionId}.ended` as const;

/** The subject on which it is published that a session views as somebody else now, or no longer. */
export const identityChanged = (sessionId: string) => `session.${sessionId}.identity` as const;

/** The subject on which it is published that somebody may see or do other things from now on. */
export const RIGHTS_CHANGED = 'rights.changed';

/** Whose rights changed; null: those of everybody with some role. */
export interface RightsNews {
  userId: number | null;
}
