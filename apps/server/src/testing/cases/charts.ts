import type { SiteName } from '../world.ts';
import { type EndpointCase, fresh, type Ground, HOUR_AGO, onDevice, readsDevice } from './ground.ts';

/** An open charging session of a device of a site. */
async function newTransaction({ db, world }: Ground, site: SiteName) {
  const { id } = world.devices[`${site}1`];
  const { id: transactionId } = await db
    .insertInto('transactions')
    .values({ device_id: id, connector: 1, id_tag: fresh('CASE'), meter_start: 0, started_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id, transactionId }, body: { comment: 'The pile lost power.' } };
}

const lastHour = { from: HOUR_AGO, to: new Date().toISOString() };
const quantities = (ground: Ground, site: SiteName) => ({
  ...onDevice(ground, site),
  query: { items: '1:Power.Active.Import', ...lastHour },
});

/** Readings over time, charging sessions, and events. */
export const CHART_CASES: Record<string, EndpointCase> = {
  'readingItems.list': readsDevice,
  'readings.read': { call: quantities },
  'readings.export': { call: quantities },
  'transactions.list': readsDevice,
  'transactions.close': { call: newTransaction },
  'readingMarks.list': {
    call: (ground, site) => ({ ...onDevice(ground, site), query: lastHour }),
  },
};
