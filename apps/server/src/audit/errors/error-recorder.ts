import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type CaughtError, causeOf, compareVersions, storedError } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { Events } from '../../ports/events.ts';
import { mergedCauses, type Occurrence, type SeenCause, storeErrors } from './errors.store.ts';
import { errorsSeen } from './metrics.ts';
import { OVERFLOW, overflowFingerprint } from './overflow.ts';

const STORE_MS = 1_000;
/** Causes that may wait for the database, and their occurrences: of one cause, and of all. */
const MAX_CAUSES = 1_000;
const MAX_OF_CAUSE = 100;
const MAX_OCCURRENCES = 500;
/** Causes whose fingerprint is remembered, and fingerprints that may be computed in a second. */
const REMEMBERED = 2_000;
const COMPUTED_PER_SECOND = 300;
/** Characters that find a remembered fingerprint. */
const KEY_CHARACTERS = 400;
const HOUR_MS = 3_600_000;

/** An error to be recorded. */
export interface RecordedError extends CaughtError {
  version: string;
  /** reported by a page without a session */
  anonymous?: boolean;
  /** how often it happened */
  count?: number;
  /** when it happened, if that is not now */
  at?: Date;
  occurrence: Omit<Occurrence, 'at' | 'version' | 'message'>;
}

export type ErrorRecorder = ReturnType<typeof errorRecorder>;

/**
 * Counts errors in memory and stores them once a second, by cause. `record` never waits and never throws, and its cost
 * and memory are limited in a storm: counts stay right, while only some occurrences are kept. What happens while errors
 * are stored is not recorded, so that an error of the error log cannot cause itself.
 */
export function errorRecorder(parts: { db: Kysely<Database>; clock: Clock; log: Log; events: Events }) {
  const { db, clock, log, events } = parts;
  const storing = new AsyncLocalStorage<true>();
  const known = new Map<string, { fingerprint: string; stored: CaughtError }>();
  let waiting = new Map<string, SeenCause>();
  let occurrences = 0;
  let second = 0;
  let computed = 0;

  /** The cause of an error. In a storm of ever new causes, those of a source share one. */
  function identify(error: RecordedError, now: number): { fingerprint: string; stored: CaughtError } {
    const key = keyOf(error);
    const found = known.get(key);
    if (found) {
      known.delete(key);
      known.set(key, found);
      return found;
    }
    if (Math.floor(now / 1_000) !== second) {
      second = Math.floor(now / 1_000);
      computed = 0;
    }
    computed += 1;
    if (computed > COMPUTED_PER_SECOND) return overflowOf(error);
    const { source, name, message, stack } = error;
    const stored = storedError({ source, name, message, stack });
    const fingerprint = createHash('sha256').update(causeOf(stored)).digest('base64url');
    known.set(key, { fingerprint, stored });
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED) break;
      known.delete(oldest);
    }
    return { fingerprint, stored };
  }

  function record(error: RecordedError): void {
    if (storing.getStore()) return;
    const count = error.count ?? 1;
    errorsSeen.inc({ source: error.source }, count);
    const now = clock.now();
    const at = error.at ?? now;
    let { fingerprint, stored } = identify(error, now.getTime());
    if (!waiting.has(fingerprint) && waiting.size >= MAX_CAUSES) ({ fingerprint, stored } = overflowOf(error));
    const cause = waiting.get(fingerprint) ?? newCause(fingerprint, stored, error, at);
    waiting.set(fingerprint, cause);
    cause.count += count;
    if (at < cause.firstAt) cause.firstAt = at;
    if (at > cause.lastAt) cause.lastAt = at;
    cause.anonymous &&= error.anonymous === true;
    if (compareVersions(error.version, cause.version) > 0) cause.version = error.version;
    const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
    cause.hours.set(hour, (cause.hours.get(hour) ?? 0) + count);
    if (cause.occurrences.length >= MAX_OF_CAUSE || occurrences >= MAX_OCCURRENCES) return;
    occurrences += 1;
    const { message } = cause.occurrences.length < 10 ? storedError(error) : stored;
    cause.occurrences.push({ at, version: error.version, message, ...error.occurrence });
  }

  async function store(): Promise<void> {
    if (waiting.size === 0) return;
    const taken = waiting;
    const storedOccurrences = occurrences;
    waiting = new Map();
    occurrences = 0;
    try {
      await storing.run(true, () => storeErrors(db, [...taken.values()]));
      storing.run(true, () => events.publish('errors.changed', { id: 0 }));
    } catch (error) {
      occurrences += storedOccurrences;
      for (const [fingerprint, cause] of taken) {
        const later = waiting.get(fingerprint);
        waiting.set(fingerprint, later ? mergedCauses(cause, later) : cause);
      }
      throw error;
    }
  }

  // Errors of this job are not recorded, because each would cause the next one.
  const job = clock.repeat(store, {
    job: 'errorStorage',
    everyMs: STORE_MS,
    log: quiet(log),
    failed: 'errors could not be stored',
    again: 'errors are stored again',
  });
  function quiet(writer: Log): Log {
    const write = (level: 'info' | 'warn' | 'error') => (values: object | string, text?: string) =>
      storing.run(true, () => (typeof values === 'string' ? writer[level](values) : writer[level](values, text)));
    return { info: write('info'), warn: write('warn'), error: write('error') } as unknown as Log;
  }

  return {
    record,
    store: job.start,
    start: job.startLater,
    async stop(): Promise<void> {
      await job.stop();
      await store().catch((error: unknown) => quiet(log).warn({ err: error }, 'the last errors could not be stored'));
    },
  };
}

/** Cheap, because it is computed for every error of a storm. */
function keyOf({ source, name, message, stack, anonymous }: RecordedError): string {
  const start = message.slice(0, KEY_CHARACTERS).replace(/\d+/g, '#');
  // The first line of a stack repeats the message.
  const frames = stack === null ? '' : stack.slice(stack.indexOf('\n') + 1, stack.indexOf('\n') + 1 + KEY_CHARACTERS);
  return `${source} ${anonymous === true} ${name} ${start}\n${frames}`;
}

function overflowOf({ source, anonymous }: RecordedError): { fingerprint: string; stored: CaughtError } {
  return {
    fingerprint: overflowFingerprint(source, anonymous === true),
    stored: { source, ...OVERFLOW },
  };
}

function newCause(fingerprint: string, stored: CaughtError, error: RecordedError, at: Date): SeenCause {
  return {
    ...stored,
    fingerprint,
    anonymous: error.anonymous === true,
    version: error.version,
    firstAt: at,
    lastAt: at,
    count: 0,
    hours: new Map(),
    occurrences: [],
  };
}
