// Reads what consoles read (the devices, open alarms and messages of a customer) with the product's own queries, in a thread
// of its own. Each message from the parent is a number of rounds, and is answered with the times of their queries in
// milliseconds. Every round has the same queries.
import { setTimeout as pass } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Scope } from '@chargehand/domain';
import { listAlarmsAfter } from '../../apps/server/src/alarms/alarms.store.ts';
import { listDevices } from '../../apps/server/src/fleet/devices/device-list.store.ts';
import { listMessages } from '../../apps/server/src/messages/inbox/inbox.store.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';

const { url, customerId, userId, roundMs } = workerData as Record<'customerId' | 'userId' | 'roundMs', number> & {
  url: string;
};

const { db } = connectDatabase(url, { max: 2 });
const scope: Scope = { customers: [customerId], sites: 'all' };
const page = { limit: 20, offset: 0 };

const READS: readonly (() => Promise<unknown>)[] = [
  () => listDevices(scope, db, {}, { by: 'name', descending: false }, page),
  () => listAlarmsAfter(scope, db, { state: 'open' }, { by: 'raisedAt', descending: true }, null, page.limit),
  () => listMessages(scope, db, userId, {}, { newestFirst: true, urgentFirst: false }, page),
];

parentPort?.on('message', (rounds: number) => {
  void read(rounds).then((times) => parentPort?.postMessage(times));
});

/** Rounds start at fixed times, so that slow queries do not make fewer of them. */
async function read(rounds: number): Promise<number[]> {
  const times: number[] = [];
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const wait = start + round * roundMs - performance.now();
    if (wait > 0) await pass(wait);
    for (const query of READS) {
      const from = performance.now();
      await query();
      times.push(performance.now() - from);
    }
  }
  return times;
}
