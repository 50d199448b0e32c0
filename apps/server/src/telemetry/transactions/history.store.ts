import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** A charging session of the past. */
export interface PastTransaction {
  deviceId: number;
  connector: number;
  idTag: string;
  startedAt: Date;
  meterStart: number;
  stoppedAt: Date;
  meterStop: number;
  stopReason: string;
  /** the id that the device assigned, and the number of its last event; null if the product assigned it */
  external: { id: string; lastSeq: number } | null;
}

/** Adds charging sessions in the given order, which should be that of their starts. Returns their ids. */
export async function loadPastTransactions(
  db: Kysely<Database>,
  transactions: readonly PastTransaction[],
): Promise<number[]> {
  const rows = transactions.map(({ external, ...one }) => ({
    ...one,
    externalId: external?.id,
    firstSeq: external ? 0 : null,
    lastSeq: external?.lastSeq,
    meterLast: external ? one.meterStop : null,
  }));
  const added = await sql<{ id: number }>`
    insert into transactions (device_id, connector, id_tag, meter_start, started_at, meter_stop, stopped_at, stop_id_tag,
                              stop_reason, external_id, first_seq, last_seq, id_seq, meter_last, recorded_at)
    select "deviceId", connector, "idTag", "meterStart", "startedAt", "meterStop", "stoppedAt",
           case when "stopReason" = 'Local' then "idTag" end, "stopReason", "externalId", "firstSeq", "lastSeq",
           "firstSeq", "meterLast", "startedAt"
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
        "deviceId" int, connector int2, "idTag" text, "meterStart" int, "startedAt" timestamptz, "meterStop" int,
        "stoppedAt" timestamptz, "stopReason" text, "externalId" text, "firstSeq" int, "lastSeq" int, "meterLast" int))
        with ordinality
     order by ordinality
    returning id`.execute(db);
  return added.rows.map(({ id }) => id);
}

/** The last known value of a quantity of a device, by its SN. */
export interface LastValue {
  sn: string;
  connector: number;
  key: string;
  value: number;
}

/** The last known values of the counters of devices, and of some other quantities. */
export async function lastValues(
  db: Kysely<Database>,
  sns: readonly string[],
  { energyKey, keys }: { energyKey: string; keys: readonly string[] },
): Promise<LastValue[]> {
  const { rows } = await sql<LastValue>`
    with wanted as (select id, sn from devices where sn = any(${[...sns]}::text[]))
    select w.sn, t.connector, ${energyKey}::text as key, t.meter::float8 as value
      from wanted w
      cross join lateral (
        select connector, max(greatest(meter_start, meter_stop, meter_last)) as meter from transactions
         where device_id = w.id and connector > 0 group by connector) t
    union all
    select w.sn, l.connector, item.key,
           case when item.counter then l.counters[item.place] else l.analog[item.place] end
      from wanted w join latest_readings l on l.device_id = w.id join reading_layouts y on y.id = l.layout_id
      cross join lateral (
        select i ->> 'key' as key, (i ->> 'counter')::boolean as counter,
               row_number() over (partition by i ->> 'counter' order by n) as place
          from jsonb_array_elements(y.items) with ordinality as e (i, n)) item
     where item.key = any(${[energyKey, ...keys]}::text[])`.execute(db);
  return rows;
}
