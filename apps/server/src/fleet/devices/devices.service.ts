import type { BodyOf, DeviceDetail, fleetEndpoints, WithDates } from '@chargehand/contract';
import {
  type DeviceRights,
  datesAreInOrder,
  deviceRights,
  EXECUTION_RESULTS,
  type ExecutionResult,
  isOverMqtt,
  isSn,
  passwordChangeState,
  permits,
  unmaintainedDays,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import type { DeviceLink } from '../../ports/devices/device-link.ts';
import { hashDevicePassword } from '../../ports/devices/device-password.ts';
import type { PasswordChanges } from '../../ports/devices/password-changes.ts';
import { type DevicePlace, type Events, inTransaction, publishDeviceLeft } from '../../ports/events.ts';
import type { Pictures } from '../../ports/pictures.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { moveImages } from '../device-care/device-images.service.ts';
import { enteredName } from '../entered.ts';
import { openDevicePassword } from '../entered-password.ts';
import { deriveStatuses } from '../sites/place-devices.store.ts';
import { findSite, findSiteNames } from '../sites/sites.store.ts';
import { EXPLANATIONS } from '../tables.ts';
import { type AttemptRecord, findLastAttemptOf } from '../waiting-devices/connection-attempts.store.ts';
import { deleteWaitingDeviceOf } from '../waiting-devices/waiting-devices.store.ts';
import { toDeviceRow } from './device-list.service.ts';
import { loggableDevice } from './device-values.ts';
import {
  type DeviceRecord,
  type DeviceValues,
  dropPasswordChanges,
  findDevice,
  insertDevice,
  isCharging,
  isSnInScope,
  type LockedDevice,
  lockDeviceState,
  removeDevice,
  setDeviceEnabled,
  updateDevice,
} from './devices.store.ts';
import { entryOf, requireEditable } from './editable-device.ts';

export interface DevicesService {
  read(caller: Caller, id: number): Promise<WithDates<DeviceDetail>>;
  register(caller: Caller, device: BodyOf<typeof fleetEndpoints.createDevice>): Promise<{ id: number }>;
  edit(caller: Caller, id: number, changes: BodyOf<typeof fleetEndpoints.updateDevice>): Promise<void>;
  /**
   * Moves a device to another site, with everything that belongs to it. @throws Problem `deviceSameSite`, `siteUnknown`
   */
  move(caller: Caller, id: number, siteId: number): Promise<void>;
  enable(caller: Caller, id: number): Promise<void>;
  disable(caller: Caller, id: number): Promise<void>;
  remove(caller: Caller, id: number): Promise<void>;
}

/**
 * Manages devices. Every change is recorded in the action log in the same transaction. Connections and screens are
 * updated after the commit.
 */
export function devicesService(parts: {
  db: Kysely<Database>;
  link: DeviceLink;
  events: Events;
  pictures: Pictures;
  passwords: PasswordChanges;
  sealed: SealedFields;
  /** called after a device was removed, so that its history is removed too */
  removed: () => void;
}): DevicesService {
  const { db, link, events, pictures, passwords, sealed, removed } = parts;

  /** Changes fields of a device; false when no value differs. */
  const change: (...of: Parameters<DevicesService['edit']>) => Promise<boolean> = async (caller, id, entered) => {
    const gatewayPassword = await openDevicePassword(sealed, entered.gatewayPassword);
    const edited = { ...entered, ...(gatewayPassword === undefined ? {} : { gatewayPassword }) };
    const done = await db.transaction().execute(async (trx) => {
      const device = await requireEditable(trx, caller, id);
      const values = await editedValues(trx, caller, device, edited);
      if (Object.keys(values).length === 0) return null;
      requireRevision(edited.revision, currentValues(device));
      const sends = sendsPassword(device, edited);
      const { gateway_password_hash: _, ...others } = values;
      const stored = sends ? others : values;
      if (edited.gatewayPassword !== undefined && !sends) await dropPasswordChanges(trx, id);
      if (sends && edited.gatewayPassword) await passwords.begin(trx, caller, device, edited.gatewayPassword);
      if (Object.keys(stored).length > 0) await explained(updateDevice(trx, id, stored), EXPLANATIONS);
      if (values.site_id !== undefined) await deriveStatuses(trx, [id]);
      const newOwner = values.customer_id !== undefined && values.customer_id !== device.customerId;
      const settle = newOwner ? await moveImages(trx, pictures, id, values.customer_id!) : async () => undefined;
      await logEdit(trx, caller, device, values);
      const outOfService = values.site_id !== undefined && !(await requireSite(trx, caller, values.site_id)).enabled;
      const newModel = values.device_model_id !== undefined;
      return { settle, sends, outOfService, newModel, left: values.site_id === undefined ? null : placeOf(device) };
    });
    if (!done) return false;
    await done.settle();
    if (done.outOfService) await link.disconnect(id, 'deviceDisabled');
    else if (done.newModel) await link.reload(id);
    if (done.sends) passwords.send(id);
    else if (edited.gatewayPassword !== undefined) await link.disconnect(id, 'credentialsChanged');
    if (done.left) publishDeviceLeft(events, done.left);
    else events.publish('device.details', { id });
    return true;
  };
  return {
    async read(caller, id) {
      const device = await findDevice(caller.scope, db, id);
      if (!device) throw notFound('device');
      return detailOf(caller, device, await findLastAttemptOf(db, id));
    },

    async register(caller, device) {
      if (!isSn(device.sn)) throw new Problem('deviceSnFormat', { field: 'sn' });
      requireOrder(device.arrivalDate ?? null, device.installDate ?? null);
      const password = await openDevicePassword(sealed, device.gatewayPassword);
      return await inTransaction(parts, async (trx, committed) => {
        const site = await requireSite(trx, caller, device.siteId);
        const values: DeviceValues = {
          name: enteredName(device.name),
          site_id: site.id,
          customer_id: site.customerId,
          device_model_id: device.deviceModelId,
          install_date: device.installDate ?? null,
          arrival_date: device.arrivalDate ?? null,
          maintenance_cycle_days: device.maintenanceCycleDays ?? null,
          gateway_password_hash: password ? hashDevicePassword(password) : null,
        };
        const id = await explained(insertDevice(trx, { sn: device.sn, ...values }), EXPLANATIONS);
        await deriveStatuses(trx, [id]);
        await deleteWaitingDeviceOf(trx, device.sn);
        await logAction(trx, caller, {
          operation: 'new',
          objectType: 'device' as const,
          objectId: String(id),
          objectName: values.name,
          customerId: site.customerId,
          siteId: site.id,
          after: { sn: device.sn, ...loggableDevice(values) },
        });
        committed.publish(['device.details', 'device.state'], { id });
        return { id };
      }).catch((error) => withoutForeignDevice(db, caller, device.sn, error));
    },

    async edit(caller, id, edited) {
      await change(caller, id, edited);
    },

    async move(caller, id, siteId) {
      if (!(await change(caller, id, { siteId }))) throw new Problem('deviceSameSite', { field: 'siteId' });
    },

    async enable(caller, id) {
      await switchDevice(db, caller, id, true);
      events.publish(['device.details', 'device.state'], { id });
    },

    async disable(caller, id) {
      await switchDevice(db, caller, id, false);
      await link.disconnect(id, 'deviceDisabled');
      events.publish(['device.details', 'device.state'], { id });
    },

    async remove(caller, id) {
      const left = await db.transaction().execute(async (trx) => {
        await lockDeviceState(trx, id);
        const device = await requireEditable(trx, caller, id);
        if (await isCharging(trx, id)) throw new Problem('deviceHasOpenTransaction');
        await removeDevice(trx, id);
        await logAction(trx, caller, {
          ...entryOf(device, 'delete'),
          before: { sn: device.sn, ...loggableDevice(currentValues(device)) },
        });
        return placeOf(device);
      });
      await link.disconnect(id, 'deviceRemoved');
      publishDeviceLeft(events, left);
      removed();
    },
  };
}

/** The site of a device when it was read. */
function placeOf({ id, customerId, siteId }: { id: number; customerId: number; siteId: number }): DevicePlace {
  return { deviceId: id, customerId, siteId };
}

/** A new password is sent to a device that uses OCPP, unless the device already has it. */
function sendsPassword(
  { protocol }: LockedDevice,
  { gatewayPassword, passwordAtOnce }: BodyOf<typeof fleetEndpoints.updateDevice>,
): boolean {
  return typeof gatewayPassword === 'string' && !passwordAtOnce && protocol !== null && !isOverMqtt(protocol);
}

/** Enables or disables a device. When nothing changes, nothing is logged. */
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

/** Rethrows a problem without revealing that another customer's device has the SN. */
async function withoutForeignDevice(
  db: Kysely<Database>,
  caller: Caller,
  sn: string,
  problem: unknown,
): Promise<never> {
  if (!(problem instanceof Problem) || problem.code !== 'deviceSnExists') throw problem;
  if (await isSnInScope(caller.scope, db, sn)) throw problem;
  throw new Problem('deviceSnUnavailable', { field: 'sn' });
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

/**
 * Logs a change of a device. A move is logged at both places, each with its own side of the change, so that users of
 * one place do not learn of the other from the log. Sites are logged by name, because they may be deleted later.
 */
async function logEdit(
  trx: Kysely<Database>,
  caller: Caller,
  device: LockedDevice,
  values: Partial<DeviceValues>,
): Promise<void> {
  const current = Object.entries(currentValues(device)).filter(([column]) => column in values);
  const before = loggableDevice(Object.fromEntries(current));
  const after = loggableDevice(values);
  const entry = { ...entryOf(device, 'edit'), objectName: values.name ?? device.name };
  const { site_id: siteId } = values;
  if (siteId === undefined) return logAction(trx, caller, { ...entry, before, after });
  const customerId = values.customer_id ?? device.customerId;
  const names = await findSiteNames(trx, [device.siteId, siteId]);
  const nowhere = { siteId: null, site: null };
  const { siteId: _, customerId: __, ...otherBefore } = before;
  const left = { customerId: device.customerId, siteId: device.siteId, site: names.get(device.siteId) };
  await logAction(trx, caller, { ...entryOf(device, 'edit'), before: left, after: nowhere });
  await logAction(trx, caller, {
    ...{ ...entry, customerId, siteId },
    before: { ...otherBefore, ...nowhere },
    after: { ...after, site: names.get(siteId) },
  });
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

function detailOf(caller: Caller, device: DeviceRecord, refused: AttemptRecord | null): WithDates<DeviceDetail> {
  const { unmaintainedSince, parameterReadLevel, parameterWriteLevel, controlLevel, passwordChange, ...rest } = device;
  const rights = deviceRights(caller.levels, {
    parameterRead: parameterReadLevel,
    parameterWrite: parameterWriteLevel,
    control: controlLevel,
  });
  return {
    ...rest,
    ...toDeviceRow(device),
    passwordChange: passwordChange && passwordChangeOf(passwordChange),
    revision: revisionOf(currentValues(device)),
    unmaintainedDays: unmaintainedDays(unmaintainedSince, new Date()),
    lastRefusal: refused && {
      at: refused.lastAt,
      reason: refused.reason,
      remoteAddress: refused.remoteAddress,
      attempts: refused.attempts,
    },
    may: mayOf(caller, rights),
  };
}

function passwordChangeOf(
  change: NonNullable<DeviceRecord['passwordChange']>,
): WithDates<DeviceDetail['passwordChange']> {
  const { state, result, requestedAt, ...rest } = change;
  const names = Object.keys(EXECUTION_RESULTS) as ExecutionResult[];
  const named = names.find((name) => EXECUTION_RESULTS[name] === result) ?? 'waiting';
  return {
    ...rest,
    state: passwordChangeState({ state, result: named }),
    requestedAt: new Date(requestedAt),
  };
}

/** Whether a caller may act on a device, with all steps of design §5. The row is already in their scope. */
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
