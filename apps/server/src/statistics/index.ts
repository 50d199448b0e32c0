import { declareRoom } from '../platform/rooms/assemble.ts';
import type { TrafficMeter } from '../ports/traffic.ts';
import { figuresJob } from './figures/figures-job.ts';
import { presence } from './presence.ts';
import { statisticsRoutes } from './statistics.routes.ts';
import { trafficMeter } from './traffic-meter.ts';
import './tables.ts';

export { loadPastStatuses, loadPastTraffic, type PastStatus } from './history.store.ts';
export type { StoredTraffic } from './traffic.store.ts';
export { trafficMeter } from './traffic-meter.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    traffic: TrafficMeter;
  }
}

/**
 * The statuses of devices at a place over time, and their traffic. Starts before gateways open and stops after they have
 * closed, so that it covers every status change.
 */
export const statistics = declareRoom({
  name: 'statistics',
  needs: ['reads', 'pool', 'clock', 'log', 'node'],
  provides: ['traffic'],
  open({ reads, pool, clock, log, node }) {
    const watching = presence({ pool, clock, log, node });
    const traffic = trafficMeter({ pool, clock, log });
    const figures = figuresJob({ pool, clock, log });
    return {
      role: 'gateway',
      traffic,
      routes: (app) => statisticsRoutes(app, reads),
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
  },
});
