import type { CodeStatistics, WithDates } from '@chargehand/contract';
import { EXECUTION_RESULTS, type Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

/** The period of the statistics of codes. */
const DAYS = 90;
/** Entries of each ranking. */
const ENTRIES = 8;
/** Alarms whose following commands are examined at most, the newest first. */
const EXAMINED = 2_000;

/** The codes of open alarms in scope with their number, most frequent first. */
export async function openAlarmCodes(db: Kysely<Database>, scope: Scope, limit: number) {
  const { rows } = await sql<{ code: string; open: number }>`
    select code, count(*) as open from alarms
     where cleared_at is null and not suppressed and ${withinScope(scope, 'alarms.customer_id', 'alarms.site_id')}
     group by code order by open desc, ${naturally(sql`code`)} limit ${limit}`.execute(db);
  return rows;
}

/** The codes of the last 90 days in scope with the number of alarms and devices, most frequent first. */
export async function frequentCodes(db: Kysely<Database>, scope: Scope) {
  const { rows } = await sql<{ code: string; alarms: number; devices: number }>`
    select code, count(*) as alarms, count(distinct device_id) as devices from alarms
     where raised_at > now() - make_interval(days => ${DAYS}) and not suppressed
       and ${withinScope(scope, 'alarms.customer_id', 'alarms.site_id')}
     group by code order by alarms desc, ${naturally(sql`code`)}`.execute(db);
  return rows;
}

/**
 * How often codes occurred in scope in the last 90 days, on which models and firmware versions of the time, which
 * commands followed within an hour, and after which of those that succeeded the alarm ended and did not return within a
 * day. An alarm that returns soon after its end is the same row, reopened.
 */
export async function readCodeStatistics(
  db: Kysely<Database>,
  scope: Scope,
  codes: readonly string[],
): Promise<WithDates<CodeStatistics>> {
  const alarms = sql`
    select a.id, a.device_id, a.connector, a.code, a.raised_at, a.last_at, a.cleared_at, a.reopened, a.device_model_id,
           a.soft_version from alarms a
     where a.code = any(${codes}::text[]) and a.raised_at > now() - make_interval(days => ${DAYS}) and not a.suppressed
       and ${withinScope(scope, 'a.customer_id', 'a.site_id')}`;
  const counted = (name: ReturnType<typeof sql>, join: ReturnType<typeof sql>) => sql<{ name: string; count: number }>`
    select ${name} as name, count(*) as count from (${alarms}) x ${join}
     where ${name} is not null and ${name} <> '' group by 1 order by 2 desc, ${naturally(name)} limit ${ENTRIES}`;
  const [totals, models, firmware, commands] = await Promise.all([
    sql<{ alarms: number; open: number; devices: number; lastAt: Date | null }>`
      select count(*) as alarms, count(*) filter (where cleared_at is null) as open,
             count(distinct device_id) as devices, max(raised_at) as "lastAt" from (${alarms}) x`.execute(db),
    counted(sql`m.name`, sql`join device_models m on m.id = x.device_model_id`).execute(db),
    counted(sql`x.soft_version`, sql``).execute(db),
    sql<{ kind: string; count: number; resolved: number }>`
      with newest as materialized (select * from (${alarms}) x order by raised_at desc limit ${EXAMINED})
      select c.kind, count(*) as count, count(*) filter (where not exists (
               select from alarms again where again.device_id = n.device_id and again.connector = n.connector
                  and again.code = n.code and again.raised_at > e.queued_at
                  and again.raised_at < e.queued_at + interval '1 day')
               and n.cleared_at <= e.queued_at + interval '1 day' and (n.reopened = 0 or n.last_at <= e.queued_at)
               -- A day has passed since.
               and greatest(n.cleared_at, e.queued_at) <= now() - interval '1 day'
               and e.result = ${EXECUTION_RESULTS.success} and not exists (
                 select from transfers t where t.execution_id = e.id and t.state not in ('verified', 'stored'))) as resolved
        from newest n
        join executions e on e.device_id = n.device_id and e.queued_at >= n.raised_at
                         and e.queued_at < n.raised_at + interval '1 hour'
        join commands c on c.id = e.command_id
       group by c.kind order by 2 desc, 1 limit ${ENTRIES}`.execute(db),
  ]);
  const { lastAt, ...numbers } = totals.rows[0]!;
  return {
    ...{ days: DAYS, ...numbers, lastAt },
    ...{ models: models.rows, firmware: firmware.rows, commands: commands.rows },
  };
}
