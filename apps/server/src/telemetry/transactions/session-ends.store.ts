import { BUSY_STATUSES, NOT_REPORTED, sessionEndCause, showsCharging } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';
import { numberArray, type Statement, textArray, timeArray, words } from '../../platform/database/statement.ts';
import { type Item, lastOfEach } from '../../ports/uplink-items.ts';

/**
 * SQL for the start of a session `t`: if the device's clock is ahead, it cannot have started later than its report
 * arrived.
 */
const BEGAN = 'least(t.started_at, t.recorded_at)';

/**
 * The effect of status reports on charging sessions: a status without a vehicle ends the open session of its connector,
 * and the first charging status after a boot reopens the session that the boot ended. Run this before the reports are
 * stored.
 */
export function sessionStatements(items: readonly Item<'connectorStatus'>[]): Statement[] {
  const last = lastOfEach(items, (item) => `${item.deviceId} ${item.event.connector}`);
  const ending = last.filter((item) => sessionEndCause(item.event.status) !== null);
  const charging = last.filter((item) => showsCharging(item.event.status));
  const statements: Statement[] = [];
  if (ending.length > 0) {
    statements.push({
      name: 'session_ends',
      // A session without a known connector has ended when no other connector of the device is in use.
      text: `update transactions t set stopped_at = to_timestamp(r.t / 1000), stop_reason = '${NOT_REPORTED}', stop_cause = r.cause
        from unnest($1::int[], $2::int2[], $3::float8[], $4::text[]) as r (d, c, t, cause)
        where t.device_id = r.d and t.stopped_at is null and ${BEGAN} < to_timestamp(r.t / 1000)
          and (t.connector = r.c or t.connector = 0 and not exists (
            select from connectors other where other.device_id = r.d and other.connector <> r.c and not other.outdated
              and other.status in (${words(BUSY_STATUSES)})))`,
      values: [...keysOf(ending), textArray(ending.map((item) => sessionEndCause(item.event.status)))],
    });
  }
  if (charging.length > 0) {
    statements.push({
      name: 'session_resumed',
      text: `update transactions t set stopped_at = null, stop_reason = null, stop_cause = null
        from unnest($1::int[], $2::int2[], $3::float8[]) as r (d, c, t)
        join connectors c on c.device_id = r.d and c.connector = r.c and c.outdated
        where t.device_id = r.d and t.connector = r.c and t.stop_cause = 'boot'
          and not exists (select from transactions later
            where later.device_id = t.device_id and later.connector = t.connector and later.id > t.id)`,
      values: keysOf(charging),
    });
  }
  return statements;
}

function keysOf(items: readonly Item<'connectorStatus'>[]): string[] {
  return [
    numberArray(items.map((item) => item.deviceId)),
    numberArray(items.map((item) => item.event.connector)),
    timeArray(items.map((item) => item.event.at)),
  ];
}

/**
 * Ends all open sessions of devices that booted, because a boot interrupts them. Earlier reports of their connectors
 * are out of date.
 */
export async function endSessionsByBoot(client: Query, items: readonly Item<'booted'>[]): Promise<void> {
  const boots = lastOfEach(
    items.filter((item) => !item.event.triggered),
    (item) => item.deviceId,
  );
  if (boots.length === 0) return;
  const devices = boots.map((item) => item.deviceId);
  await client.query({
    name: 'ingest_sessions_boot',
    text: `update transactions t set stopped_at = r.at, stop_reason = '${NOT_REPORTED}', stop_cause = 'boot'
      from unnest($1::int[], $2::timestamptz[]) as r (d, at)
      where t.device_id = r.d and t.stopped_at is null and ${BEGAN} < r.at`,
    values: [devices, boots.map((item) => item.event.at)],
  });
  await client.query({
    name: 'ingest_connectors_boot',
    text: 'update connectors set outdated = true where device_id = any ($1::int[]) and not outdated',
    values: [devices],
  });
}
