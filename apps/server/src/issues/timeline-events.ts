import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { listenTo } from '../platform/database/connections/listen.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { EventsHere } from '../ports/events.ts';

/** How far back changes are looked for after the connection was lost. */
const LOST_MINUTES = 10;

/**
 * Announces new and edited entries of timelines to consoles, also those that triggers add. The database notifies after
 * the commit. Runs in every process, because each has its own consoles.
 */
export function timelineEvents(parts: { db: Kysely<Database>; pool: pg.Pool; events: EventsHere; log: Log }): Room {
  const { db, pool, events, log } = parts;
  const waiting = new Set<number>();
  let lost = false;
  let running: Promise<void> | null = null;
  let listening: ReturnType<typeof listenTo> | undefined;

  const run = async () => {
    try {
      while (waiting.size > 0 || lost) {
        const ids = [...waiting];
        waiting.clear();
        const since = lost;
        lost = false;
        const places = await listTimelines(db, since ? [...ids, ...(await listRecent(db))] : ids);
        for (const { id, customerId, siteId } of places)
          events.publishHere('issue.entries', { id }, { customerId, siteId });
      }
    } catch (error) {
      log.warn({ err: error }, 'entries of issues could not be announced; consoles show them when they load again');
    } finally {
      running = null;
    }
  };
  return {
    name: 'issue timelines',
    start() {
      let first = true;
      listening = listenTo(pool, 'issue_entries', {
        log,
        onNotification(payload) {
          if (payload !== null) waiting.add(Number(payload));
          // At the start nobody has loaded a timeline yet.
          else if (!first) lost = true;
          first = false;
          running ??= Promise.resolve().then(run);
        },
      });
    },
    async stop() {
      await listening?.stop();
      await running;
    },
  };
}

interface TimelineRecord {
  id: number;
  customerId: number;
  siteId: number | null;
}

/** Issues and those that they were merged into, also through others: their timelines include the entries. */
async function listTimelines(db: Kysely<Database>, ids: readonly number[]): Promise<TimelineRecord[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<TimelineRecord>`
    with recursive shown as (
      select id, customer_id, site_id, merged_into from issues where id = any(${[...ids]}::int[])
      union
      select i.id, i.customer_id, i.site_id, i.merged_into from issues i join shown s on i.id = s.merged_into
    )
    select id, customer_id as "customerId", site_id as "siteId" from shown`.execute(db);
  return rows;
}

/** Issues that changed or got entries while nobody listened. */
async function listRecent(db: Kysely<Database>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from issues where updated_at > now() - make_interval(mins => ${LOST_MINUTES})
    union
    select issue_id from (select issue_id, at from issue_entries order by id desc limit 5000) newest
     where at > now() - make_interval(mins => ${LOST_MINUTES})`.execute(db);
  return rows.map(({ id }) => id);
}
