import type { CommandKind } from '@chargehand/domain';

/** What is asked of a device. `executionId` is also the OCPP unique message id. */
export interface DeviceCall {
  executionId: string;
  kind: CommandKind;
  /** 0 is the device itself */
  connector: number;
  params: { key?: string; value?: string };
}

/** What became of handing a call to the device: only `sent` means that something was written. The answer comes as an uplink event. */
export type Handover = { outcome: 'sent' } | { outcome: 'notSupported' } | { outcome: 'offline' };

/** The way down to devices, whichever gateway and node holds them. */
export interface DeviceLink {
  /** Writes the call to the device's line. */
  execute(deviceId: number, call: DeviceCall): Promise<Handover>;
  /** Ends the device's line, if it has one; the reason is told to the device and kept. */
  disconnect(deviceId: number, reason: 'deviceDisabled' | 'deviceRemoved' | 'credentialsChanged'): Promise<void>;
}

/** Bus subject on which a gateway announces `{ deviceId }` once it has stored that the device is connected. */
export const DEVICE_CONNECTED = 'device.connected';
