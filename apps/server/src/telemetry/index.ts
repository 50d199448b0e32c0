import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { ReadingDays } from '../platform/config/config.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { DocumentFinder } from '../ports/document-finder.ts';
import type { Events } from '../ports/events.ts';
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

export interface TelemetryRoom extends Required<Room> {
  /** the number of marks that wait to be rolled up */
  marks(): Promise<number>;
}

/** Readings: latest, history, rollups, charts; charging transactions. */
export function telemetryRoom(parts: {
  db: Kysely<Database>;
  events: Events;
  documents: DocumentFinder;
  pool: Pool;
  clock: Clock;
  log: Log;
  readingDays: ReadingDays;
}): TelemetryRoom {
  const { pool } = parts;
  const worker = rollups(parts);
  return {
    name: 'telemetry',
    role: 'jobs',
    routes: (app) => telemetryRoutes(app, parts),
    start: () => void worker.start(),
    stop: worker.stop,
    marks: () => countMarks(pool),
  };
}
