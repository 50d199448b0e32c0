import { streamEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Bus } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Guard } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { MoveFeed } from '../ports/changes.ts';
import { changeFeed } from './change-feed.ts';
import { streamRoutes } from './stream.routes.ts';
import { streamHub } from './stream-hub.ts';
import { streamSessions } from './stream-sessions.ts';

export interface LiveRoom {
  changes: MoveFeed;
  /** how many streams are open */
  streams(): number;
  /** `guard` decides again, while a stream is open, whether its holder still may listen */
  routes(app: FastifyInstance, guard: Guard): void;
  stop(): Promise<void>;
}

/** The live stream: gathers what changed and tells every console that may know it. */
export function liveRoom(parts: { bus: Bus; db: Kysely<Database>; log: Log }): LiveRoom {
  const { bus, db, log } = parts;
  const feed = changeFeed(bus);
  const hub = streamHub({ bus, db, log });
  const sessions = streamSessions({ bus, hub, log });
  return {
    changes: feed,
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
