import type { CommandInputs, CommandKind } from '@chargehand/domain';

/** What is asked of a device. `executionId` is also the OCPP unique message id. */
export interface DeviceCall {
  executionId: string;
  kind: CommandKind;
  /** 0 is the device itself */
  connector: number;
  params: Pick<CommandInputs, 'key' | 'value' | 'param1' | 'param2' | 'idTag' | 'message' | 'action' | 'payload'> &
    Partial<TransferParams> & {
      /** the session to end, as the device itself calls it */
      transaction?: string;
      /** of changePassword: the new password */
      password?: string;
    };
}

/**
 * What a device needs to fetch a firmware file or to hand in its log: kinds `upgradeSoftware`, `updatePlcFirmware` and
 * `uploadLog`. Made when the call is handed over, because `location` holds a credential that is kept nowhere.
 */
export interface TransferParams {
  /** URL with a one-time credential: of the firmware file itself, or of the folder that takes the log */
  location: string;
  /** counts transfers; devices repeat it in their reports where the protocol has such a thing */
  requestId: number;
  /** how often the device may try again, and how long it waits before (seconds) */
  retries: number;
  retryIntervalSeconds: number;
  /** of firmware: since when it may be fetched (ISO-8601, UTC) */
  retrieveAt: string;
  /** of firmware: what it is, and how its whole is proven */
  version: string;
  size: number;
  /** SHA-256 in small hexadecimal digits */
  checksum: string;
  /** of firmware that its manufacturer signed: one certificate in PEM, and the signature over the whole file in base64 */
  signingCertificate: string;
  signature: string;
  /** of a log: which one, and the time it is to cover (ISO-8601, UTC) */
  logType: 'diagnostics' | 'security';
  from: string;
  to: string;
}

/** What became of handing a call to the device: only `sent` means that something was written. The answer comes as an uplink event. */
export type Handover = { outcome: 'sent' } | { outcome: 'notSupported' } | { outcome: 'offline' };

/** The way down to devices, whichever gateway and node holds them. */
export interface DeviceLink {
  /** Writes the call to the device's connection. */
  execute(deviceId: number, call: DeviceCall): Promise<Handover>;
  /** Ends the device's connection, if it has one; the reason is told to the device and kept. */
  disconnect(deviceId: number, reason: 'deviceDisabled' | 'deviceRemoved' | 'credentialsChanged'): Promise<void>;
}

declare module '../../platform/bus/bus.ts' {
  interface BusMessages {
    'device.connected': { deviceId: number };
  }
}

/** Bus subject on which a gateway publishes that it has stored that a device is connected. */
export const DEVICE_CONNECTED = 'device.connected';
