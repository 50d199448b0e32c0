import type { BodyOf, DeviceDetail, fleetEndpoints } from '@chargehand/contract';
import { type DeviceRights, datesAreInOrder, deviceRights, isSn, permits, unmaintainedDays } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { foreignKeyViolation, uniqueViolation } from '../platform/database/violations.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { requireRevision, revisionOf } from '../platform/http/revision.ts';
import type { Caller } from '../ports/caller.ts';
import type { DevicePlace, MoveFeed } from '../ports/changes.ts';
import type { DeviceLink } from '../ports/device-link.ts';
import { hashDevicePassword } from '../ports/device-password.ts';
import type { Pictures } from '../ports/pictures.ts';
import { deleteBlacklistEntryOf } from './blacklist.store.ts';
import { moveImages } from './device-images.service.ts';
import { toDeviceRow } from './device-list.service.ts';
import { loggableDevice } from './device-values.ts';
import {
  type DeviceRecord,
  type DeviceValues,
  findDevice,
  hasOpenTransaction,
  insertDevice,
  type LockedDevice,
  removeDevice,
  setDeviceEnabled,
  updateDevice,
} from './devices.store.ts';
import { entryOf, requireEditable, requireWriteLevel } from './editable-device.ts';
import { enteredName } from './entered.ts';
import { deriveStatuses } from './place-devices.store.ts';
import { findSite, findSiteNames } from './sites.store.ts';

export interface DevicesService {
  read(caller: Caller, id: number): Promise<DeviceDetail>;
  register(caller: Caller, device: BodyOf<typeof fleetEndpoints.createDevice>): Promise<{ id: number }>;
  edit(caller: Caller, id: number, changes: BodyOf<typeof fleetEndpoints.updateDevice>): Promise<void>;
  /** Has a device stand at another site, with all that hangs on it. @throws Problem `deviceSameSite`, `siteUnknown` */
  move(caller: Caller, id: number, siteId: number): Promise<void>;
  enable(caller: Caller, id: number): Promise<void>;
  disable(caller: Caller, id: number): Promise<void>;
  remove(caller: Caller, id: number): Promise<void>;
}

/**
 * Devices as people keep them. Every change stands in the action log of the same transaction; what follows from it on
 * the line and on screens happens once it is committed.
 */
export function devicesService(parts: {
  db: Kysely<Database>;
  link: DeviceLink;
  changes: MoveFeed;
  pictures: Pictures;
  /** told after a device was removed, so that its history goes, too */
  removed: () => void;
}): DevicesService {
  const { db, link, changes, pictures, removed } = parts;

  /** Changes what people enter of a device; false when nothing of it is new. */
  const change: (...of: Parameters<DevicesService['edit']>) => Promise<boolean> = async (caller, id, edited) => {
    const done = await db.transaction().execute(async (trx) => {
      const device = await requireEditable(trx, caller, id);
      const values = await editedValues(trx, caller, device, edited);
      if (Object.keys(values).length === 0) return null;
      requireRevision(edited.revision, currentValues(device));
      await explained(updateDevice(trx, id, values));
      if (values.site_id !== undefined) await deriveStatuses(trx, [id]);
      const newOwner = values.customer_id !== undefined && values.customer_id !== device.customerId;
      const settle = newOwner ? await moveImages(trx, pictures, id, values.customer_id!) : async () => undefined;
      const places = await placesOf(trx, device, values);
      const current = Object.entries(currentValues(device)).filter(([column]) => column in values);
      await logAction(trx, caller, {
        ...entryOf(device, 'edit'),
        objectName: values.name ?? device.name,
        customerId: values.customer_id ?? device.customerId,
        siteId: values.site_id ?? device.siteId,
        before: { ...loggableDevice(Object.fromEntries(current)), ...places.before },
        after: { ...loggableDevice(values), ...places.after },
      });
      const outOfService = values.site_id !== undefined && !(await requireSite(trx, caller, values.site_id)).enabled;
      return { settle, outOfService, left: values.site_id === undefined ? null : placeOf(device) };
    });
    if (!done) return false;
    await done.settle();
    if (done.outOfService) await link.disconnect(id, 'deviceDisabled');
    if (edited.gatewayPassword !== undefined) await link.disconnect(id, 'credentialsChanged');
    if (done.left) changes.left(done.left);
    else changes.changed(id, 'details');
    return true;
  };
  return {
    async read(caller, id) {
      const device = await findDevice(caller.scope, db, id);
      if (!device) throw notFound('device');
      return detailOf(caller, device);
    },

    async register(caller, device) {
      if (!isSn(device.sn)) throw new Problem('deviceSnFormat', { field: 'sn' });
      requireOrder(device.arrivalDate ?? null, device.installDate ?? null);
      const id = await db.transaction().execute(async (trx) => {
        const site = await requireSite(trx, caller, device.siteId);
        requireWriteLevel(caller);
        const values: DeviceValues = {
          name: enteredName(device.name),
          site_id: site.id,
          customer_id: site.customerId,
          device_model_id: device.deviceModelId,
          install_date: device.installDate ?? null,
          arrival_date: device.arrivalDate ?? null,
          maintenance_cycle_days: device.maintenanceCycleDays ?? null,
          gateway_password_hash: device.gatewayPassword ? hashDevicePassword(device.gatewayPassword) : null,
        };
        const newId = await explained(insertDevice(trx, { sn: device.sn, ...values }));
        await deriveStatuses(trx, [newId]);
        await deleteBlacklistEntryOf(trx, device.sn);
        await logAction(trx, caller, {
          operation: 'new',
          objectType: 'device',
          objectId: String(newId),
          objectName: values.name,
          customerId: site.customerId,
          siteId: site.id,
          after: { sn: device.sn, ...loggableDevice(values) },
        });
        return newId;
      });
      changes.changed(id, 'details', 'state');
      return { id };
    },

    async edit(caller, id, edited) {
      await change(caller, id, edited);
    },

    async move(caller, id, siteId) {
      if (!(await change(caller, id, { siteId }))) throw new Problem('deviceSameSite', { field: 'siteId' });
    },

    async enable(caller, id) {
      await switchDevice(db, caller, id, true);
      changes.changed(id, 'details', 'state');
    },

    async disable(caller, id) {
      await switchDevice(db, caller, id, false);
      await link.disconnect(id, 'deviceDisabled');
      changes.changed(id, 'details', 'state');
    },

    async remove(caller, id) {
      const left = await db.transaction().execute(async (trx) => {
        const device = await requireEditable(trx, caller, id);
        if (await hasOpenTransaction(trx, id)) throw new Problem('deviceHasOpenTransaction');
        await removeDevice(trx, id);
        await logAction(trx, caller, {
          ...entryOf(device, 'delete'),
          before: { sn: device.sn, ...loggableDevice(currentValues(device)) },
        });
        return placeOf(device);
      });
      await link.disconnect(id, 'deviceRemoved');
      changes.left(left);
      removed();
    },
  };
}

/** Where a device stands as it was read. */
function placeOf({ id, customerId, siteId }: { id: number; customerId: number; siteId: number }): DevicePlace {
  return { deviceId: id, customerId, siteId };
}

/** Enables or disables; doing again what is so already changes nothing and is not logged. */
async function switchDevice(db: Kysely<Database>, caller: Caller, id: number, enabled: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const device = await requireEditable(trx, caller, id);
    if (device.enabled === enabled) return;
    await setDeviceEnabled(trx, id, enabled);
    await deriveStatuses(trx, [id]);
    await logAction(trx, caller, {
      ...entryOf(device, enabled ? 'enable' : 'disable'),
      before: { enabled: device.enabled },
      after: { enabled },
    });
  });
}

async function editedValues(
  trx: Kysely<Database>,
  caller: Caller,
  device: LockedDevice,
  edited: BodyOf<typeof fleetEndpoints.updateDevice>,
): Promise<Partial<DeviceValues>> {
  const values: Partial<DeviceValues> = {};
  if (edited.name !== undefined && enteredName(edited.name) !== device.name) values.name = enteredName(edited.name);
  if (edited.siteId !== undefined && edited.siteId !== device.siteId) {
    const site = await requireSite(trx, caller, edited.siteId);
    values.site_id = site.id;
    values.customer_id = site.customerId;
  }
  if (edited.deviceModelId !== undefined && edited.deviceModelId !== device.deviceModelId) {
    values.device_model_id = edited.deviceModelId;
  }
  if (edited.installDate !== undefined && edited.installDate !== device.installDate) {
    values.install_date = edited.installDate;
  }
  if (edited.arrivalDate !== undefined && edited.arrivalDate !== device.arrivalDate) {
    values.arrival_date = edited.arrivalDate;
  }
  if (edited.maintenanceCycleDays !== undefined && edited.maintenanceCycleDays !== device.maintenanceCycleDays) {
    values.maintenance_cycle_days = edited.maintenanceCycleDays;
  }
  if (edited.gatewayPassword !== undefined) {
    values.gateway_password_hash = edited.gatewayPassword === null ? null : hashDevicePassword(edited.gatewayPassword);
  }
  requireOrder(
    values.arrival_date === undefined ? device.arrivalDate : values.arrival_date,
    values.install_date === undefined ? device.installDate : values.install_date,
  );
  return values;
}

/** What the sites of a move are called, for who reads the action log when they are long gone. */
async function placesOf(
  trx: Kysely<Database>,
  device: LockedDevice,
  { site_id }: Partial<DeviceValues>,
): Promise<{ before: object; after: object }> {
  if (site_id === undefined) return { before: {}, after: {} };
  const names = await findSiteNames(trx, [device.siteId, site_id]);
  return { before: { site: names.get(device.siteId) }, after: { site: names.get(site_id) } };
}

async function requireSite(
  trx: Kysely<Database>,
  caller: Caller,
  siteId: number,
): Promise<{ id: number; customerId: number; enabled: boolean }> {
  const site = await findSite(caller.scope, trx, siteId);
  if (!site) throw new Problem('siteUnknown', { field: 'siteId' });
  return site;
}

function requireOrder(arrivalDate: string | null, installDate: string | null): void {
  if (!datesAreInOrder(arrivalDate, installDate)) throw new Problem('datesOutOfOrder', { field: 'installDate' });
}

/** The constraint that a write ran against, as the sentence of the spec's catalogue: never looked up beforehand. */
async function explained<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const unique = uniqueViolation(error);
    if (unique === 'devices_sn') throw new Problem('deviceSnExists', { field: 'sn' });
    if (unique === 'devices_name') throw new Problem('deviceNameExists', { field: 'name' });
    const reference = foreignKeyViolation(error);
    if (reference === 'devices_device_model_id_fkey')
      throw new Problem('deviceModelUnknown', { field: 'deviceModelId' });
    if (reference === 'devices_site_id_customer_id_fkey') throw new Problem('siteUnknown', { field: 'siteId' });
    throw error;
  }
}

function currentValues(device: Omit<LockedDevice, 'enabled'>): DeviceValues {
  return {
    name: device.name,
    site_id: device.siteId,
    customer_id: device.customerId,
    device_model_id: device.deviceModelId,
    install_date: device.installDate,
    arrival_date: device.arrivalDate,
    maintenance_cycle_days: device.maintenanceCycleDays,
    gateway_password_hash: device.hasGatewayPassword ? 'set' : null,
  };
}

function detailOf(caller: Caller, device: DeviceRecord): DeviceDetail {
  const {
    maintainedAt,
    unmaintainedSince,
    parameterReadLevel,
    parameterWriteLevel,
    controlLevel,
    createdAt,
    connectedAt,
    disconnectedAt,
    bootedAt,
    ...rest
  } = device;
  const rights = deviceRights(caller.levels, {
    parameterRead: parameterReadLevel,
    parameterWrite: parameterWriteLevel,
    control: controlLevel,
  });
  return {
    ...rest,
    ...toDeviceRow(device),
    createdAt: createdAt.toISOString(),
    connectedAt: connectedAt?.toISOString() ?? null,
    disconnectedAt: disconnectedAt?.toISOString() ?? null,
    bootedAt: bootedAt?.toISOString() ?? null,
    maintainedAt: maintainedAt?.toISOString() ?? null,
    revision: revisionOf(currentValues(device)),
    unmaintainedDays: unmaintainedDays(unmaintainedSince, new Date()),
    may: mayOf(caller, rights),
  };
}

/** What a caller may do on a device, all steps of design §5 together; the row is in their scope already. */
function mayOf(caller: Caller, rights: DeviceRights): DeviceDetail['may'] {
  const changes = !caller.readOnly;
  const edits = changes && permits(caller, ['auth_device_edit']);
  const operates = changes && permits(caller, ['auth_device_detail']);
  return {
    edit: edits && rights.edit,
    control: operates && rights.control,
    readParameters: permits(caller, ['auth_device_detail']) && rights.readParameters,
    setParameters: operates && rights.setParameters,
    download: rights.download,
  };
}
