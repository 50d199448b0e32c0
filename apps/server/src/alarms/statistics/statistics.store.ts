import type { ALARM_RANKINGS } from '@chargehand/contract';
import { type AlarmKind, type AlarmLevel, DEFAULT_ZONE, type Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { type AlarmFilters, matching, nameOfDevice } from '../alarms.store.ts';

export interface OpenCount {
  level: AlarmLevel;
  kind: AlarmKind;
  suppressed: boolean;
  unacknowledged: number;
  total: number;
}

/** The number of open alarms in scope for each level and kind, read in one pass over the index of open alarms. */
export async function countOpenAlarms(scope: Scope, db: Kysely<Database>, filters: AlarmFilters): Promise<OpenCount[]> {
  const { rows } = await sql<OpenCount>`
    select level, kind, suppressed, count(*)::int as total,
           (count(*) filter (where acknowledged_at is null))::int as unacknowledged
      from alarms where cleared_at is null and ${matching(scope, filters)}
     group by level, kind, suppressed`.execute(db);
  return rows;
}

export interface RankedRecord {
  id: number | null;
  name: string;
  nameEn: string | null;
  nameZh: string | null;
  place: string | null;
  count: number;
  /** of all counted alarms, listed or not */
  total: number;
}

type Ranking = (typeof ALARM_RANKINGS)[number];

/** The number of entries that a ranking shows. */
const PLACES = 10;

/** The key that a ranking counts, and how its few entries get their names. `matches` decides which alarms count. */
const RANKINGS: Record<
  Ranking,
  {
    key: RawBuilder<unknown>;
    columns(scope: Scope): RawBuilder<unknown>;
    names(matches: RawBuilder<unknown>): RawBuilder<unknown>;
  }
> = {
  site: {
    key: sql`site_id`,
    columns: () => sql`r.key as id, s.name, null as "nameEn", null as "nameZh", c.name as place`,
    names: () => sql`join sites s on s.id = r.key join customers c on c.id = s.customer_id`,
  },
  device: {
    key: sql`device_id`,
    // A device that moved to another customer stays in the figures of its former site, without its present name and place.
    columns: (scope) => sql`
      r.key as id, ${nameOfDevice(scope)} as name, null as "nameEn", null as "nameZh",
      case when ${withinScope(scope, 'd.customer_id', 'd.site_id')} then s.name end as place`,
    names: () => sql`join devices d on d.id = r.key join sites s on s.id = d.site_id`,
  },
  model: {
    key: sql`device_model_id`,
    columns: () => sql`r.key as id, m.name, null as "nameEn", null as "nameZh", m.vendor as place`,
    names: () => sql`join device_models m on m.id = r.key`,
  },
  code: {
    key: sql`code`,
    columns: () => sql`null::int as id, r.key as name, n.name_en as "nameEn", n.name_zh as "nameZh", null as place`,
    // A code without a name may be from an alarm of a rule, which contains its name: the latest counted one is used.
    names: (matches) => sql`left join lateral (
      (select name_en, name_zh from alarm_codes c where c.code = r.key and c.device_model_id is null)
      union all
      (select rule -> 'name' ->> 'en', rule -> 'name' ->> 'zh' from alarms
        where code = r.key and rule is not null and ${matches} order by raised_at desc limit 1)
      limit 1
    ) n on true`,
  },
  kind: plain(sql`kind`),
  level: plain(sql`level`),
};

function plain(key: RawBuilder<unknown>) {
  return {
    key,
    columns: () => sql`null::int as id, r.key as name, null as "nameEn", null as "nameZh", null as place`,
    names: () => sql``,
  };
}

/** The places or codes with the most alarms in scope in the last days, highest count first. */
export async function rankAlarms(
  scope: Scope,
  db: Kysely<Database>,
  by: Ranking,
  days: number,
  filters: AlarmFilters,
): Promise<RankedRecord[]> {
  const { key, columns, names } = RANKINGS[by];
  const matches = sql`raised_at >= ${startOf(days)} and not suppressed and ${matching(scope, filters)}`;
  const { rows } = await sql<RankedRecord>`
    select ${columns(scope)}, r.count::int, r.total::int
      from (select ${key} as key, count(*) as count, sum(count(*)) over () as total
              from alarms where ${matches}
             group by 1 order by 2 desc, 1 limit ${PLACES}) r
      ${names(matches)}
     order by r.count desc, r.key`.execute(db);
  return rows;
}

/** The number of alarms in scope that were raised and cleared on each of the last days, oldest first. */
export async function readTrend(
  scope: Scope,
  db: Kysely<Database>,
  days: number,
  filters: AlarmFilters,
): Promise<{ day: string; raised: number; cleared: number }[]> {
  // Counted by quarters of an hour first, which every day of a time zone consists of: the time zone takes most of the time.
  const counted = (column: 'raised_at' | 'cleared_at') => sql`
    select (quarter at time zone ${DEFAULT_ZONE})::date as day, sum(count)::int as count
      from (select date_bin('15 minutes', ${sql.ref(column)}, '2000-01-01Z') as quarter, count(*) as count
              from alarms where ${sql.ref(column)} >= ${startOf(days)} and not suppressed and ${matching(scope, filters)}
             group by 1) quarters
     group by 1`;
  const { rows } = await sql<{ day: string; raised: number; cleared: number }>`
    with raised as (${counted('raised_at')}), cleared as (${counted('cleared_at')})
    select to_char(d, 'YYYY-MM-DD') as day, coalesce(raised.count, 0) as raised, coalesce(cleared.count, 0) as cleared
      from generate_series(0, ${days - 1}::int) ago
      cross join lateral (select (now() at time zone ${DEFAULT_ZONE})::date - ago as d) days
      left join raised on raised.day = d left join cleared on cleared.day = d
     order by d`.execute(db);
  return rows;
}

/** The start of the first of the last days in the fleet's time zone. Today is the last day. */
function startOf(days: number): RawBuilder<unknown> {
  return sql`((now() at time zone ${DEFAULT_ZONE})::date - ${days - 1}::int)::timestamp at time zone ${DEFAULT_ZONE}`;
}
