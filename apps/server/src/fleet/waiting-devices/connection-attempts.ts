import { storable } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ConnectionAttempt, ConnectionAttempts } from '../../ports/devices/connection-attempts.ts';
import { addAttempts, trimAttempts } from './connection-attempts.store.ts';

/**
 * The maximum number of rows, in total and for one address: the attempts of one attacker must not hide those of others.
 */
const ROWS = 5_000;
const ROWS_OF_ADDRESS = 200;
/**
 * The maximum number of different attempts that wait for one statement. Beyond it, first targets and then addresses are
 * counted together.
 */
const BATCH_LIMIT = 1_000;
/** How often collected attempts are stored. */
const EVERY_MS = 250;
/** The maximum length of text that is stored of an unknown client. */
const TEXT_LIMIT = 200;

/** Counts attempts and stores the counts. A flood costs one statement per interval. */
export function attemptRecorder(db: Kysely<Database>, log: Log): ConnectionAttempts & { stop(): Promise<void> } {
  let batch = new Map<string, ConnectionAttempt & { attempts: number }>();
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<void> = Promise.resolve();

  const store = async () => {
    const attempts = [...batch.values()];
    batch = new Map();
    if (attempts.length === 0) return;
    try {
      await addAttempts(db, attempts);
      await trimAttempts(db, ROWS, ROWS_OF_ADDRESS);
    } catch (error) {
      log.warn({ err: error, attempts: attempts.length }, 'connection attempts could not be stored');
    }
  };
  const flush = () => {
    timer = null;
    storing = storing.then(store);
  };

  const count = (attempt: ConnectionAttempt): boolean => {
    const { gateway, remoteAddress, target, reason } = attempt;
    const key = JSON.stringify([gateway, remoteAddress, target, reason]);
    const known = batch.get(key);
    if (!known && batch.size >= BATCH_LIMIT) return false;
    batch.set(key, { ...attempt, attempts: (known?.attempts ?? 0) + 1 });
    return true;
  };

  return {
    record(attempt) {
      const kept = {
        ...attempt,
        remoteAddress: text(attempt.remoteAddress),
        target: text(attempt.target),
        protocols: attempt.protocols === null ? null : text(attempt.protocols),
      };
      const together = { ...kept, target: '*', protocols: null, deviceId: null };
      const counted = count(kept) || count(together);
      // A flood from more addresses than can wait at once; these few rows always fit.
      if (!counted) batch.set(`* ${attempt.gateway} ${attempt.reason}`, sum(together));
      timer ??= setTimeout(flush, EVERY_MS);
    },
    async stop() {
      if (timer) clearTimeout(timer);
      flush();
      await storing;
    },
  };

  function sum(attempt: ConnectionAttempt): ConnectionAttempt & { attempts: number } {
    const known = batch.get(`* ${attempt.gateway} ${attempt.reason}`);
    return { ...attempt, remoteAddress: '*', attempts: (known?.attempts ?? 0) + 1 };
  }
}

/** The client's text without characters that the database cannot store. */
function text(value: string): string {
  return storable(value.slice(0, TEXT_LIMIT));
}
