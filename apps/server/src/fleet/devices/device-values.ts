import type { DeviceValues } from './devices.store.ts';

/** The contract's name of each column that users fill in. */
const FIELD_OF: Record<keyof DeviceValues, string> = {
  name: 'name',
  site_id: 'siteId',
  customer_id: 'customerId',
  device_model_id: 'deviceModelId',
  install_date: 'installDate',
  arrival_date: 'arrivalDate',
  maintenance_cycle_days: 'maintenanceCycleDays',
  gateway_password_hash: 'gatewayPassword',
};

/** Values as the action log stores them: with the contract's names, and for the password only whether there is one. */
export function loggableDevice(values: Partial<DeviceValues>): Record<string, unknown> {
  const shown = { ...values };
  if (shown.gateway_password_hash) shown.gateway_password_hash = '••••';
  return Object.fromEntries(
    Object.entries(shown).map(([column, value]) => [FIELD_OF[column as keyof DeviceValues], value]),
  );
}
