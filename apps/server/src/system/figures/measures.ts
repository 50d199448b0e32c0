import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import {
  countFailedMails,
  countWaitingCommands,
  countWaitingSends,
  readDatabaseSize,
  readObjectsSize,
} from '../system.store.ts';

const MINUTE_MS = 60_000;
const FAILED_MAILS_MS = 86_400_000;

/** Metrics that are read from the database. Slow ones are read every few minutes. */
export function systemMeasures(db: Kysely<Database>, clock: Clock) {
  return [
    {
      name: 'chargehand_waiting_commands',
      help: 'Commands without a result.',
      read: () => countWaitingCommands(db),
    },
    {
      name: 'chargehand_failed_mails',
      help: 'Mails of the last 24 hours that could not be sent.',
      read: () => countFailedMails(db, new Date(clock.now().getTime() - FAILED_MAILS_MS)),
    },
    {
      name: 'chargehand_waiting_message_sends',
      help: 'Messages that wait for a webhook, a mail or a push service, and events that wait for a webhook of an application.',
      read: () => countWaitingSends(db),
    },
    {
      name: 'chargehand_database_size_bytes',
      help: 'Size of the database. Read every five minutes.',
      read: cached(clock, 5 * MINUTE_MS, () => readDatabaseSize(db)),
    },
    {
      name: 'chargehand_stored_objects_bytes',
      help: 'Size of the files in the embedded object store. Read every five minutes.',
      read: cached(clock, 5 * MINUTE_MS, () => readObjectsSize(db)),
    },
  ];
}

function cached(clock: Clock, ms: number, read: () => Promise<number>): () => Promise<number> {
  let known: { at: number; value: number } | null = null;
  return async () => {
    const now = clock.now().getTime();
    if (known === null || now - known.at >= ms) known = { at: now, value: await read() };
    return known.value;
  };
}
