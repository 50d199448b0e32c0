import type { BatchRow } from '@chargehand/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** Only the newest commands of a user are considered, so that the work does not grow with their number. */
const NEWEST = 500;

/** A command or batch that ended. */
export interface EndedCommand {
  kind: string;
  connector: number;
  key: string | null;
  siteName: string;
  endedAt: Date;
  /** null for a batch */
  executionId: string | null;
  deviceId: number | null;
  deviceName: string | null;
  protocol: string | null;
  result: number | null;
  transferState: string | null;
  /** null for a single command */
  batchId: number | null;
  counts: Omit<BatchRow['counts'], 'total'> | null;
}

type Owner = Pick<Caller, 'userId' | 'scope'>;

/** The commands of a user that ended last, newest first, on devices and sites in their scope. */
export async function listEnded(db: Kysely<Database>, owner: Owner, limit: number): Promise<EndedCommand[]> {
  const { rows } = await sql<EndedCommand>`${ended(owner)} order by "endedAt" desc limit ${limit}`.execute(db);
  return rows;
}

/** How many of them ended after a time, at most `limit`. */
export async function countEnded(db: Kysely<Database>, owner: Owner, since: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select from (${ended(owner)}) ended where "endedAt" > ${since} limit ${limit}) counted`.execute(db);
  return rows[0]!.count;
}

function ended({ userId, scope }: Owner): RawBuilder<EndedCommand> {
  return sql`
    with own as materialized (
      select id, kind, params ->> 'key' as key from commands where requested_by = ${userId} order by id desc limit ${NEWEST}
    )
    select own.kind, e.connector, own.key, s.name as "siteName", coalesce(t.ended_at, e.ended_at) as "endedAt",
           e.id as "executionId", d.id as "deviceId", d.name as "deviceName", state.protocol, e.result,
           t.state as "transferState", null::int as "batchId", null::jsonb as counts
      from own
      join executions e on e.command_id = own.id
      join devices d on d.id = e.device_id
      join sites s on s.id = d.site_id
      left join device_states state on state.device_id = d.id
      left join transfers t on t.execution_id = e.id
     where e.state = 'ended' and e.batch_id is null and e.verifies is null and (t.id is null or t.ended_at is not null)
       and ${withinScope(scope, 'd.customer_id', 'd.site_id')}
    union all
    select own.kind, b.connector, own.key, s.name, b.ended_at, null, null, null, null, null, null, b.id,
           jsonb_build_object('queued', b.queued, 'inFlight', b.in_flight, 'succeeded', b.succeeded, 'failed', b.failed,
                              'timedOut', b.timed_out, 'offline', b.offline, 'cancelled', b.cancelled,
                              'refused', b.refused)
      from own
      join command_batches b on b.command_id = own.id
      join sites s on s.id = b.site_id
     where b.ended_at is not null and ${withinScope(scope, 'b.customer_id', 'b.site_id')}`;
}
