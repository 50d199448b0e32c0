import { streamEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Guard } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import type { Events, EventsHere } from '../ports/events.ts';
import { eventFeed } from './event-feed.ts';
import { type EventHub, eventHub } from './event-hub.ts';
import { streamRoutes } from './stream.routes.ts';
import { streamSessions } from './stream-sessions.ts';

export interface LiveRoom extends Required<Pick<Room, 'name' | 'routes' | 'stop'>> {
  /** the number of open streams */
  streams(): number;
  /** True while the console of a session is open in a browser, at any process. */
  isPresent(sessionId: string): boolean;
  /** the position of a page that is loaded now, from which its stream continues */
  position(): string;
  /** includes the changes in events */
  carry: EventHub['carry'];
  derive: EventHub['derive'];
  deriveFigures: EventHub['deriveFigures'];
}

/**
 * The live stream: sends events to every console that may receive them. `guard` checks repeatedly, while a stream is
 * open, whether its user may still listen.
 */
function liveRoom(parts: { bus: Bus; db: Kysely<Database>; clock: Clock; log: Log; guard: Guard }): LiveRoom {
  const { bus, db, clock, log, guard } = parts;
  const hub = eventHub({ bus, db, clock, log });
  const sessions = streamSessions({ bus, hub, clock, log });
  return {
    name: 'live',
    streams: hub.size,
    isPresent: sessions.has,
    position: hub.position,
    carry: hub.carry,
    derive: hub.derive,
    deriveFigures: hub.deriveFigures,
    routes(app) {
      streamRoutes(app, {
        sessions,
        clock,
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
    },
  };
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    events: Events & EventsHere;
    live: LiveRoom;
  }
}

/** Publishes events to the consoles of all processes. It stops after all who publish. */
export const events = declareRoom({
  name: 'events',
  needs: ['bus', 'clock'],
  provides: ['events'],
  open({ bus, clock }) {
    const feed = eventFeed(bus, clock);
    return { events: feed, stop: feed.stop };
  },
});

export const live = declareRoom({
  name: 'live',
  needs: ['bus', 'db', 'clock', 'log', 'access'],
  provides: ['live'],
  open({ access, ...parts }) {
    const room = liveRoom({ ...parts, guard: access.guard });
    return {
      ...room,
      live: room,
      measures: [
        { name: 'chargehand_live_streams', help: 'Live streams open on this node.', read: () => room.streams() },
      ],
    };
  },
});
