import type { AlarmKind, AlarmLevel, AlarmSource } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** An alarm of the past with its device event. */
export interface PastAlarm {
  deviceId: number;
  connector: number;
  code: string;
  kind: AlarmKind;
  level: AlarmLevel;
  info: string | null;
  raisedAt: Date;
  lastAt: Date;
  repeats: number;
  reopened: number;
  clearedAt: Date | null;
  source: AlarmSource;
  /** of the device at the time; default: the one that it has now */
  softVersion?: string | null;
  acknowledged: { at: Date; userId: number; userName: string; note: string | null; comment: string | null } | null;
}

/** Adds alarms in the order of time. Returns their ids in the given order. */
export async function loadPastAlarms(db: Kysely<Database>, alarms: readonly PastAlarm[]): Promise<number[]> {
  const rows = alarms.map(({ acknowledged, ...alarm }) => ({
    ...alarm,
    acknowledgedAt: acknowledged?.at,
    userId: acknowledged?.userId,
    userName: acknowledged?.userName,
    note: acknowledged?.note,
  }));
  const added = await sql<{ id: number }>`
    insert into alarms (device_id, connector, code, kind, level, info, raised_at, last_at, repeats, reopened, cleared_at,
                        source, soft_version, acknowledged_at, acknowledged_by, acknowledged_by_name, acknowledged_note)
    select "deviceId", connector, code, kind, level, info, "raisedAt", "lastAt", repeats, reopened, "clearedAt", source,
           "softVersion", "acknowledgedAt", "userId", "userName", note
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
        "deviceId" int, connector int2, code text, kind text, level text, info text, "raisedAt" timestamptz,
        "lastAt" timestamptz, repeats int, reopened int, "clearedAt" timestamptz, source text,
        "softVersion" text, "acknowledgedAt" timestamptz, "userId" int, "userName" text, note text)) with ordinality
     order by ordinality
    returning id`.execute(db);
  const ids = added.rows.map(({ id }) => id);
  const comments = alarms.flatMap(({ acknowledged }, index) =>
    acknowledged?.comment ? [{ ...acknowledged, alarmId: ids[index] }] : [],
  );
  await sql`
    insert into alarm_comments (alarm_id, at, user_id, user_name, text)
    select "alarmId", at, "userId", "userName", comment
      from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) as r (
        "alarmId" bigint, at timestamptz, "userId" int, "userName" text, comment text)
     order by at`.execute(db);
  return ids;
}

/** A device event of the past. */
export interface PastEvent {
  deviceId: number;
  connector: number;
  type: number;
  at: Date;
  code: string;
  detail: string | null;
  endedAt: Date | null;
  source: AlarmSource;
}

/** Adds device events in the order of time. */
export async function loadPastEvents(db: Kysely<Database>, events: readonly PastEvent[]): Promise<void> {
  await sql`
    insert into device_events (device_id, connector, type, at, code, detail, ended_at, source)
    select "deviceId", connector, type, at, code, detail, "endedAt", source
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as r (
        "deviceId" int, connector int2, type int2, at timestamptz, code text, detail text, "endedAt" timestamptz,
        source text)
     order by at`.execute(db);
}

/** Names the alarm codes of device models, except those that have a name. */
export async function nameAlarmCodes(
  db: Kysely<Database>,
  modelIds: readonly number[],
  names: readonly { code: string; nameEn: string; nameZh: string }[],
): Promise<void> {
  await sql`
    insert into alarm_codes (device_model_id, code, name_en, name_zh)
    select m, r.code, "nameEn", "nameZh"
      from unnest(${[...modelIds]}::int[]) as m,
           jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as r (code text, "nameEn" text, "nameZh" text)
    on conflict do nothing`.execute(db);
}
