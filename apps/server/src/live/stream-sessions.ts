import {
  CODES,
  type CodeName,
  type EndCause,
  type EventTopic,
  type Locale,
  messageOf,
  SESSION_CODES,
  type SessionMessage,
  sessionEndText,
} from '@chargehand/contract';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import { identityChanged, RIGHTS_CHANGED, type SessionEndMessage, sessionEnded } from '../ports/sessions.ts';
import type { EventConnection } from './event-connection.ts';
import type { EventHub } from './event-hub.ts';

/** The number of streams that one session may have open. A browser tab needs one. */
export const STREAMS_PER_SESSION = 20;
/** How often the session of a stream is checked, in case the event of its end is lost. Milliseconds. */
export const RECHECK_MS = 30_000;

/** How long a session with a stream at another process is present after that process has said so. Milliseconds. */
const PRESENT_MS = RECHECK_MS + 15_000;

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    /** A session has a stream at the process that sends this, or has none there any more. */
    'live.presence': { sessionId: string; present: boolean };
  }
}

interface Joining {
  caller: Caller;
  devices: ReadonlySet<number>;
  /** the gathered topics that it asked for */
  gathered?: readonly EventTopic[];
  locale: Locale;
  connection: EventConnection;
  /** a covered position from which the stream continues */
  since: string | undefined;
  /** the current user; rejects when the stream must end: with a `Problem`, or because nothing can be read */
  recheck(): Promise<Caller>;
}

export interface StreamSessions {
  /** @throws Problem `tooManyStreams` when the session has the maximum number of streams */
  requireRoom(sessionId: string): void;
  /** True while a session has a stream at any process. */
  has(sessionId: string): boolean;
  /** True when a stream can continue from a position. */
  covers(position: string): boolean;
  /** Sends events to a connection until it closes or its session ends. */
  join(joining: Joining): Stop;
  /** Ends all connections immediately. */
  stop(): void;
}

/**
 * Binds streams to the sessions that opened them: no stream outlives its session or shows more than its user may see.
 */
export function streamSessions(parts: { bus: Bus; hub: EventHub; clock: Clock; log: Log }): StreamSessions {
  const { bus, hub, clock, log } = parts;
  const open = new Map<string, number>();
  const connections = new Set<EventConnection>();
  const members = new Set<{ holder(): Caller; invalidate(): void }>();
  const unsubscribeRights = bus.subscribe(RIGHTS_CHANGED, ({ userId }) => {
    // What a page has loaded may have other limits now.
    hub.forget();
    for (const member of members) if (userId === null || member.holder().userId === userId) member.invalidate();
  });
  // Changed rights may be among the lost messages.
  const unsubscribeGap = bus.onGap(() => {
    for (const member of members) member.invalidate();
  });
  /** sessions with streams at any process, and when their process last said so; the oldest first */
  const seen = new Map<string, number>();
  const now = () => clock.now().getTime();
  const unsubscribePresence = bus.subscribe('live.presence', ({ sessionId, present }) => {
    seen.delete(sessionId);
    if (present) seen.set(sessionId, now());
    for (const [other, at] of seen) {
      if (now() - at <= PRESENT_MS) break;
      seen.delete(other);
    }
  });
  const announce = (sessionId: string, present: boolean) => bus.publish('live.presence', { sessionId, present });
  let stopped = false;
  return {
    requireRoom(sessionId) {
      if ((open.get(sessionId) ?? 0) >= STREAMS_PER_SESSION) {
        throw new Problem('tooManyStreams', { values: { limit: STREAMS_PER_SESSION }, status: 429 });
      }
    },
    has: (sessionId) => open.has(sessionId) || now() - (seen.get(sessionId) ?? Number.NEGATIVE_INFINITY) <= PRESENT_MS,
    covers: hub.covers,
    join({ caller, devices, gathered = [], locale, connection, since, recheck }) {
      const { sessionId } = caller;
      let holder = caller;
      // While the permissions of the user are unknown, nothing is sent; then the client fetches everything again.
      let invalidations = 0;
      let verified = 0;
      if (stopped) {
        connection.end();
        return () => undefined;
      }
      open.set(sessionId, (open.get(sessionId) ?? 0) + 1);
      connections.add(connection);
      announce(sessionId, true);
      const member = {
        holder: () => holder,
        invalidate() {
          invalidations += 1;
          void recheckNow();
        },
      };
      members.add(member);
      const listener = {
        holder: () => (invalidations > verified ? null : holder),
        devices,
        gathered,
        events: connection.events,
        resync: connection.resync,
      };
      const removeListener = hub.add(listener, since);
      const endWith = (end: SessionEnd) => {
        leave();
        connection.end('session', sessionMessage(end, locale));
      };
      const unsubscribeEnd = bus.subscribe(sessionEnded(sessionId), (message) => endWith(endIn(message)));
      const endAsChanged = () => {
        leave();
        connection.end('identity', {});
      };
      const unsubscribeIdentity = bus.subscribe(identityChanged(sessionId), endAsChanged);
      const recheckNow = async () => {
        const checking = invalidations;
        try {
          const now = await recheck();
          // Streams that became uncertain in the meantime are checked too, and only that check counts for them.
          if (left || checking < invalidations) return;
          if (now.userId !== caller.userId) return endAsChanged();
          holder = now;
          if (verified === invalidations) return;
          verified = invalidations;
          connection.resync();
        } catch (error) {
          const code = error instanceof Problem ? CODES[error.code].code : null;
          if (code !== null && SESSION_CODES.includes(code)) return endWith({ code, why: null });
          // Without the database nothing changes here: a reader without a stream knows that its data is old.
          if (code === null) log.warn({ err: error }, 'the session of a stream could not be checked; the stream ends');
          leave();
          connection.end();
        }
      };
      let cancelRecheck: Cancel;
      const recheckLater = () => {
        cancelRecheck = clock.after(RECHECK_MS, () => {
          recheckLater();
          announce(sessionId, true);
          void recheckNow();
        });
      };
      recheckLater();
      let left = false;
      const leave = () => {
        if (left) return;
        left = true;
        cancelRecheck();
        unsubscribeEnd();
        unsubscribeIdentity();
        removeListener();
        connections.delete(connection);
        members.delete(member);
        const others = (open.get(sessionId) ?? 1) - 1;
        if (others === 0) {
          open.delete(sessionId);
          announce(sessionId, false);
        } else open.set(sessionId, others);
      };
      return leave;
    },
    stop() {
      stopped = true;
      unsubscribeRights();
      unsubscribeGap();
      unsubscribePresence();
      for (const connection of connections) connection.end();
    },
  };
}

interface SessionEnd {
  code: number;
  /** why another user or action ended it, if so */
  why: { cause: EndCause; note: string | null } | null;
}

/** The message for the end of a session. An event in an unknown format ends it as not signed in. */
function endIn({ code, cause, note }: SessionEndMessage): SessionEnd {
  return {
    code: code !== undefined && SESSION_CODES.includes(code) ? code : CODES.notSignedIn.code,
    why: cause ? { cause, note: note ?? null } : null,
  };
}

function sessionMessage({ code, why }: SessionEnd, locale: Locale): SessionMessage {
  if (why) return { code, message: sessionEndText(why.cause, why.note, locale) };
  const name = (Object.keys(CODES) as CodeName[]).find((known) => CODES[known].code === code) ?? 'notSignedIn';
  return { code, message: messageOf(name, locale) };
}
