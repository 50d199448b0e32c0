import { FLAP_WINDOW_MS, GENERIC_FAULT } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';

interface Place {
  deviceId: number;
  connector: number;
}

/** Those of the given places with an active alarm from the device that explains why a connector is faulted. */
export async function explainedPlaces(client: Query, places: readonly Place[]): Promise<Place[]> {
  const { rows } = await client.query<Place>({
    name: 'ingest_faults_explained',
    text: `select distinct r.d as "deviceId", r.n as connector
      from unnest($1::int[], $2::int2[]) as r (d, n)
      join alarms a on a.device_id = r.d and a.connector = r.n and a.cleared_at is null and a.source = 'device'
       and (a.kind = 'fault' or a.level = 'CA')`,
    values: [places.map(({ deviceId }) => deviceId), places.map(({ connector }) => connector)],
  });
  return rows;
}

/** Where status reports contain only a generic fault without a cause. */
export async function genericFaults(client: Query, deviceIds: readonly number[]): Promise<Place[]> {
  const { rows } = await client.query<Place>({
    name: 'ingest_faults_generic',
    text: `select device_id as "deviceId", connector from alarms
      where device_id = any ($1::int[]) and code = $2 and source = 'status' and cleared_at is null`,
    values: [deviceIds, GENERIC_FAULT],
  });
  return rows;
}

/**
 * Turns generic faults, with their events, into the more specific alarms that are raised next; at most one per place.
 * Not where such an alarm is active already or would be reopened. Returns where it was done.
 */
export async function nameFaults(
  client: Query,
  named: readonly (Place & { code: string; at: Date })[],
): Promise<Place[]> {
  const { rows } = await client.query<Place>({
    name: 'ingest_faults_name',
    text: `with r as (
        select * from unnest($1::int[], $2::int2[], $3::text[], $4::timestamptz[]) as r (d, n, code, t)
        where not exists (
          select from alarms p where p.device_id = r.d and p.connector = r.n and p.code = r.code
            and (p.cleared_at is null or p.cleared_at >= r.t - make_interval(secs => $6::float8 / 1000)))
      ), renamed as (
        update alarms a set code = r.code, source = 'device' from r
        where a.device_id = r.d and a.connector = r.n and a.code = $5 and a.source = 'status' and a.cleared_at is null
        returning a.device_id, a.connector
      ), events_renamed as (
        update device_events e set code = r.code, source = 'device' from r
        where e.device_id = r.d and e.connector = r.n and e.code = $5 and e.source = 'status' and e.ended_at is null
      )
      select device_id as "deviceId", connector from renamed`,
    values: [
      named.map(({ deviceId }) => deviceId),
      named.map(({ connector }) => connector),
      named.map(({ code }) => code),
      named.map(({ at }) => at),
      GENERIC_FAULT,
      FLAP_WINDOW_MS,
    ],
  });
  return rows;
}
