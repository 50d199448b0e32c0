import { streamEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Bus } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Guard } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { Events } from '../ports/events.ts';
import { eventFeed } from './event-feed.ts';
import { eventHub } from './event-hub.ts';
import { streamRoutes } from './stream.routes.ts';
import { streamSessions } from './stream-sessions.ts';

export interface LiveRoom {
  events: Events;
  /** how many streams are open */
  streams(): number;
  /** `guard` decides again, while a stream is open, whether its holder still may listen */
  routes(app: FastifyInstance, guard: Guard): void;
  stop(): Promise<void>;
}

/** The live stream: collects events and sends them to every console that may hear them. */
export function liveRoom(parts: { bus: Bus; db: Kysely<Database>; log: Log }): LiveRoom {
  const { bus, db, log } = parts;
  const feed = eventFeed(bus);
  const hub = eventHub({ bus, db, log });
  const sessions = streamSessions({ bus, hub, log });
  return {
    events: feed,
    streams: hub.size,
    routes(app, guard) {
      streamRoutes(app, {
        db,
        sessions,
        async watch(request) {
          const caller = await guard(request, streamEndpoints.stream, 'watch');
          if (!caller) throw new Problem('notSignedIn');
          return caller;
        },
      });
    },
    async stop() {
      sessions.stop();
      hub.stop();
      feed.stop();
    },
  };
}
