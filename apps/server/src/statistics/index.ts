import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { TrafficMeter } from '../ports/traffic.ts';
import { figuresJob } from './figures/figures-job.ts';
import { presence } from './presence.ts';
import { statisticsRoutes } from './statistics.routes.ts';
import { trafficMeter } from './traffic-meter.ts';
import './tables.ts';

export { loadPastStatuses, loadPastTraffic, type PastStatus } from './history.store.ts';
export type { StoredTraffic } from './traffic.store.ts';
export { trafficMeter } from './traffic-meter.ts';

/** Starts before gateways open and stops after they have closed, so that it covers every status change. */
export interface StatisticsRoom extends Required<Room> {
  traffic: TrafficMeter;
}

/** The statuses of devices at a place over time, and their traffic. */
export function statisticsRoom(parts: {
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  log: Log;
  node: string;
}): StatisticsRoom {
  const { db, pool, clock, log, node } = parts;
  const watching = presence({ pool, clock, log, node });
  const traffic = trafficMeter({ pool, clock, log });
  const figures = figuresJob({ pool, clock, log });
  return {
    name: 'statistics',
    role: 'gateway',
    traffic,
    routes: (app) => statisticsRoutes(app, db),
    async start() {
      await watching.start();
      traffic.start();
      figures.startLater();
    },
    async stop() {
      await Promise.all([traffic.stop(), figures.stop()]);
      await watching.stop();
    },
  };
}
