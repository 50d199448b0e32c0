import { type DeviceRights, deviceRights, type ModelLevels } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Caller } from '../../../ports/caller.ts';
import type { PolicyRow } from '../../../ports/policy-rows.ts';
import { findScopedDevice } from '../../database/device-scope.ts';
import type { Database } from '../../database/schema.ts';
import { notFound } from '../problem.ts';

/** A device that a caller may see, and what their levels admit there. */
export interface VisibleDevice {
  id: number;
  sn: string;
  deviceModelId: number;
  rights: DeviceRights;
}

/** A device as the policy of a call found it; undefined where the row is no device. */
export function visibleDevice(caller: Caller, { device, model }: PolicyRow): VisibleDevice | undefined {
  return device && model ? { ...device, rights: deviceRights(caller.levels, model) } : undefined;
}

/** The device with an id. @throws Problem `notFound` when there is none in the caller's scope. */
export async function requireDevice(db: Kysely<Database>, caller: Caller, id: number): Promise<VisibleDevice> {
  const device = await findScopedDevice(caller.scope, db, id);
  if (!device) throw notFound('device');
  const { sn, deviceModelId } = device;
  return { id: device.id, sn, deviceModelId, rights: deviceRights(caller.levels, device) };
}

/** True when a caller's level lets them take the data of devices away as a file. */
export function mayDownloadDevices(caller: Caller): boolean {
  return deviceRights(caller.levels, ANY_MODEL).download;
}

/** True when a caller's level lets them register, edit, switch and delete devices. */
export function mayEditDevices(caller: Caller): boolean {
  return deviceRights(caller.levels, ANY_MODEL).edit;
}

/** Editing and downloading ask nothing of the model, so the least model answers for all. */
const ANY_MODEL: ModelLevels = { parameterRead: 5, parameterWrite: 5, control: 5 };
