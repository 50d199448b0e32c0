import {
  ALARM_SOURCES,
  type AlarmKind,
  type AlarmLevel,
  type AlarmSource,
  type Bilingual,
  DEVICE_EVENT_TYPES,
  eventTypeOf,
  FIRMWARE_UPDATING,
  FLAP_WINDOW_MS,
  OFFLINE_GRACE_MS,
  type RuleTerms,
} from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import type { Report } from './connector-reports.ts';

/** An alarm that a device raises now. */
export interface Raised {
  deviceId: number;
  connector: number;
  at: Date;
  info: string | null;
  code: string;
  kind: AlarmKind;
  level: AlarmLevel;
  suppressed: boolean;
  source: AlarmSource;
  /** of source `rule`: the rule that raised it, and the value */
  rule?: RaisedByRule;
}

/** A rule as it was when it raised an alarm. */
export interface RaisedByRule extends RuleTerms {
  name: Bilingual;
  key: string;
  itemName: Bilingual;
  unit: string;
  /** the value that started it; null for a missing value */
  value: string | null;
  print: string;
}

/** The facts about a device that decide how its alarms are stored. */
export interface AlarmContext {
  suppressed: boolean;
  /** its model's names and levels of the reported codes, by code */
  codes: Record<string, { kind: AlarmKind | null; level: AlarmLevel | null }> | null;
}

/**
 * Locks devices until the end of the transaction, so that other writers of their alarms wait, and reads the facts about
 * them.
 */
export async function lockDevices(
  client: Query,
  deviceIds: readonly number[],
  codes: readonly string[],
): Promise<Map<number, AlarmContext>> {
  const { rows } = await client.query<{ id: number } & AlarmContext>({
    name: 'ingest_alarms_hold',
    text: `with held as materialized (
        select device_id from device_states where device_id = any ($1::int[]) order by device_id for update
      )
      select d.id, d.maintenance or coalesce(s.firmware_status = any ($2::text[]), false) as suppressed,
        (select jsonb_object_agg(c.code, jsonb_build_object('kind', c.kind, 'level', c.level)) from alarm_codes c
          where c.device_model_id = d.device_model_id and c.code = any ($3::text[])) as codes
      from devices d left join device_states s on s.device_id = d.id
      where d.id = any ($1::int[]) and (select count(*) from held) >= 0`,
    values: [deviceIds, [...FIRMWARE_UPDATING], codes],
  });
  return new Map(rows.map(({ id, ...context }) => [id, context]));
}

/**
 * Clears the alarms of status reports on a connector that its report no longer contains. Returns the devices concerned.
 */
export async function endUnnamed(
  client: Query,
  reports: readonly Report[],
  named: readonly Raised[],
): Promise<number[]> {
  const { rows } = await client.query<{ device_id: number }>({
    name: 'ingest_alarms_clear',
    text: `with r as (
        select * from unnest($1::int[], $2::int2[], $3::timestamptz[]) as r (d, n, t)
      ), on_going as (
        select * from unnest($4::int[], $5::int2[], $6::text[]) as g (d, n, code)
      ), alarms_ended as (
        update alarms a set cleared_at = greatest(a.last_at, r.t) from r
        where a.device_id = r.d and a.connector = r.n and a.cleared_at is null and a.source = 'status'
          and not exists (select from on_going g where g.d = r.d and g.n = r.n and g.code = a.code)
        returning a.device_id
      ), events_ended as (
        update device_events e set ended_at = greatest(e.at, r.t) from r
        where e.device_id = r.d and e.connector = r.n and e.ended_at is null and e.source = 'status'
          and not exists (select from on_going g where g.d = r.d and g.n = r.n and g.code = e.code)
        returning e.device_id
      )
      select device_id from alarms_ended union select device_id from events_ended`,
    values: [
      reports.map(({ deviceId }) => deviceId),
      reports.map(({ connector }) => connector),
      reports.map(({ at }) => at),
      named.map(({ deviceId }) => deviceId),
      named.map(({ connector }) => connector),
      named.map(({ code }) => code),
    ],
  });
  return rows.map((row) => row.device_id);
}

/** An alarm that its source has cleared. */
export interface Ended {
  deviceId: number;
  connector: number;
  code: string;
  at: Date;
}

/** Clears alarms of one source, each with its device event. Returns the devices concerned. */
export async function endAlarms(
  client: Query,
  ended: readonly Ended[],
  source: Exclude<AlarmSource, 'line'>,
): Promise<number[]> {
  const { rows } = await client.query<{ device_id: number }>({
    name: 'ingest_alarms_end',
    text: `with r as (
        select * from unnest($1::int[], $2::int2[], $3::text[], $4::timestamptz[]) as r (d, n, code, t)
      ), alarms_ended as (
        update alarms a set cleared_at = greatest(a.last_at, r.t) from r
        where a.device_id = r.d and a.connector = r.n and a.code = r.code and a.cleared_at is null and a.source = $5
        returning a.device_id
      ), events_ended as (
        update device_events e set ended_at = greatest(e.at, r.t) from r
        where e.device_id = r.d and e.connector = r.n and e.code = r.code and e.ended_at is null and e.source = $5
        returning e.device_id
      )
      select device_id from alarms_ended union select device_id from events_ended`,
    values: [
      ended.map(({ deviceId }) => deviceId),
      ended.map(({ connector }) => connector),
      ended.map(({ code }) => code),
      ended.map(({ at }) => at),
      source,
    ],
  });
  return rows.map((row) => row.device_id);
}

/**
 * Raises alarms, each with its device event, except for alarms of lost connections, whose event exists already. A
 * cleared alarm that returns within the flap window is reopened, and an active one counts the repetition. An event
 * follows its alarm: its type changes when the alarm gets a higher level, and so does the source that ends it.
 * @param raised each alarm of a device and connector once
 */
export async function raiseAlarms(client: Query, raised: readonly Raised[]): Promise<void> {
  for (let start = 0; start < raised.length; start += RAISED_AT_ONCE) {
    await raiseSome(client, raised.slice(start, start + RAISED_AT_ONCE));
  }
}

/**
 * The alarms of one statement. It joins them with each other, which takes time that grows with their square: one message
 * may raise 10,000 alarms.
 */
const RAISED_AT_ONCE = 500;

async function raiseSome(client: Query, raised: readonly Raised[]): Promise<void> {
  await client.query({
    name: 'ingest_alarms_raise',
    text: `with r as (
        select * from unnest($1::int[], $2::int2[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::int2[], $9::boolean[],
          $12::text[], $13::jsonb[]) as r (d, n, code, kind, level, info, t, type, s, source, rule)
      ), again as (
        update alarms a set
          cleared_at = null, kind = r.kind, level = r.level, info = r.info, last_at = greatest(a.last_at, r.t),
          repeats = a.repeats + 1, reopened = a.reopened + 1, suppressed = r.s,
          source = r.source, rule = r.rule
        from r
        where a.id = (
            select p.id from alarms p where p.device_id = r.d and p.connector = r.n and p.code = r.code
             order by p.cleared_at desc nulls first limit 1)
          and a.cleared_at >= r.t - make_interval(secs => $10::float8 / 1000)
        returning a.device_id as d, a.connector as n, a.code, a.source
      ), begun as (
        insert into alarms as a (device_id, connector, code, kind, level, info, raised_at, last_at, suppressed, source, rule)
        select d, n, code, kind, level, info, t, t, s, source, rule from r
        where not exists (select from again g where g.d = r.d and g.n = r.n and g.code = r.code)
        on conflict (device_id, connector, code) where cleared_at is null do update set
          kind = excluded.kind, level = excluded.level, info = excluded.info,
          last_at = greatest(a.last_at, excluded.last_at), repeats = a.repeats + 1,
          suppressed = a.suppressed and excluded.suppressed, rule = coalesce(excluded.rule, a.rule),
          source = ($11::text[])[least(array_position($11, a.source), array_position($11, excluded.source))]
        returning a.device_id as d, a.connector as n, a.code, a.source
      ), otherwise_shown as (
        update device_events e set ended_at = greatest(e.at, r.t) from r
        where e.device_id = r.d and e.connector = r.n and e.code = r.code and e.ended_at is null
          and e.type <> r.type and e.type <> 0 and r.kind <> 'offline'
      ), events_again as (
        update device_events e set ended_at = null, source = g.source from r join again g using (d, n, code)
        where e.id = (
            select p.id from device_events p
             where p.device_id = r.d and p.connector = r.n and p.type = r.type and p.code = r.code
             order by p.at desc, p.id desc limit 1)
          and r.kind <> 'offline'
        returning e.device_id as d, e.connector as n, e.code
      )
      insert into device_events as e (device_id, connector, type, at, code, detail, source, rule_name)
      select d, n, type, t, code, info, named.source, rule -> 'name'
      from r join (select * from begun union all select * from again) named using (d, n, code)
      where kind <> 'offline' and not exists (select from events_again g where g.d = r.d and g.n = r.n and g.code = r.code)
      on conflict (device_id, connector, type, code) where ended_at is null
        do update set source = excluded.source where e.source <> excluded.source`,
    values: [
      raised.map(({ deviceId }) => deviceId),
      raised.map(({ connector }) => connector),
      raised.map(({ code }) => code),
      raised.map(({ kind }) => kind),
      raised.map(({ level }) => level),
      raised.map(({ info }) => info),
      raised.map(({ at }) => at),
      raised.map((alarm) => DEVICE_EVENT_TYPES[eventTypeOf(alarm)]),
      raised.map(({ suppressed }) => suppressed),
      FLAP_WINDOW_MS,
      ALARM_SOURCES,
      raised.map(({ source }) => source),
      raised.map(({ rule }) => (rule === undefined ? null : JSON.stringify(rule))),
    ],
  });
}

/** Clears the alarms of lost connections of devices that are online again. */
export async function clearOffline(client: Query, devices: readonly number[], times: readonly Date[]): Promise<void> {
  await client.query({
    name: 'ingest_alarms_offline_clear',
    text: `update alarms a set cleared_at = greatest(a.raised_at, r.t)
      from unnest($1::int[], $2::timestamptz[]) as r (d, t)
      where a.device_id = r.d and a.connector = 0 and a.source = 'line' and a.cleared_at is null`,
    values: [devices, times],
  });
}

/**
 * Keeps alarms consistent with the status of their devices: alarms that are active when maintenance ends count from
 * then on, and offline alarms do not apply to disabled devices until they are enabled again.
 * @returns the devices whose alarms changed
 */
export async function followStatuses(
  client: Query,
  changes: readonly { deviceId: number; was: string; status: string; atWork: boolean }[],
): Promise<Set<number>> {
  const alarmed = new Set<number>();
  const disabled = changes.filter(({ status }) => status === 'disabled').map(({ deviceId }) => deviceId);
  const served = changes.filter(({ status, atWork }) => status !== 'disabled' && !atWork);
  if (served.length > 0) {
    const { rows } = await client.query<{ deviceId: number }>({
      name: 'ingest_alarms_count',
      text: `update alarms set suppressed = false where device_id = any ($1::int[]) and cleared_at is null and suppressed
        returning device_id as "deviceId"`,
      values: [served.map(({ deviceId }) => deviceId)],
    });
    for (const { deviceId } of rows) alarmed.add(deviceId);
  }
  const awaited = served.filter(({ was, status }) => was === 'disabled' && status === 'offline');
  if (awaited.length > 0) {
    await client.query({
      name: 'ingest_alarms_await',
      text: `update device_states set offline_due_at = now() + make_interval(secs => $2::float8 / 1000)
        where device_id = any ($1::int[]) and not connected and disconnected_at is not null`,
      values: [awaited.map(({ deviceId }) => deviceId), OFFLINE_GRACE_MS],
    });
  }
  if (disabled.length > 0) {
    const { rows } = await client.query<{ deviceId: number }>({
      name: 'ingest_alarms_disabled',
      text: `update alarms set cleared_at = greatest(last_at, now())
        where device_id = any ($1::int[]) and source = 'line' and cleared_at is null
        returning device_id as "deviceId"`,
      values: [disabled],
    });
    for (const { deviceId } of rows) alarmed.add(deviceId);
  }
  return alarmed;
}
