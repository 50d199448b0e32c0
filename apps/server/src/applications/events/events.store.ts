import type { OpenEvent, OpenEventType } from '@chargehand/contract';
import { executionResultOf } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { NAME_OF_CODE, NAMES_OF_ALARM } from '../../alarms/index.ts';
import type { Database } from '../../platform/database/schema.ts';

/** Events are stored for this long, and at most this many. */
const STORED_DAYS = 3;
const MOST_EVENTS = 1_000_000;
/** The rows that one statement removes. */
const REMOVED_AT_ONCE = 5_000;

/** A numbered event. */
export interface StoredEvent {
  position: number;
  sequence: number | null;
  type: OpenEventType;
  customerId: number;
  siteId: number | null;
  deviceId: number | null;
  at: Date;
  data: Record<string, unknown>;
}

const COLUMNS = sql`
  e.position, e.sequence, e.type, e.customer_id as "customerId", e.site_id as "siteId", e.device_id as "deviceId",
  e.at, case when e.type like 'alarm.%' then e.data || jsonb_build_object(
    'nameEn', ${NAMES_OF_ALARM.en}, 'nameZh', ${NAMES_OF_ALARM.zh}) else e.data end as data`;

/** The names of the code of an alarm, as they are now. */
const OF_ALARM = sql`
  left join alarms a on a.id = case when e.type like 'alarm.%' then (e.data ->> 'id')::bigint end
  ${NAME_OF_CODE(sql`case when e.type like 'alarm.%' then e.data ->> 'code' end`, sql`a.device_model_id`)}`;

/** The types of the oldest events without a number. */
export async function newEventTypes(db: Kysely<Database>, limit: number): Promise<OpenEventType[]> {
  const { rows } = await sql<{ type: OpenEventType }>`
    select distinct type
      from (select type from open_events where position is null order by id limit ${limit}) as new_events`.execute(db);
  return rows.map(({ type }) => type);
}

/**
 * Numbers events whose transactions have ended, in the order of all events and of each device, up to the first one of
 * another type than these. The lock on the positions lasts until the end of the transaction, so no event ever appears
 * before one that was read already.
 */
export async function numberEvents(
  trx: Kysely<Database>,
  types: readonly OpenEventType[],
  limit: number,
): Promise<StoredEvent[]> {
  await sql`select from open_event_positions for update`.execute(trx);
  const { rows } = await sql<StoredEvent>`
    with fresh as (
      select id, device_id, row_number() over (order by id) as n,
             row_number() over (partition by device_id order by id) as k,
             count(*) over (partition by device_id) as total
        from (select id, device_id, bool_and(type = any(${types}::text[])) over (order by id) as known
                from (select id, device_id, type from open_events
                       where position is null order by id limit ${limit}) as oldest) as new_events
       where known),
    counted as (
      insert into open_event_sequences as s (device_id, sequence)
      select distinct device_id, total from fresh where device_id is not null order by device_id
      on conflict (device_id) do update set sequence = s.sequence + excluded.sequence
      returning device_id, sequence),
    numbered as (
      update open_events e set position = p.numbered + f.n, sequence = c.sequence - f.total + f.k
        from fresh f left join counted c on c.device_id = f.device_id cross join open_event_positions p
       where e.id = f.id
      returning e.*)
    select ${COLUMNS} from numbered e ${OF_ALARM} order by e.position`.execute(trx);
  if (rows.length === 0) return [];
  await sql`update open_event_positions set numbered = numbered + ${rows.length}`.execute(trx);
  await sql`select pg_notify('open_events_numbered', '')`.execute(trx);
  return rows;
}

/** The last position, and the last one that is no longer stored. */
export async function eventPositions(db: Kysely<Database>): Promise<{ numbered: number; removed: number }> {
  const { rows } = await sql<{ numbered: number; removed: number }>`
    select numbered, removed from open_event_positions`.execute(db);
  return rows[0] ?? { numbered: 0, removed: 0 };
}

/** The events after a position, the oldest first. */
export async function eventsAfter(db: Kysely<Database>, position: number, limit: number): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select ${COLUMNS} from open_events e ${OF_ALARM} where e.position > ${position} order by e.position limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Removes old events, and notes the position up to which they are missing. Returns their number. */
export async function forgetEvents(db: Kysely<Database>, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from open_events where id = any(array(
        select id from open_events
         where at < ${now}::timestamptz - make_interval(days => ${STORED_DAYS})
            or position <= (select numbered - ${MOST_EVENTS} from open_event_positions)
         order by id limit ${REMOVED_AT_ONCE}))
      returning position),
    noted as (
      update open_event_positions set removed = greatest(removed, (select max(position) from removed))
       where exists (select from removed where position is not null))
    select count(*)::int as count from removed`.execute(db);
  await sql`
    delete from open_event_sequences where device_id = any(array(
      select device_id from open_event_sequences s
       where not exists (select from devices d where d.id = s.device_id) limit ${REMOVED_AT_ONCE}))`.execute(db);
  return rows[0]?.count ?? 0;
}

/** An event as it is sent. */
export function openEventOf({ position, data, at, ...event }: StoredEvent): OpenEvent {
  const values = Object.entries(data).map(([name, value]): [string, unknown] => {
    if (name === 'result') return [name, executionResultOf(Number(value))];
    const isTime = /(At|Since)$/.test(name) && typeof value === 'string';
    return [name, isTime ? new Date(value).toISOString() : value];
  });
  const { type, customerId, siteId, deviceId, sequence } = event;
  return {
    ...{ id: String(position), type, at: at.toISOString(), customerId, siteId, deviceId, sequence },
    data: Object.fromEntries(values) as OpenEvent['data'],
  };
}
