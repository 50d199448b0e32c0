import { declareRoom } from '../platform/rooms/assemble.ts';
import { countMarks } from './rollups/rollups.store.ts';
import { rollups } from './rollups/rollups.ts';
import { telemetryRoutes } from './telemetry.routes.ts';
import './tables.ts';

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

/** Readings: latest, history, rollups, charts; charging transactions. */
export const telemetry = declareRoom({
  name: 'telemetry',
  needs: ['db', 'pool', 'events', 'documentFinder', 'clock', 'log', 'config'],
  open({ config, documentFinder, ...rest }) {
    const parts = { ...rest, documents: documentFinder, readingDays: config.readingDays };
    const { pool } = parts;
    const worker = rollups(parts);
    return {
      role: 'jobs',
      routes: (app) => telemetryRoutes(app, parts),
      start: () => void worker.start(),
      stop: worker.stop,
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
