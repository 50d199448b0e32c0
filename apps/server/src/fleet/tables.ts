import type { CUSTOMER, SITE } from '@chargehand/contract';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';
import type { Explanations } from '../platform/database/violations.ts';
import type { ColumnsOf } from '../platform/resource/columns.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    customers: CustomersTable;
    sites: SitesTable;
    site_receivers: SiteReceiversTable;
    devices: DevicesTable;
    device_states: DeviceStatesTable;
    device_status: DeviceStatusTable;
    connectors: ConnectorsTable;
    device_maintenances: DeviceMaintenancesTable;
    device_boots: DeviceBootsTable;
    device_images: DeviceImagesTable;
    device_certificates: DeviceCertificatesTable;
    blacklist_entries: WaitingDevicesTable;
    connection_attempts: ConnectionAttemptsTable;
    removed_devices: RemovedDevicesTable;
  }
}

interface CustomersTable extends ColumnsOf<typeof CUSTOMER.fields> {
  id: GeneratedAlways<number>;
  country: string | null;
  province: string | null;
  city: string | null;
  platform_vendor: Generated<boolean>;
  enabled: Generated<boolean>;
  created_at: Generated<Date>;
  /** null until the job writes them; see platform/search */
  search_words: Generated<string | null>;
}

interface SitesTable extends ColumnsOf<typeof SITE.fields> {
  id: GeneratedAlways<number>;
  customer_id: number;
  country: string | null;
  province: string | null;
  city: string | null;
  enabled: Generated<boolean>;
  created_at: Generated<Date>;
  /** null until the job writes them; see platform/search */
  search_words: Generated<string | null>;
}

interface SiteReceiversTable {
  site_id: number;
  user_id: number;
  added_at: Generated<Date>;
}

interface DevicesTable {
  id: GeneratedAlways<number>;
  sn: string;
  name: string;
  site_id: number;
  customer_id: number;
  device_model_id: number;
  status: Generated<string>;
  status_since: Generated<Date>;
  enabled: Generated<boolean>;
  maintenance: Generated<boolean>;
  soft_version: Generated<string>;
  install_date: string | null;
  arrival_date: string | null;
  maintenance_cycle_days: number | null;
  maintained_at: Date | null;
  /** infinity for a device without a maintenance cycle */
  maintenance_due_at: GeneratedAlways<Date>;
  gateway_password_hash: string | null;
  created_at: Generated<Date>;
  /** null until the job writes them; see platform/search */
  search_words: Generated<string | null>;
}

/** What lists and counts need of each device. Written by triggers on `devices`, which has the same. */
interface DeviceStatusTable {
  device_id: number;
  customer_id: number;
  site_id: number;
  status: string;
  since: Date;
}

interface DeviceStatesTable {
  device_id: number;
  connected: Generated<boolean>;
  connection_id: string | null;
  node: string | null;
  protocol: string | null;
  remote_address: string | null;
  connected_at: Date | null;
  disconnected_at: Date | null;
  disconnect_reason: string | null;
  disconnect_detail: string | null;
  booted_at: Date | null;
  parameters_asked_at: Date | null;
  boot: Json<unknown>;
  last_seen_at: Date | null;
  clock_skew_ms: number | null;
  firmware_status: string | null;
  diagnostics_status: string | null;
  offline_due_at: Date | null;
  total_runtime_seconds: Generated<number>;
}

interface ConnectorsTable {
  device_id: number;
  connector: number;
  status: string;
  error_code: Generated<string>;
  vendor_error_code: string | null;
  info: string | null;
  since: Date;
  updated_at: Date;
  /** the device has booted since it reported this */
  outdated: Generated<boolean>;
}

interface DeviceBootsTable {
  device_id: number;
  /** the newest ones, oldest first */
  at: Date[];
}

interface DeviceMaintenancesTable {
  id: GeneratedAlways<number>;
  device_id: number;
  began_at: Generated<Date>;
  began_by: number | null;
  began_by_name: string;
  ended_at: Date | null;
  ended_by_name: string | null;
  note: Generated<string>;
  maintained: Generated<boolean>;
  unmaintained_days: number | null;
  runtime_seconds: number | null;
}

interface DeviceCertificatesTable {
  id: GeneratedAlways<number>;
  device_id: number;
  serial: string;
  fingerprint: string;
  subject: string;
  not_before: Date;
  not_after: Date;
  issued_at: Date;
  accepted: boolean | null;
  answered_at: Date | null;
}

interface DeviceImagesTable {
  id: GeneratedAlways<number>;
  device_id: number;
  key: string;
  position: number;
  added_at: Generated<Date>;
  added_by_name: string;
}

interface WaitingDevicesTable {
  id: GeneratedAlways<number>;
  serial_number: Generated<string | null>;
  firmware_version: Generated<string | null>;
  waiting_until: Generated<Date | null>;
  sn: string;
  mac: string | null;
  protocol_version: string;
  remote_address: string;
  vendor: string | null;
  model: string | null;
  registered_at: Generated<Date>;
  last_attempt_at: Generated<Date>;
  attempts: Generated<number>;
}

interface ConnectionAttemptsTable {
  id: GeneratedAlways<number>;
  gateway: 'ocpp' | 'mqtt' | 'ftp';
  remote_address: string;
  target: string;
  reason: string;
  protocols: string | null;
  device_id: number | null;
  first_at: Generated<Date>;
  last_at: Generated<Date>;
  attempts: Generated<number>;
}

interface RemovedDevicesTable {
  device_id: number;
  removed_at: Generated<Date>;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  sites_name: ['siteNameExists', 'name'],
  sites_code: ['siteCodeExists', 'code'],
  user_sites_max: ['siteLimitReached'],
  sites_customer_id_fkey: { unknown: ['customerUnknown', 'customerId'], inUse: ['customerHasSites'] },
  customers_issue_prefix: ['issuePrefixTaken', 'issuePrefix'],
  users_customer_id_fkey: ['customerHasUsers'],
  customers_platform_vendor_serves: ['platformVendorKept'],
  customers_platform_vendor_kept: ['platformVendorKept'],
  devices_sn: ['deviceSnExists', 'sn'],
  devices_name: ['deviceNameExists', 'name'],
  devices_device_model_id_fkey: ['deviceModelUnknown', 'deviceModelId'],
  devices_site_id_customer_id_fkey: { unknown: ['siteUnknown', 'siteId'], inUse: ['siteHasDevices'] },
  device_maintenances_running: ['maintenanceRuns'],
} satisfies Explanations;
