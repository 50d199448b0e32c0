import { type DeviceFacts, FIRMWARE_UPDATING } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';

export interface DeviceStatusRow {
  deviceId: number;
  status: string;
  facts: DeviceFacts;
}

/** Reads what decides the status of devices, beside the status that is stored. */
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
    // A device is out of service with its site or its customer, too.
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

/** Writes statuses that changed; `was` guards against a change that somebody else made in between. */
export async function writeDeviceStatuses(
  client: Query,
  changes: readonly { deviceId: number; was: string; status: string }[],
): Promise<void> {
  if (changes.length === 0) return;
  await client.query({
    name: 'ingest_device_statuses',
    // Locked in the order of their ids, as wherever many devices are written, so that no two writers wait for each other.
    text: `with r as (
        select d.id, c.status from devices d join unnest($1::int[], $2::text[], $3::text[]) as c (d, was, status) on d.id = c.d
        where d.status = c.was order by d.id for no key update of d)
      update devices d set status = r.status, status_since = now() from r where d.id = r.id`,
    values: [
      changes.map((change) => change.deviceId),
      changes.map((change) => change.was),
      changes.map((change) => change.status),
    ],
  });
}
