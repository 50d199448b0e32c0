import type { ActivityKind, ActivityResult } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Cancel, Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import { type ActivityRecord, writeActivity } from './activity.store.ts';

/** At most this much is lost when the server is killed. */
const STORE_MS = 500;
/** Rows in one statement, and rows that may wait for the database before new activity is refused. */
const BATCH = 500;
const MAX_WAITING = 5_000;
/** What one link may record. A page that asks ten times a second needs 300,000 in eight hours. */
const MAX_OF_LINK = 300_000;
const MAX_TEXT = 2_000;

/** One request, connection or transfer that has begun. */
export interface RunningActivity {
  /** Records its end. Later calls change nothing. */
  end(result: ActivityResult, more?: { status?: number | null; bytesIn?: number; bytesOut?: number }): void;
}

export type Activity = ReturnType<typeof linkActivity>;

/**
 * Records what happens in links. `begin` writes a row within half a second, and `end` completes it. Nothing may happen
 * without a record: `begin` answers null while the database does not keep up, and the caller then refuses the work.
 */
export function linkActivity(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  /** Activity of these links was stored. */
  onStored(linkIds: ReadonlySet<number>): Promise<void>;
}) {
  const { db, clock, log, onStored } = parts;
  /** by link and number */
  const waiting = new Map<string, ActivityRecord>();
  /** how much each link of this process has; a link does not survive the process */
  const counts = new Map<number, number>();
  let storing: Promise<void> = Promise.resolve();
  let cancel: Cancel | null = null;

  function change(record: ActivityRecord): void {
    waiting.set(`${record.linkId} ${record.number}`, record);
    cancel ??= clock.after(STORE_MS, () => void store());
  }

  function store(): Promise<void> {
    cancel?.();
    cancel = null;
    storing = storing.then(async () => {
      const links = new Set([...waiting.values()].map(({ linkId }) => linkId));
      while (waiting.size > 0) {
        const taken = [...waiting].slice(0, BATCH);
        for (const [key] of taken) waiting.delete(key);
        try {
          await writeActivity(
            db,
            taken.map(([, record]) => record),
          );
        } catch (error) {
          log.error({ err: error }, 'the activity of links could not be stored; trying again');
          // What has changed since is newer.
          for (const [key, record] of taken) if (!waiting.has(key)) waiting.set(key, record);
          cancel ??= clock.after(STORE_MS, () => void store());
          return;
        }
      }
      if (links.size > 0) await onStored(links);
    });
    return storing;
  }

  return {
    /**
     * Records that something began.
     * @param text method and path without values of the query, the target of a connection, or the name of a file
     * @param guest the name of the guest who does it
     * @returns null when nothing can be recorded now, so it must not happen
     */
    begin(linkId: number, kind: ActivityKind, text: string, guest: string | null = null): RunningActivity | null {
      const number = (counts.get(linkId) ?? 0) + 1;
      if (waiting.size >= MAX_WAITING || number > MAX_OF_LINK) return null;
      counts.set(linkId, number);
      const begun: ActivityRecord = {
        ...{ linkId, number, kind, text: shorten(text), startedAt: clock.now(), endedAt: null },
        guest: guest === null ? null : shorten(guest),
        ...{ result: null, status: null, bytesIn: 0, bytesOut: 0 },
      };
      change(begun);
      let over = false;
      return {
        end(result, { status = null, bytesIn = 0, bytesOut = 0 } = {}) {
          if (over) return;
          over = true;
          change({ ...begun, endedAt: clock.now(), result, status, bytesIn, bytesOut });
        },
      };
    },

    /** Stores everything that waits. */
    store,
  };
}

/** PostgreSQL has no character 0 in texts. */
function shorten(text: string): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT - 1).toWellFormed()}…` : clean;
}
