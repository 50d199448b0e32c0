import {
  alarmEndpoints,
  CODES,
  type CodeName,
  type EndCause,
  fleetEndpoints,
  type Locale,
  messageOf,
  placesEndpoints,
  SESSION_CODES,
  type SessionMessage,
  sessionEndText,
} from '@chargehand/contract';
import { permits, type Scope, seesWholeCustomer } from '@chargehand/domain';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import type { Caller } from '../ports/caller.ts';
import {
  identityChanged,
  RIGHTS_CHANGED,
  type RightsNews,
  SESSIONS_CHANGED,
  type SessionHolder,
  type SessionNews,
  sessionEnded,
} from '../ports/sessions.ts';
import type { EventLine } from './event-connection.ts';
import type { StreamHub } from './stream-hub.ts';

/** Streams that one session may hold open on one node: a tab needs one. */
export const STREAMS_PER_SESSION = 20;
/** A stream's session is looked at again this often, should the news of its end get lost. Milliseconds. */
const RECHECK_MS = 30_000;
/** How long news of sessions is gathered before it is told. Milliseconds. */
const GATHER_MS = 150;

const NOTHING: Scope = { customers: [], sites: [] };

interface Joining {
  caller: Caller;
  devices: ReadonlySet<number>;
  locale: Locale;
  line: EventLine;
  /** who the holder is now; rejects with the `Problem` that ends the stream */
  recheck(): Promise<Caller>;
}

export interface StreamSessions {
  /** @throws Problem `tooManyStreams` when the session holds as many as it may */
  requireRoom(sessionId: string): void;
  /** Lets a line hear of changes until it leaves or its session ends. */
  join(joining: Joining): Stop;
  /** Ends all lines at once. */
  stop(): void;
}

/** Binds streams to the sessions that opened them: no stream outlives its session, none sees more than its holder. */
export function streamSessions(parts: { bus: Bus; hub: StreamHub; log: Log }): StreamSessions {
  const { bus, hub, log } = parts;
  const open = new Map<string, number>();
  const lines = new Set<EventLine>();
  const members = new Set<{ holder(): Caller; told(): void; doubt(): void }>();
  const stopHearing = hearOfSessions(bus, (holders) => {
    for (const member of members) if (holders.some((one) => maySee(member.holder(), one))) member.told();
  });
  const stopDoubting = bus.subscribe(RIGHTS_CHANGED, (message) => {
    const { userId } = message as RightsNews;
    for (const member of members) if (userId === null || member.holder().userId === userId) member.doubt();
  });
  let stopped = false;
  return {
    requireRoom(sessionId) {
      if ((open.get(sessionId) ?? 0) >= STREAMS_PER_SESSION) {
        throw new Problem('tooManyStreams', { values: { limit: STREAMS_PER_SESSION }, status: 429 });
      }
    },
    join({ caller, devices, locale, line, recheck }) {
      const { sessionId } = caller;
      let holder = caller;
      // While it is not known what the holder may see they are told nothing, and then to fetch again.
      let doubts = 0;
      let settled = 0;
      if (stopped) {
        line.end();
        return () => undefined;
      }
      open.set(sessionId, (open.get(sessionId) ?? 0) + 1);
      lines.add(line);
      const member = {
        holder: () => holder,
        told() {
          if (doubts === settled) line.told('sessions');
        },
        doubt() {
          doubts += 1;
          void lookAgain();
        },
      };
      members.add(member);
      const scope = () => (doubts > settled || !seesDevices(holder) ? NOTHING : holder.scope);
      const leaveHub = hub.add({ scope, devices, changed: line.changed, resync: line.resync });
      const endWith = (end: SessionEnd) => {
        leave();
        line.end('session', sessionMessage(end, locale));
      };
      const deafen = bus.subscribe(sessionEnded(sessionId), (message) => endWith(endIn(message)));
      const becameAnother = () => {
        leave();
        line.end('identity', {});
      };
      const unaware = bus.subscribe(identityChanged(sessionId), becameAnother);
      const lookAgain = async () => {
        const asked = doubts;
        try {
          const now = await recheck();
          // What was doubted meanwhile is being looked at, too, and by that answer alone it is settled.
          if (left || asked < doubts) return;
          if (now.userId !== caller.userId) return becameAnother();
          holder = now;
          if (settled === doubts) return;
          settled = doubts;
          line.resync();
        } catch (error) {
          if (!(error instanceof Problem)) {
            log.warn({ err: error }, 'the session of a stream could not be looked at; it is tried again');
            return;
          }
          const { code } = CODES[error.code];
          if (SESSION_CODES.includes(code)) return endWith({ code, why: null });
          leave();
          line.end();
        }
      };
      const again = setInterval(lookAgain, RECHECK_MS);
      again.unref();
      let left = false;
      const leave = () => {
        if (left) return;
        left = true;
        clearInterval(again);
        deafen();
        unaware();
        leaveHub();
        lines.delete(line);
        members.delete(member);
        const others = (open.get(sessionId) ?? 1) - 1;
        if (others === 0) open.delete(sessionId);
        else open.set(sessionId, others);
      };
      return leave;
    },
    stop() {
      stopped = true;
      stopHearing();
      stopDoubting();
      for (const line of lines) line.end();
    },
  };
}

/** Hears whose sessions were opened or ended, gathered over a moment: a burst of sign-ins is told once. */
function hearOfSessions(bus: Bus, tell: (holders: readonly SessionHolder[]) => void): Stop {
  let gathered: SessionHolder[] = [];
  let timer: NodeJS.Timeout | undefined;
  const deafen = bus.subscribe(SESSIONS_CHANGED, (message) => {
    gathered.push(...(message as unknown as SessionHolder[]));
    timer ??= setTimeout(() => {
      timer = undefined;
      const holders = gathered;
      gathered = [];
      tell(holders);
    }, GATHER_MS);
  });
  return () => {
    deafen();
    clearTimeout(timer);
  };
}

/** The menus with pages that show devices: whoever holds none of them hears nothing of devices. */
const DEVICE_MENUS = [
  ...new Set(
    [
      fleetEndpoints.listDevices,
      fleetEndpoints.readDevice,
      placesEndpoints.listSites,
      alarmEndpoints.listAlarms,
    ].flatMap(({ access }) => (typeof access === 'string' ? [] : access.keys)),
  ),
];

/** True when a menu of theirs shows somebody devices. */
function seesDevices(listener: Caller): boolean {
  return permits(listener, DEVICE_MENUS);
}

/** True when somebody may know that a session of this holder was opened or ended: it is theirs, or on their list. */
function maySee(listener: Caller, { userId, customerId }: SessionHolder): boolean {
  if (listener.userId === userId) return true;
  return permits(listener, ['auth_user_online']) && seesWholeCustomer(listener.scope, customerId);
}

interface SessionEnd {
  code: number;
  /** why somebody ended it, where they did */
  why: { cause: EndCause; note: string | null } | null;
}

/** What the news of a session's end says; news of another shape ends it as not signed in. */
function endIn(message: unknown): SessionEnd {
  const { code, cause, note } = (typeof message === 'object' && message !== null ? message : {}) as SessionNews;
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
