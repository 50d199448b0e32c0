import { declareRoom } from '../platform/rooms/assemble.ts';
import { readingPacker } from './packing/packer.ts';
import { countMarks } from './rollups/rollups.store.ts';
import { rollups } from './rollups/rollups.ts';
import { telemetryRoutes } from './telemetry.routes.ts';
import './tables.ts';

export { readingPacker } from './packing/packer.ts';
export { type Layouts, layOut, layouts } from './readings/layouts.ts';
export { readingStatements } from './readings/readings.store.ts';
export { eraseSecretTexts, storeTexts } from './readings/texts.store.ts';
export { rollups } from './rollups/rollups.ts';
export { readRuntime } from './runtime/runtime.service.ts';
export { chargingNow, mayStillCharge } from './transactions/charging-now.ts';
export {
  lastValues,
  loadPastTransactions,
} from './transactions/history.store.ts';
export { storeTransactions } from './transactions/reported-transactions.store.ts';
export { endSessionsByBoot, sessionStatements } from './transactions/session-ends.store.ts';
export { storeTransactionEvents } from './transactions/transaction-events.store.ts';

/** Messages that wait longer show that the server is at its limit. */
const LATE_MS = 500;

/** Readings: latest, history, rollups, charts; charging transactions. */
export const telemetry = declareRoom({
  name: 'telemetry',
  needs: ['db', 'reads', 'pool', 'events', 'documentFinder', 'clock', 'log', 'config', 'node', 'sink'],
  open({ config, documentFinder, node, sink, ...rest }) {
    const parts = { ...rest, documents: documentFinder, readingDays: config.readingDays };
    const { pool } = parts;
    const worker = rollups(parts);
    const packer = readingPacker({ ...parts, salt: node.epoch, isLate: () => sink.delayMs() > LATE_MS });
    return {
      role: 'jobs',
      routes: (app) => telemetryRoutes(app, parts),
      start() {
        void worker.start();
        packer.startLater();
      },
      async stop() {
        await Promise.all([worker.stop(), packer.stop()]);
      },
      measures: [
        {
          name: 'chargehand_reading_marks',
          help: 'Changed spans of readings that are not rolled up yet.',
          read: () => countMarks(pool),
        },
      ],
    };
  },
});
