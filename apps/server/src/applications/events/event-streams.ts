import type { ServerResponse } from 'node:http';
import { CODES, type CodeName, type Locale, messageOf, OPEN_ENDPOINTS, type OpenEventType } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Cancel, Clock } from '../../platform/clock.ts';
import { listenTo } from '../../platform/database/connections/listen.ts';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import { type CallingApplication, findById } from '../requests/callers.store.ts';
import { decideEvents } from '../requests/usable.ts';
import { eventPositions, eventsAfter, openEventOf } from './events.store.ts';
import { type EventRights, eventRights, mayReceive } from './receivers.ts';

/** The streams that an application may have open in one process. */
export const MOST_STREAMS = 5;
/** How often the rights of applications with streams are checked. Milliseconds. */
const RECHECK_MS = 500;
const HEARTBEAT_MS = 15_000;
/** A reader that reads nothing for this long is disconnected. Milliseconds. */
const STALLED_MS = 45_000;
const AT_ONCE = 200;

export type EventStreams = ReturnType<typeof eventStreams>;

interface Stream {
  applicationId: number;
  check(application: CallingApplication | undefined, rights: EventRights | null): void;
  pump(): void;
  close(): void;
}

/** Open streams of events. Positions are in the database, so a slow reader needs no memory and misses nothing. */
export function eventStreams(parts: { db: Kysely<Database>; pool: Pool; clock: Clock; log: Log }) {
  const { db, pool, clock, log } = parts;
  const streams = new Set<Stream>();
  /** the applications of streams that are admitted and not yet open; they count, too */
  const opening: number[] = [];
  let listening: ReturnType<typeof listenTo> | undefined;
  let cancelCheck: Cancel = () => undefined;
  let checking = false;
  let stopped = false;

  const opened = (applicationId: number) => {
    const place = opening.indexOf(applicationId);
    if (place >= 0) opening.splice(place, 1);
  };
  const checkLater = () => {
    checking = true;
    cancelCheck = clock.after(RECHECK_MS, () => void checkAll());
  };
  /** Ends the streams of applications that may not receive the same events any more. */
  const checkAll = async () => {
    const open = Map.groupBy(streams, ({ applicationId }) => applicationId);
    for (const [id, ofApplication] of open) {
      try {
        const application = await findById(db, id);
        const rights = application ? await eventRights(pool, application, clock.now()) : null;
        for (const stream of ofApplication) stream.check(application, rights);
      } catch (error) {
        log.warn({ err: error }, 'the rights of event streams could not be checked; they end');
        for (const stream of ofApplication) stream.close();
      }
    }
    checking = false;
    if (!stopped && streams.size > 0) checkLater();
  };

  return {
    /** @throws {Problem} if the application has too many streams, or may receive nothing */
    async admit(
      application: CallingApplication,
      types: readonly string[] | null,
    ): Promise<{ rights: EventRights; types: ReadonlySet<OpenEventType> }> {
      const applications = [...opening, ...[...streams].map(({ applicationId }) => applicationId)];
      if (applications.filter((id) => id === application.id).length >= MOST_STREAMS) {
        throw new Problem('applicationStreams', { status: 429, values: { limit: MOST_STREAMS, seconds: 60 } });
      }
      opening.push(application.id);
      try {
        const rights = await eventRights(pool, application, clock.now());
        const chosen = new Set([...(rights?.types ?? [])].filter((type) => types === null || types.includes(type)));
        const { problem } = decideEvents(chosen, OPEN_ENDPOINTS.streamEvents);
        if (!rights || problem) throw problem;
        return { rights, types: chosen };
      } catch (error) {
        opened(application.id);
        throw error;
      }
    },

    /** Sends events of an admitted stream to a response until it closes, or the rights of the application change. */
    async open(
      application: CallingApplication,
      { rights, types }: { rights: EventRights; types: ReadonlySet<OpenEventType> },
      {
        after,
        locale,
        response,
        isAllowed,
      }: {
        /** the position after which it continues; null: from now on */
        after: number | null;
        locale: Locale;
        response: ServerResponse;
        isAllowed(application: CallingApplication): boolean;
      },
    ): Promise<void> {
      opened(application.id);
      const known = keyOf(rights);
      let position = 0;
      let blockedSince: number | null = null;
      let pumping = false;
      let again = false;
      let ready = false;
      let cancelHeartbeat: Cancel = () => undefined;

      const isClosed = () => response.destroyed || response.writableEnded;
      const write = (text: string) => {
        if (!isClosed() && !response.write(text)) blockedSince ??= clock.now().getTime();
      };
      const end = (code: CodeName, values: Record<string, string> = {}) => {
        write(
          `event: end\ndata: ${JSON.stringify({ code: CODES[code].code, message: messageOf(code, locale, values) })}\n\n`,
        );
        stream.close();
      };
      const pump = async () => {
        again = true;
        if (pumping || !ready) return;
        pumping = true;
        try {
          while (again && blockedSince === null && !isClosed()) {
            again = false;
            const events = await eventsAfter(db, position, AT_ONCE);
            if (!streams.has(stream)) return;
            for (const event of events) {
              position = event.position;
              if (types.has(event.type) && mayReceive(rights, event)) {
                write(`id: ${position}\nevent: ${event.type}\ndata: ${JSON.stringify(openEventOf(event))}\n\n`);
              }
            }
            again ||= events.length === AT_ONCE;
          }
        } catch (error) {
          log.warn({ err: error }, 'events could not be read; the stream ends');
          stream.close();
        } finally {
          pumping = false;
        }
      };
      const heartbeat = () => {
        cancelHeartbeat = clock.after(HEARTBEAT_MS, () => {
          heartbeat();
          // The position also moves over events that the application does not receive.
          if (blockedSince === null) write(`id: ${position}\n: alive\n\n`);
          else if (clock.now().getTime() - blockedSince > STALLED_MS) response.destroy();
        });
      };
      const stream: Stream = {
        applicationId: application.id,
        pump: () => void pump(),
        check(now, present) {
          if (!now?.enabled) end('applicationDisabled');
          else if (now.expiresAt !== null && now.expiresAt <= clock.now()) end('applicationExpired');
          else if (!present) end('applicationUser');
          else if (!isAllowed(now) || keyOf(present) !== known) {
            end('applicationForbidden', { operation: 'open.streamEvents' });
          }
        },
        close() {
          streams.delete(stream);
          cancelHeartbeat();
          if (!isClosed()) response.end();
        },
      };
      if (stopped || isClosed()) return stream.close();
      streams.add(stream);
      response.on('close', stream.close);
      response.on('drain', () => {
        blockedSince = null;
        void pump();
      });
      listening ??= listenTo(pool, 'open_events_numbered', {
        log,
        onNotification() {
          for (const one of streams) one.pump();
        },
      });
      if (!checking) checkLater();
      heartbeat();
      const { numbered, removed } = await eventPositions(db).catch((error: unknown) => {
        stream.close();
        throw error;
      });
      position = after ?? numbered;
      if (after !== null && (after < removed || after > numbered)) {
        // The reader has to read the present state again.
        position = after > numbered ? numbered : removed;
        write(
          `id: ${position}\nevent: gap\ndata: ${JSON.stringify({ after: String(after), next: String(position) })}\n\n`,
        );
      } else {
        write(`id: ${position}\nevent: ready\ndata: ${JSON.stringify({ after: String(position) })}\n\n`);
      }
      ready = true;
      await pump();
    },

    async stop(): Promise<void> {
      stopped = true;
      cancelCheck();
      for (const stream of streams) stream.close();
      await listening?.stop();
    },
  };
}

/** Equal for equal rights. */
const keyOf = ({ scope, types }: EventRights) => JSON.stringify([scope, [...types]]);
