import { type DeviceRights, deviceRights } from '@chargehand/domain';
import type { Caller } from '../caller.ts';
import type { PolicyRow } from '../policy-row.ts';

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
