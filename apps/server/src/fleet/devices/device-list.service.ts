import type { DeviceRow, DeviceSummary, fleetEndpoints, QueryOf, WithDates } from '@chargehand/contract';
import { DEVICE_STATUSES, type DeviceStatus, worstLevel } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import {
  countDevices,
  countDevicesByStatus,
  type DeviceFilters,
  findDeviceSummaries,
  type ListedDevice,
  listDevices,
} from './device-list.store.ts';

type ListQuery = QueryOf<typeof fleetEndpoints.listDevices>;
type FilterQuery = QueryOf<typeof fleetEndpoints.countDevices>;

/** One page of the devices that a caller may see, with their active alarms, and the total number of matches. */
export async function readDevicePage(
  db: Kysely<Database>,
  caller: Caller,
  query: ListQuery,
): Promise<{ items: WithDates<DeviceRow>[]; total: number }> {
  const filters = filtersOf(query);
  const [devices, total] = await Promise.all([
    listDevices(caller.scope, db, filters, listOrder(query.sort, 'name'), pageOf(query)),
    countDevices(caller.scope, db, filters),
  ]);
  return { items: devices.map(toDeviceRow), total };
}

/** The number of a caller's devices in each status, ignoring the status filter of the list. */
export async function readDeviceCounters(
  db: Kysely<Database>,
  caller: Pick<Caller, 'scope'>,
  query: FilterQuery,
): Promise<{ total: number; byStatus: Record<DeviceStatus, number> }> {
  const counts = await countDevicesByStatus(caller.scope, db, { ...filtersOf(query), statuses: undefined });
  const byStatus = Object.fromEntries(DEVICE_STATUSES.map((status) => [status, 0])) as Record<DeviceStatus, number>;
  for (const { status, total } of counts) byStatus[status] = total;
  return { total: counts.reduce((sum, { total }) => sum + total, 0), byStatus };
}

/** The frequently changing fields of some devices, by id. Removed devices are missing. */
export async function readDeviceSummaries(
  db: Kysely<Database>,
  deviceIds: readonly number[],
): Promise<Map<number, WithDates<DeviceSummary>>> {
  const devices = await findDeviceSummaries(db, deviceIds);
  return new Map(
    devices.map(({ id, activeAlarmLevels, ...summary }) => [
      id,
      {
        ...summary,
        worstAlarmLevel: worstLevel(activeAlarmLevels),
      },
    ]),
  );
}

/** A device as it appears in API lists. */
export function toDeviceRow(device: ListedDevice): WithDates<DeviceRow> {
  const { activeAlarmLevels, arrivalDate: _, installDate: __, maintenanceCycleDays: ___, ...shown } = device;
  return {
    ...shown,
    worstAlarmLevel: worstLevel(activeAlarmLevels),
  };
}

/** The filters of a query. @throws Problem `fieldChoice` when a status is not one of the specification's. */
export function filtersOf(query: FilterQuery): DeviceFilters {
  return {
    search: searchOf(query.search),
    statuses: query.status === undefined ? undefined : statusesOf(query.status),
    siteId: query.siteId,
    customerId: query.customerId,
    deviceModelId: query.deviceModelId,
    type: query.type,
    activeAlarm: query.alarm === 'active',
    maintenanceDue: query.maintenance === 'due',
  };
}

function statusesOf(text: string): DeviceStatus[] {
  return text.split(',').map((word) => {
    const status = DEVICE_STATUSES.find((known) => known === word.trim());
    if (status === undefined) {
      throw new Problem('fieldChoice', { field: 'status', values: { expected: DEVICE_STATUSES.join(', ') } });
    }
    return status;
  });
}
