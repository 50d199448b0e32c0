import type { AlarmKind, AlarmLevel, CommandKind, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { NAME_OF_CODE } from '../../alarms/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';

export interface AlarmMarkRecord {
  id: number;
  connector: number;
  code: string;
  nameEn: string | null;
  nameZh: string | null;
  kind: AlarmKind;
  level: AlarmLevel;
  raisedAt: Date;
  clearedAt: Date | null;
}

export interface CommandMarkRecord {
  id: string;
  kind: CommandKind;
  connector: number;
  result: number;
  requestedBy: string;
  at: Date;
  endedAt: Date | null;
}

/** The newest alarms of a device in scope that were raised in a range, or before it and continued into it. */
export async function alarmMarks(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  range: { from: Date; to: Date },
  limit: number,
): Promise<AlarmMarkRecord[]> {
  const { rows } = await sql<AlarmMarkRecord>`
    select a.id, a.connector, a.code, named.name_en as "nameEn", named.name_zh as "nameZh", a.kind, a.level,
           a.raised_at as "raisedAt", a.cleared_at as "clearedAt"
      from (select * from alarms
             where device_id = ${deviceInScope(scope, deviceId)} and ${withinScope(scope, 'customer_id', 'site_id')}
               and raised_at < ${range.to}
               and (raised_at >= ${range.from} or cleared_at is null or cleared_at > ${range.from})
             order by raised_at desc, id desc limit ${limit}) a
      ${NAME_OF_CODE(sql`a.code`, sql`a.device_model_id`)}
     order by a.raised_at desc, a.id desc`.execute(db);
  return rows;
}

/** The restarts of a device in scope that are known in a range, oldest first. */
export async function restartMarks(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  range: { from: Date; to: Date },
): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select r.at from device_boots b, unnest(b.at) as r (at)
     where b.device_id = ${deviceInScope(scope, deviceId)} and r.at >= ${range.from} and r.at < ${range.to}
       and ${duringStayInScope(scope, deviceId, 'r.at')}
     order by r.at`.execute(db);
  return rows.map(({ at }) => at);
}

/** The newest commands that users sent to a device in scope in a range, each with its outcome. */
export async function commandMarks(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  range: { from: Date; to: Date },
  limit: number,
): Promise<CommandMarkRecord[]> {
  const { rows } = await sql<CommandMarkRecord>`
    select e.id, c.kind, e.connector, c.requested_by_name as "requestedBy", e.queued_at as at, e.ended_at as "endedAt",
           execution_outcome(e.state, e.result, e.reason, case when t.state in ('verified', 'stored') then 'done'
                                                     when t.state in ('failed', 'timedOut') then t.state
                                                     when t.state is not null then 'underWay' end) as result
      from executions e join commands c on c.id = e.command_id left join transfers t on t.execution_id = e.id
     where c.requested_by_name <> '' and e.device_id = ${deviceInScope(scope, deviceId)} and e.queued_at >= ${range.from} and e.queued_at < ${range.to}
       and ${duringStayInScope(scope, deviceId, 'e.queued_at')}
     order by e.queued_at desc limit ${limit}`.execute(db);
  return rows;
}
