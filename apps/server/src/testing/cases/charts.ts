import type { SiteName } from '../world.ts';
import { type EndpointCase, type Ground, HOUR_AGO, NO_PERMISSION, NOT_FOUND, onDevice, readsDevice } from './ground.ts';

const lastHour = { from: HOUR_AGO, to: new Date().toISOString() };
const quantities = (ground: Ground, site: SiteName) => ({
  ...onDevice(ground, site),
  query: { items: '1:Power.Active.Import', ...lastHour },
});

/** Readings over time, and what happened meanwhile. */
export const CHART_CASES: Record<string, EndpointCase> = {
  'readingItems.list': readsDevice,
  'readings.read': { call: quantities, outOfScope: NOT_FOUND },
  'readings.export': { call: quantities, outOfScope: NOT_FOUND, leastLevel: NO_PERMISSION },
  'readingMarks.list': {
    call: (ground, site) => ({ ...onDevice(ground, site), query: lastHour }),
    outOfScope: NOT_FOUND,
  },
};
