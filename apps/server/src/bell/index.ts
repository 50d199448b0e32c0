import { bellEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { serve } from '../platform/http/serve/serve.ts';
import type { Room } from '../platform/room.ts';
import type { Events } from '../ports/events.ts';
import { type BellService, bellService, type CountedSources } from './bell.service.ts';
import './tables.ts';

export type { CountedSources } from './bell.service.ts';

export interface BellRoom extends Required<Pick<Room, 'name' | 'routes'>> {
  count: BellService['count'];
}

/** The notification bell: how much is new for a user. Other modules provide the sources that it counts. */
export function bellRoom(parts: { db: Kysely<Database>; events: Events; sources: CountedSources }): BellRoom {
  const bell = bellService(parts);
  return {
    name: 'bell',
    count: bell.count,
    routes(app) {
      serve(app, bellEndpoints.readBell, ({ caller }) => bell.read(caller));
      serve(app, bellEndpoints.openBell, ({ caller }) => bell.open(caller));
    },
  };
}
