import type { DeviceDetail } from '@chargehand/contract';
import { type DeviceScene, type DeviceType, deviceScene } from '@chargehand/domain';
import type { Answer } from '../../../../shared/api/client.ts';

/** The scene of a device from what the page has read; without runtime values only its model and status are known. */
export function sceneOf(device: DeviceDetail, runtime: Answer<'readRuntime'> | undefined): DeviceScene {
  const { type, status, connected, disconnectedAt, deviceModelConnectors } = device;
  return deviceScene({
    ...{ type: type as DeviceType, status, connected, modelConnectors: deviceModelConnectors },
    everConnected: connected || disconnectedAt !== null,
    connectors: (runtime?.connectors ?? []).map(({ transaction, ...one }) => ({ ...one, session: transaction })),
  });
}
