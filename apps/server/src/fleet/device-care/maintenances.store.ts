import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';

export interface MaintenanceRecord {
  id: number;
  beganAt: Date;
  beganBy: string;
  endedAt: Date | null;
  endedBy: string | null;
  note: string;
  maintained: boolean;
  unmaintainedDays: number | null;
  runtimeSeconds: number | null;
}

/** One page of the maintenances of a device in scope, and the total number. */
export async function listMaintenances(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  order: { descending: boolean },
  page: { limit: number; offset: number },
): Promise<{ items: MaintenanceRecord[]; total: number }> {
  const ofDevice = sql`device_id = ${deviceInScope(scope, deviceId)} and ${duringStayInScope(scope, deviceId, 'began_at')}`;
  const direction = order.descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<MaintenanceRecord>`
      select id, began_at as "beganAt", began_by_name as "beganBy", ended_at as "endedAt", ended_by_name as "endedBy",
             note, maintained, unmaintained_days as "unmaintainedDays", runtime_seconds as "runtimeSeconds"
        from device_maintenances where ${ofDevice}
       order by id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from device_maintenances where ${ofDevice}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The figures of a device at the time of its maintenance. */
export interface Service {
  unmaintainedDays: number;
  runtimeSeconds: number;
}

/** Time since maintenance and total runtime of a device. */
export async function readService(trx: Kysely<Database>, deviceId: number): Promise<Service> {
  const { rows } = await sql<Service>`
    select floor(extract(epoch from greatest(interval '0', now() - ${UNMAINTAINED_SINCE})) / 86400)::int as "unmaintainedDays",
           ${TOTAL_RUNTIME} as "runtimeSeconds"
      from devices d left join device_states state on state.device_id = d.id
     where d.id = ${deviceId}`.execute(trx);
  return rows[0] ?? { unmaintainedDays: 0, runtimeSeconds: 0 };
}

/**
 * The start of the time since maintenance of a device `d`: its latest maintenance, else its installation, else its
 * registration.
 */
export const UNMAINTAINED_SINCE = sql<Date>`
  coalesce(d.maintained_at, d.install_date::timestamp at time zone 'UTC', d.created_at)`;

/** The total connected time of a device `d` in seconds, including the current connection of its `state`. */
export const TOTAL_RUNTIME = sql<number>`(
  coalesce(state.total_runtime_seconds, 0) + case when state.connected
    then greatest(0, extract(epoch from now() - state.connected_at))::bigint else 0 end)`;

export interface NewMaintenance {
  deviceId: number;
  userId: number;
  userName: string;
  note: string;
}

/** Starts work on a device. A second one at the same time violates the index `device_maintenances_running`. */
export async function insertRunning(trx: Kysely<Database>, work: NewMaintenance): Promise<number> {
  const { deviceId, userId, userName, note } = work;
  const row = { device_id: deviceId, began_by: userId, began_by_name: userName, note };
  return (await trx.insertInto('device_maintenances').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Records a completed maintenance. */
export async function insertDone(
  trx: Kysely<Database>,
  work: NewMaintenance & { maintained: boolean },
  service: Service,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device_maintenances
      (device_id, began_by, began_by_name, ended_at, ended_by_name, note, maintained, unmaintained_days, runtime_seconds)
    values (${work.deviceId}, ${work.userId}, ${work.userName}, now(), ${work.userName}, ${work.note},
            ${work.maintained}, ${service.unmaintainedDays}, ${service.runtimeSeconds})
    returning id`.execute(trx);
  return rows[0]!.id;
}

/** Ends the work on a device. A note is added to the first one. False when no work was running. */
export async function endRunning(
  trx: Kysely<Database>,
  work: { deviceId: number; userName: string; note: string; maintained: boolean },
  service: Service,
): Promise<boolean> {
  const { rows } = await sql`
    update device_maintenances
       set ended_at = now(), ended_by_name = ${work.userName}, maintained = ${work.maintained},
           note = concat_ws(E'\n', nullif(note, ''), nullif(${work.note}::text, '')),
           unmaintained_days = ${service.unmaintainedDays}, runtime_seconds = ${service.runtimeSeconds}
     where device_id = ${work.deviceId} and ended_at is null returning id`.execute(trx);
  return rows.length > 0;
}

/** Sets the maintenance columns of the device row. */
export async function setMaintenance(
  trx: Kysely<Database>,
  deviceId: number,
  values: { maintenance?: boolean; maintained?: boolean },
): Promise<void> {
  await trx
    .updateTable('devices')
    .set({
      ...(values.maintenance === undefined ? {} : { maintenance: values.maintenance }),
      ...(values.maintained ? { maintained_at: sql<Date>`now()` } : {}),
    })
    .where('id', '=', deviceId)
    .execute();
}
