import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { TrafficMeter } from '../ports/traffic.ts';
import { presence } from './presence.ts';
import { statisticsRoutes } from './statistics.routes.ts';
import { trafficMeter } from './traffic-meter.ts';

export { trafficMeter } from './traffic-meter.ts';

export interface StatisticsRoom {
  traffic: TrafficMeter;
  routes(app: FastifyInstance): void;
  /** To be called before gateways open: from here on the server sees how devices stand. */
  start(): Promise<void>;
  /** To be called after gateways have closed: stores what is counted, and that nobody watches from here on. */
  stop(): Promise<void>;
}

/** How the devices of a place stood over time, and what traffic they had. */
export function statisticsRoom(parts: { db: Kysely<Database>; pool: Pool; log: Log; node: string }): StatisticsRoom {
  const { db, pool, log, node } = parts;
  const watching = presence({ pool, log, node });
  const traffic = trafficMeter({ pool, log });
  return {
    traffic,
    routes: (app) => statisticsRoutes(app, db),
    start: watching.start,
    async stop() {
      await traffic.stop();
      await watching.stop();
    },
  };
}
