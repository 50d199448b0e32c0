import type { DeviceRights } from '@chargehand/domain';
import type { PolicyRow } from '../../platform/http/policy-row.ts';

/** A device that the caller may see, with their rights on it. */
export interface VisibleDevice extends PolicyRow {
  id: number;
  sn: string;
  deviceModelId: number;
  rights: DeviceRights;
}

declare module '../../platform/http/policy-row.ts' {
  interface PolicyRows {
    device: VisibleDevice;
  }
}
