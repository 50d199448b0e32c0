import { CHARGING_STATUSES, evseNumber, isWholeEvse, NOT_REPORTED, ROLLUPS } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import { words } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, rounds } from '../../ports/uplink-items.ts';
import { unpackSince } from '../packing/packing.store.ts';
import { givesWay } from '../readings/latest.ts';
import { storedDecision } from './decisions.ts';

type EventItem = Item<'transactionEvent'>;

/** The first number of an EVSE as a whole: numbers from here on are no connectors. */
const FIRST_WHOLE_EVSE = evseNumber(1);

/** The state of a transaction after an event was stored. */
interface StoredEvent {
  n: number;
  id: number;
  connector: number;
  /** the connector before this event; 0 or its EVSE as a whole while it is unknown */
  was: number;
  last_seq: number;
}

/**
 * Stores events of transactions that the device numbers itself. The row of a transaction is a function of the set of
 * its events, so repeated, late and reordered events result in the same row. Readings of the same message get the
 * transaction's id and connector, and the connector shows its current state.
 */
export async function storeTransactionEvents(client: Query, items: readonly EventItem[]): Promise<void> {
  for (const round of rounds(items, ({ deviceId, event }) => `${deviceId} ${event.transaction}`)) {
    const stored = await upsert(client, round);
    const active: { item: EventItem; connector: number }[] = [];
    const places: { deviceId: number; connector: number }[] = [];
    for (const { n, id, connector, was, last_seq } of stored) {
      const item = round[n - 1];
      if (!item) continue;
      for (const event of item.submission.events) {
        if (event.kind !== 'reading') continue;
        event.transactionId = id;
        // Only the first event of a transaction has to name its EVSE (OCPP 2.0.1 E01.FR.16).
        const isPlaced = item.event.connector !== null && !isWholeEvse(item.event.connector);
        if (!isPlaced) event.connector = connector;
        event.unplaced = item.event.connector === null && connector === 0;
      }
      if (connector === 0) continue;
      if (was !== connector) await moveReadings(client, item.deviceId, id, was, connector);
      places.push({ deviceId: item.deviceId, connector });
      // Which connector of the EVSE is charging is not known.
      if (isWholeEvse(connector)) continue;
      // An event that arrives after a later one, or that has another time, does not describe the present.
      if (!item.event.offline && item.event.seqNo >= last_seq) active.push({ item, connector });
    }
    await endSuperseded(client, places);
    await showActivity(client, active);
  }
}

/**
 * SQL for whether an event shows that a session continues that counts as ended: it happened after the end. A later
 * start on the connector takes precedence.
 */
const RUNS_ON = `(excluded.stopped_at is null and t.stop_reason = '${NOT_REPORTED}' and t.stop_cause is distinct from 'laterStart'
            and excluded.started_at > t.stopped_at)`;

/** SQL for whether an event comes after the one that ended its transaction. It no longer changes the energy. */
const AFTER_END = `(t.end_seq is not null and excluded.last_seq > t.end_seq)`;

async function upsert(client: Query, items: readonly EventItem[]): Promise<StoredEvent[]> {
  const ended = (item: EventItem) => item.event.phase === 'ended';
  const { rows } = await client.query<StoredEvent>({
    name: 'ingest_transaction_events',
    text: `with r as (
        select * from unnest($1::int[], $2::text[], $3::int2[], $4::text[], $5::int[], $6::int[], $7::timestamptz[], $8::int[], $9::boolean[], $10::text[], $11::boolean[], $12::jsonb[])
          with ordinality as r (d, x, c, tag, least, most, at, seq, ended, reason, fault, decision, n)
      ), stored as (
        insert into transactions as t (device_id, external_id, connector, id_tag, meter_start, meter_last, started_at,
          first_seq, last_seq, id_seq, stopped_at, stop_reason, stop_id_tag, meter_stop, end_seq, end_meter, clock_fault, decision,
          decision_seq)
        select d, x, coalesce(c, 0), coalesce(tag, ''), coalesce(least, 0), most, at,
          seq, seq, case when tag is not null then seq end, case when ended then at end, case when ended then reason end,
          case when ended then tag end, case when ended then most end, case when ended then seq end,
          case when ended then most end, fault, decision, case when decision is not null then seq end
        from r
        on conflict (device_id, external_id) where external_id is not null do update set
          connector = case when t.connector = 0 or t.connector >= ${FIRST_WHOLE_EVSE} and excluded.connector > 0
            then excluded.connector else t.connector end,
          id_tag = case when excluded.id_seq is not null and (t.id_seq is null or excluded.id_seq < t.id_seq) then excluded.id_tag else t.id_tag end,
          id_seq = least(t.id_seq, excluded.id_seq),
          -- A repeated event does not change the decision that its first answer contained.
          decision = case when excluded.decision_seq is not null and (t.decision_seq is null or excluded.decision_seq < t.decision_seq) then excluded.decision else t.decision end,
          decision_seq = least(t.decision_seq, excluded.decision_seq),
          meter_start = case when excluded.meter_last is null or ${AFTER_END} then t.meter_start
            when t.meter_last is null then excluded.meter_start else least(t.meter_start, excluded.meter_start) end,
          meter_last = case when ${AFTER_END} then t.meter_last else greatest(t.meter_last, excluded.meter_last) end,
          end_seq = coalesce(t.end_seq, excluded.end_seq),
          end_meter = case when t.end_seq is null then excluded.end_meter else t.end_meter end,
          started_at = case when excluded.first_seq < t.first_seq then excluded.started_at else t.started_at end,
          first_seq = least(t.first_seq, excluded.first_seq),
          last_seq = greatest(t.last_seq, excluded.last_seq),
          stopped_at = case when ${RUNS_ON} then null
            when t.stop_reason = '${NOT_REPORTED}' then coalesce(excluded.stopped_at, t.stopped_at)
            else coalesce(t.stopped_at, excluded.stopped_at) end,
          stop_id_tag = coalesce(t.stop_id_tag, excluded.stop_id_tag),
          meter_stop = case when excluded.stopped_at is not null or t.stop_reason <> '${NOT_REPORTED}'
            -- A finished session keeps the energy that its end reported.
            then coalesce(t.end_meter, excluded.end_meter,
              case when ${AFTER_END} then t.meter_last else greatest(t.meter_last, excluded.meter_last) end) end,
          stop_reason = case when ${RUNS_ON} then null
            when t.stop_reason = '${NOT_REPORTED}' then coalesce(excluded.stop_reason, t.stop_reason)
            else coalesce(t.stop_reason, excluded.stop_reason) end,
          stop_cause = case when ${RUNS_ON} or excluded.stopped_at is not null then null else t.stop_cause end,
          clock_fault = t.clock_fault or excluded.clock_fault
        returning t.id, t.device_id, t.external_id, t.connector, t.last_seq
      )
      select r.n::int as n, s.id, s.connector, coalesce(known.connector, s.connector) as was, s.last_seq
      from r join stored s on s.device_id = r.d and s.external_id = r.x
      left join transactions known on known.device_id = r.d and known.external_id = r.x`,
    values: [
      items.map((item) => item.deviceId),
      items.map(({ event }) => storableText(event.transaction, 64)),
      items.map(({ event }) => event.connector),
      items.map(({ event }) => storableText(event.idTag, 64)),
      items.map(({ event }) => event.meter?.least ?? null),
      items.map(({ event }) => event.meter?.greatest ?? null),
      items.map(({ event }) => event.at),
      items.map(({ event }) => event.seqNo),
      items.map(ended),
      items.map((item) => (ended(item) ? storableText(item.event.reason ?? DEFAULT_STOP_REASON, 64) : null)),
      items.map(({ event }) => event.clockFault),
      items.map(({ event }) => storedDecision(event.decision)),
    ],
  });
  return rows;
}

/**
 * Assigns readings of a transaction from before the event that names its connector (or its EVSE) to that connector, where
 * they are rolled up and may be the latest ones.
 */
async function moveReadings(
  client: Query,
  deviceId: number,
  id: number,
  was: number,
  connector: number,
): Promise<void> {
  const { rows } = await client.query<{ since: Date }>({
    text: `select started_at - interval '1 day' as since from transactions where id = $1`,
    values: [id],
  });
  if (rows[0]) await unpackSince(client, deviceId, rows[0].since);
  await client.query({
    name: 'ingest_transaction_events_readings',
    // Readings are found by device and time. A transaction has none from days before its start.
    text: `with moved as (
        update readings set connector = $3
        where device_id = $1 and transaction_id = $2 and connector = $6
          and at >= (select started_at - interval '1 day' from transactions where id = $2)
        returning layout_id, at, analog, counters
      ), marked as (
        insert into reading_marks (device_id, at)
        select distinct $1::int, to_timestamp(floor(extract(epoch from at) / $4) * $4) from moved
      )
      insert into latest_readings as k (device_id, connector, layout_id, at, analog, counters)
      select distinct on (layout_id) $1::int, $3::int2, layout_id, at, analog, counters from moved order by layout_id, at desc
      on conflict (device_id, connector, layout_id) do update set
        at = excluded.at, analog = excluded.analog, counters = excluded.counters
      where ${givesWay('k', '$5')}`,
    values: [deviceId, id, connector, ROLLUPS.fiveMinutes, Date.now(), was],
  });
}

/** OCPP 2.0.1 part 2 §1.60: a missing stop reason means Local. */
const DEFAULT_STOP_REASON = 'Local';

/** Ends transactions without an end event whose connector started a later one, at the start of that one. */
async function endSuperseded(client: Query, places: readonly { deviceId: number; connector: number }[]): Promise<void> {
  if (places.length === 0) return;
  await client.query({
    name: 'ingest_transaction_events_superseded',
    text: `with r as (
        select distinct d, c from unnest($1::int[], $2::int2[]) as r (d, c)
      ), open as (
        select t.id, (
            select min(later.started_at) from transactions later
             where later.device_id = t.device_id and later.connector = t.connector and later.started_at > t.started_at
          ) as at
        from r join transactions t on t.device_id = r.d and t.connector = r.c
        where t.external_id is not null and (t.stopped_at is null or t.stop_reason = '${NOT_REPORTED}')
      )
      update transactions t set stopped_at = open.at, stop_reason = '${NOT_REPORTED}', stop_cause = 'laterStart' from open
      where t.id = open.id and open.at is not null and t.stopped_at is distinct from open.at
        -- what ended it before the later start is nearer to the truth
        and (t.stop_cause is null or t.stop_cause = 'laterStart' or open.at < t.stopped_at)`,
    values: [places.map(({ deviceId }) => deviceId), places.map(({ connector }) => connector)],
  });
}

/**
 * Updates the status of connectors from their transactions. A connector that is reported as faulted or unavailable is
 * unchanged.
 */
async function showActivity(client: Query, active: readonly { item: EventItem; connector: number }[]): Promise<void> {
  const reported = active.flatMap(({ item: { deviceId, event }, connector }) => {
    // The activity of a transaction ends with it, whatever the vehicle does next.
    const status = event.phase === 'ended' ? 'Occupied' : event.activity;
    return status === null ? [] : [{ deviceId, connector, status, at: event.at }];
  });
  if (reported.length === 0) return;
  const activities = words(CHARGING_STATUSES);
  await client.query({
    name: 'ingest_transaction_events_activity',
    text: `with r as (
        select distinct on (d, c) d, c, s, at from unnest($1::int[], $2::int2[], $3::text[], $4::timestamptz[])
          with ordinality as u (d, c, s, at, n) order by d, c, n desc
      ), known as (
        update connectors c set status = r.s, updated_at = greatest(c.updated_at, r.at), outdated = false,
          since = case when c.status = r.s then c.since else r.at end from r
        where c.device_id = r.d and c.connector = r.c and (c.status <> r.s or c.outdated)
          and (c.status in (${activities}) or r.s in (${activities}) and c.status not in ('Faulted', 'Unavailable'))
      )
      insert into connectors (device_id, connector, status, since, updated_at)
      select d, c, s, at, at from r where s in (${activities})
      on conflict do nothing`,
    values: [
      reported.map(({ deviceId }) => deviceId),
      reported.map(({ connector }) => connector),
      reported.map(({ status }) => status),
      reported.map(({ at }) => at),
    ],
  });
}
