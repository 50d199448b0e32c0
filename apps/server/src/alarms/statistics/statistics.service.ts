import type { AlarmSummary, alarmEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { countOpenAlarms, rankAlarms, readTrend } from './statistics.store.ts';

type Endpoints = typeof alarmEndpoints;

/** The number of open alarms that a caller may see, by level and kind. */
export async function readAlarmSummary(
  db: Kysely<Database>,
  caller: Pick<Caller, 'scope'>,
  query: QueryOf<Endpoints['summarizeAlarms']>,
): Promise<AlarmSummary> {
  const summary: AlarmSummary = {
    total: 0,
    unacknowledged: 0,
    suppressed: 0,
    byLevel: { OA: 0, MA: 0, CA: 0 },
    byKind: { offline: 0, alarm: 0, fault: 0, unavailable: 0 },
  };
  for (const { level, kind, suppressed, unacknowledged, total } of await countOpenAlarms(caller.scope, db, query)) {
    if (suppressed) {
      summary.suppressed += total;
      continue;
    }
    summary.total += total;
    summary.unacknowledged += unacknowledged;
    summary.byLevel[level] += total;
    summary.byKind[kind] += total;
  }
  return summary;
}

/** The top causes of the alarms that a caller may see. */
export async function readRanking(
  db: Kysely<Database>,
  caller: Caller,
  { by, days, ...filters }: QueryOf<Endpoints['rankAlarms']>,
): Promise<ResultOf<Endpoints['rankAlarms']>> {
  const rows = await rankAlarms(caller.scope, db, by, days, filters);
  return { items: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** The last days of the alarms that a caller may see. */
export async function readAlarmTrend(
  db: Kysely<Database>,
  caller: Caller,
  { days, ...filters }: QueryOf<Endpoints['readAlarmTrend']>,
): Promise<ResultOf<Endpoints['readAlarmTrend']>> {
  return { days: await readTrend(caller.scope, db, days, filters) };
}
