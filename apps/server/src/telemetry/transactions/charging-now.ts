import { BUSY_STATUSES, CHARGING_STATUSES, SESSIONLESS_STATUSES } from '@chargehand/domain';
import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that a vehicle is charging now, at a connector or (0) anywhere on the device. It uses what the device
 * reported last over its current connection: a connector reports that it is charging, or a session is open and no
 * report of its connector since the last boot rules it out. A session without a known connector is possible while some
 * connector is in use, or while none has reported anything.
 */
export function chargingNow(deviceId: RawBuilder<unknown>, connector: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from connectors c join device_states s on s.device_id = c.device_id
             where c.device_id = ${deviceId} and ${connector} in (0, c.connector)
               and s.connected and not c.outdated and c.status in (${words(CHARGING_STATUSES)}))
    or exists (select from transactions t
                 left join connectors c on c.device_id = t.device_id and c.connector = t.connector and not c.outdated
                where t.device_id = ${deviceId} and ${connector} in (0, t.connector) and t.stopped_at is null
                  and t.connector > 0 and (c.status is null or c.status not in (${words(SESSIONLESS_STATUSES)})))
    or exists (select from transactions t
                where t.device_id = ${deviceId} and t.stopped_at is null and t.connector = 0
                  and (not exists (select from connectors c where c.device_id = t.device_id and c.connector > 0)
                    or exists (select from connectors c
                                where c.device_id = t.device_id and c.connector > 0 and not c.outdated
                                  and c.status in (${words(BUSY_STATUSES)})))))`;
}

/**
 * The condition that a connector was charging when its device was last connected and has reported nothing since: the
 * vehicle may still be charging.
 */
export function mayStillCharge(deviceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from connectors c where c.device_id = ${deviceId} and c.outdated and c.status in (${words(CHARGING_STATUSES)}))`;
}

function words(statuses: readonly string[]): RawBuilder<unknown> {
  return sql.join(statuses);
}
