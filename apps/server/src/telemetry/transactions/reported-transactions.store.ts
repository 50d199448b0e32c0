import { NOT_REPORTED } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, lastOfEach } from '../../ports/uplink-items.ts';
import { storedDecision } from './decisions.ts';

/** Note on the frame of a StopTransaction with an unknown transaction. */
const UNKNOWN_TRANSACTION =
  'unknown transaction of this device; accepted, because the charge point has ended it (OCPP 1.6 §4.10)';

/**
 * Opens and ends charging transactions. A start that was already stored (a charge point repeats one whose answer it
 * missed) is the same transaction and gets the same id. A stop of an unknown transaction adds a note to its frame.
 */
export async function storeTransactions(
  client: Query,
  started: readonly Item<'transactionStarted'>[],
  stopped: readonly Item<'transactionStopped'>[],
): Promise<void> {
  if (started.length > 0) await storeStarted(client, started);
  if (stopped.length > 0) await storeStopped(client, stopped);
}

async function storeStarted(client: Query, items: readonly Item<'transactionStarted'>[]): Promise<void> {
  const keyOf = (item: Item<'transactionStarted'>) => {
    const { connector, at, idTag, meterStart } = item.event;
    return `${item.deviceId} ${connector} ${at.getTime()} ${meterStart} ${storableText(idTag, 64)}`;
  };
  const unique = lastOfEach(items, keyOf);
  const values = [
    unique.map((item) => item.deviceId),
    unique.map((item) => item.event.connector),
    unique.map((item) => storableText(item.event.idTag, 64)),
    unique.map((item) => item.event.meterStart),
    unique.map((item) => item.event.at),
    unique.map((item) => item.event.clockFault),
    unique.map((item) => storedDecision(item.event.decision)),
  ];
  await client.query({
    name: 'ingest_transactions_start',
    text: `insert into transactions (device_id, connector, id_tag, meter_start, started_at, clock_fault, decision)
      select * from unnest($1::int[], $2::int2[], $3::text[], $4::int[], $5::timestamptz[], $6::boolean[], $7::jsonb[]) on conflict do nothing`,
    values,
  });
  const { rows } = await client.query<{ id: number; n: number }>({
    name: 'ingest_transactions_find',
    text: `select t.id, r.n::int as n from unnest($1::int[], $2::int2[], $3::text[], $4::int[], $5::timestamptz[])
        with ordinality as r (d, c, tag, meter, at, n)
      join transactions t on t.device_id = r.d and t.connector = r.c and t.id_tag = r.tag and t.meter_start = r.meter and t.started_at = r.at and t.external_id is null`,
    values: values.slice(0, 5),
  });
  await client.query({
    name: 'ingest_transactions_superseded',
    // A charge point reports its starts in order, even with a wrong clock: a transaction that was reported earlier
    // started earlier.
    text: `update transactions t set stop_reason = '${NOT_REPORTED}', stop_cause = 'laterStart',
        stopped_at = case when later.clock_fault then later.recorded_at else later.started_at end
      from transactions later
      where later.id = any ($1::int[]) and t.device_id = later.device_id and t.connector = later.connector
        and t.stopped_at is null and t.external_id is null and t.id < later.id`,
    values: [rows.map((row) => row.id)],
  });
  const idOf = new Map<string, number>();
  for (const { id, n } of rows) {
    const item = unique[n - 1];
    if (item) idOf.set(keyOf(item), id);
  }
  for (const item of items) item.submission.stored.transactionId = idOf.get(keyOf(item)) ?? null;
}

async function storeStopped(client: Query, items: readonly Item<'transactionStopped'>[]): Promise<void> {
  const unique = lastOfEach(items, (item) => `${item.deviceId} ${item.event.transactionId}`);
  const { rows } = await client.query<{ id: number }>({
    name: 'ingest_transactions_stop',
    text: `update transactions t set
        meter_stop = coalesce(t.meter_stop, r.meter),
        stopped_at = case when t.stop_reason = '${NOT_REPORTED}' then r.at else coalesce(t.stopped_at, r.at) end,
        stop_id_tag = coalesce(t.stop_id_tag, r.tag),
        stop_reason = coalesce(nullif(t.stop_reason, '${NOT_REPORTED}'), r.reason),
        stop_cause = null,
        clock_fault = t.clock_fault or r.fault
      from unnest($1::int[], $2::int[], $3::int[], $4::timestamptz[], $5::text[], $6::text[], $7::boolean[])
        as r (d, id, meter, at, tag, reason, fault)
      where t.id = r.id and t.device_id = r.d returning t.id`,
    values: [
      unique.map((item) => item.deviceId),
      unique.map((item) => item.event.transactionId),
      unique.map((item) => item.event.meterStop),
      unique.map((item) => item.event.at),
      unique.map((item) => storableText(item.event.idTag, 64)),
      unique.map((item) => storableText(item.event.reason, 64)),
      unique.map((item) => item.event.clockFault),
    ],
  });
  const known = new Set(rows.map((row) => row.id));
  for (const item of items) {
    const { event, submission } = item;
    if (known.has(event.transactionId)) continue;
    const frame = submission.events.find((other) => other.kind === 'frame' && other.type === 'receive');
    if (frame?.kind !== 'frame' || frame.note?.includes('unknown transaction')) continue;
    const ended = await endOnlyOpen(client, item);
    const note =
      ended === null
        ? UNKNOWN_TRANSACTION
        : `unknown transaction of this device; it ends transaction ${ended}, the only open one that it can belong to`;
    frame.note = frame.note ? `${frame.note}; ${note}` : note;
  }
}

/**
 * Ends the session that a stop with an unknown transaction belongs to, and returns its id. A charge point that started
 * while it was offline sends -1 or a number of its own, because it missed the answer to its start. Null unless exactly
 * one open session can be meant: it started before, at a lower meter value, and with the same identifier if the stop has
 * one.
 */
async function endOnlyOpen(client: Query, { deviceId, event }: Item<'transactionStopped'>): Promise<number | null> {
  const { rows } = await client.query<{ id: number }>({
    name: 'ingest_transactions_stop_only',
    text: `with open as (
        select id from transactions
         where device_id = $1 and stopped_at is null and external_id is null and meter_start <= $2
           and (clock_fault or $6 or started_at <= $3) and ($4::text is null or lower(id_tag) = lower($4))
      )
      update transactions t set meter_stop = $2, stopped_at = $3, stop_id_tag = $4, stop_reason = $5, stop_cause = null,
             clock_fault = t.clock_fault or $6
        from open where t.id = open.id and (select count(*) from open) = 1 returning t.id`,
    values: [
      deviceId,
      event.meterStop,
      event.at,
      storableText(event.idTag, 64),
      storableText(event.reason, 64),
      event.clockFault,
    ],
  });
  return rows[0]?.id ?? null;
}
