import { type AlarmLevel, type NoticeType, OFFLINE_CAUSE } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The cause of an alarm `a`, as `causeOfFault` decides it. */
export const CAUSE = sql`case a.kind when 'offline' then ${OFFLINE_CAUSE} else a.code end`;

/** What an incident says about open alarms with one cause: Home, sites, messages and the open API read the same sums. */
export const SUMS_OF_ALARMS: RawBuilder<unknown> = sql`
  max(severity) as severity, min(raised_at) as since, max(raised_at) as last_at, count(*)::int as alarms,
  count(distinct device_id)::int as devices,
  (array_agg(acknowledged_by_name order by acknowledged_at desc) filter (where acknowledged_at is not null))[1] as by,
  (array_agg(id order by severity desc, raised_at, id))[1] as alarm_id`;

/** The open alarms of a stored incident with one cause. The alarm is the worst of them, then the oldest. */
export interface OpenCauseRecord {
  incidentId: number;
  cause: string;
  alarmId: number;
  code: string;
  /** of the message about it, and what its text needs */
  type: NoticeType;
  data: Record<string, string | number | null>;
  level: AlarmLevel;
  connector: number | null;
  /** when the oldest was raised */
  since: Date;
  alarms: number;
  deviceIds: number[];
  /** who acknowledged one of them last */
  acknowledgedBy: string | null;
}

/** What is open of stored incidents, as their alarms are now. Suppressed alarms do not count. */
export async function readOpenCauses(db: Kysely<Database>, incidentIds: readonly number[]): Promise<OpenCauseRecord[]> {
  if (incidentIds.length === 0) return [];
  const { rows } = await sql<OpenCauseRecord>`
    with open as (
      select a.*, m.incident_id, ${CAUSE} as cause
        from incident_members m join alarms a on a.id = substr(m.key, 7)::bigint
       where m.incident_id = any(${[...incidentIds]}::int[]) and m.key like 'fault %'
         and a.cleared_at is null and not a.suppressed
    ), causes as (
      select incident_id, cause, ${SUMS_OF_ALARMS}, array_agg(distinct device_id) as device_ids
        from open group by incident_id, cause
    )
    select c.incident_id as "incidentId", c.cause, c.alarm_id as "alarmId", a.code, notice_type_of_alarm(a.kind, a.level) as type,
           notice_data_of_alarm(a.code, a.connector, a.info, a.raised_at) as data, a.level, a.connector, c.since, c.alarms, c.device_ids as "deviceIds", c.by as "acknowledgedBy"
      from causes c join alarms a on a.id = c.alarm_id`.execute(db);
  return rows;
}
