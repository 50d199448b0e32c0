import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The end of an operation is announced so many seconds later: a sender who sees it by then is not notified. */
const ANNOUNCE_AFTER_S = 10;

/** An operation that has ended. */
export interface EndedOperation {
  id: number;
  kind: string;
  parameter: string | null;
  requestedBy: number;
  customerId: number;
  siteId: number;
  sites: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  refused: number;
}

/** Records that the sender of an operation has seen its end. */
export async function noteSeen(db: Kysely<Database>, operationId: number): Promise<void> {
  await db
    .updateTable('command_batches')
    .set({ seen_at: sql<Date>`clock_timestamp()` })
    .where('operation_id', '=', operationId)
    .where('announced_at', 'is', null)
    .where('ended_at', 'is not', null)
    .execute();
}

/** Takes operations whose last batch has ended, each once. Returns those that their sender has not seen. */
export async function takeEnded(db: Kysely<Database>, limit: number): Promise<EndedOperation[]> {
  const { rows } = await sql<EndedOperation>`
    with due as (
      select distinct b.operation_id as id from command_batches b
       where b.announced_at is null and b.ended_at < clock_timestamp() - make_interval(secs => ${ANNOUNCE_AFTER_S})
         and not exists (
           select from command_batches o where o.operation_id = b.operation_id
              and (o.ended_at is null or o.ended_at >= clock_timestamp() - make_interval(secs => ${ANNOUNCE_AFTER_S})))
       order by 1 limit ${limit}
    ), taken as (
      update command_batches b set announced_at = clock_timestamp() from due
       where b.operation_id = due.id and b.announced_at is null
      returning b.*
    )
    select t.operation_id as id, min(c.kind) as kind, min(c.params ->> 'key') as parameter,
           min(c.requested_by) as "requestedBy", (array_agg(t.customer_id order by t.id))[1] as "customerId",
           (array_agg(t.site_id order by t.id))[1] as "siteId", count(*)::int as sites,
           sum(t.succeeded)::int as succeeded, sum(t.failed + t.timed_out + t.offline)::int as failed,
           sum(t.cancelled)::int as cancelled, sum(t.refused)::int as refused
      from taken t join commands c on c.id = t.command_id
     where c.requested_by is not null
     group by t.operation_id having coalesce(max(t.seen_at) < max(t.ended_at), true)
     order by t.operation_id`.execute(db);
  return rows;
}
