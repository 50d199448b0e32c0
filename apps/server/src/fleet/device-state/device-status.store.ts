import { type DeviceFacts, FIRMWARE_UPDATING } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';

export interface DeviceStatusRow {
  deviceId: number;
  status: string;
  facts: DeviceFacts;
}

/** Reads the facts that decide the status of devices, and the stored status. */
export async function readDeviceFacts(client: Query, deviceIds: readonly number[]): Promise<DeviceStatusRow[]> {
  const { rows } = await client.query<{
    id: number;
    status: string;
    enabled: boolean;
    maintenance: boolean;
    connected: boolean | null;
    firmware_status: string | null;
    station_status: string | null;
    connector_statuses: string[];
  }>({
    name: 'ingest_device_facts',
    // A device is also disabled when its site or customer is.
    text: `select d.id, d.status, d.enabled and site.enabled and customer.enabled as enabled, d.maintenance,
        s.connected, s.firmware_status,
        (select c.status from connectors c where c.device_id = d.id and c.connector = 0) as station_status,
        array(select c.status from connectors c where c.device_id = d.id and c.connector > 0) as connector_statuses
      from devices d
      join sites site on site.id = d.site_id
      join customers customer on customer.id = d.customer_id
      left join device_states s on s.device_id = d.id
      where d.id = any ($1::int[])`,
    values: [deviceIds],
  });
  return rows.map((row) => ({
    deviceId: row.id,
    status: row.status,
    facts: {
      enabled: row.enabled,
      maintenance: row.maintenance,
      connected: row.connected ?? false,
      updatingFirmware: FIRMWARE_UPDATING.has(row.firmware_status),
      stationStatus: row.station_status,
      connectorStatuses: row.connector_statuses,
    },
  }));
}

/**
 * Writes changed statuses, except where the stored status is no longer `was`, because another writer changed it in
 * between. Returns the devices that were written.
 */
export async function writeDeviceStatuses(
  client: Query,
  changes: readonly { deviceId: number; was: string; status: string }[],
): Promise<Set<number>> {
  if (changes.length === 0) return new Set();
  const { rows } = await client.query<{ id: number }>({
    name: 'ingest_device_statuses',
    // Locked in the order of their ids, as everywhere when many devices are written, so that two writers cannot
    // deadlock.
    text: `with r as (
        select d.id, c.status from devices d join unnest($1::int[], $2::text[], $3::text[]) as c (d, was, status) on d.id = c.d
        where d.status = c.was order by d.id for no key update of d)
      update devices d set status = r.status, status_since = now() from r where d.id = r.id returning d.id`,
    values: [
      changes.map((change) => change.deviceId),
      changes.map((change) => change.was),
      changes.map((change) => change.status),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
