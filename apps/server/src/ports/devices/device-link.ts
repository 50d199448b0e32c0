import type { CommandInputs, CommandKind } from '@chargehand/domain';
import type { LinkParams } from './links.ts';
import type { TokenListCall } from './token-lists.ts';

/** A call to a device. `executionId` is also the OCPP unique message id. */
export interface DeviceCall {
  executionId: string;
  kind: CommandKind;
  /** 0 is the device itself */
  connector: number;
  params: Pick<
    CommandInputs,
    'key' | 'value' | 'param1' | 'param2' | 'idTag' | 'idTokenType' | 'message' | 'action' | 'payload'
  > &
    Partial<TransferParams> &
    Partial<LinkParams> & {
      /** the session to end, with the device's own id */
      transaction?: string;
      /** for changePassword: the new password */
      password?: string;
      /** for updateTokenList */
      tokenList?: TokenListCall;
    };
}

/**
 * What a device needs to download a firmware file or to upload its log: kinds `upgradeSoftware`, `updatePlcFirmware`
 * and `uploadLog`. Created when the call is sent, because `location` contains a credential that is not stored.
 */
export interface TransferParams {
  /** URL with a one-time credential: of the firmware file itself, or of the folder for the log */
  location: string;
  /** a number for transfers, which devices repeat in their reports when the protocol supports it */
  requestId: number;
  /** how often the device may try again, and how long it waits in between (seconds) */
  retries: number;
  retryIntervalSeconds: number;
  /** for firmware: when the download may start (ISO 8601, UTC) */
  retrieveAt: string;
  /** for firmware: its name and its checksum */
  version: string;
  size: number;
  /** SHA-256 in lower-case hexadecimal digits */
  checksum: string;
  /** for signed firmware: one certificate in PEM, and the signature of the whole file in base64 */
  signingCertificate: string;
  signature: string;
  /** for a log: its type, and the time range (ISO 8601, UTC) */
  logType: 'diagnostics' | 'security';
  from: string;
  to: string;
}

/**
 * The result of sending a call to the device: only `sent` means that something was written. The answer arrives as an
 * uplink event.
 */
export type SendResult = { outcome: 'sent' } | { outcome: 'notSupported' } | { outcome: 'offline' };

/** Sends to devices, whichever gateway has their connection. */
export interface DeviceLink {
  /** Writes the call to the device's connection. */
  execute(deviceId: number, call: DeviceCall): Promise<SendResult>;
  /** Closes the device's connection, if there is one. The reason is sent to the device and stored. */
  disconnect(deviceId: number, reason: 'deviceDisabled' | 'deviceRemoved' | 'credentialsChanged'): Promise<void>;
  /** The device has another model: its open connection uses it from now on. */
  reload(deviceId: number): Promise<void>;
}

declare module '../../platform/bus/bus.ts' {
  interface BusMessages {
    'device.connected': { deviceId: number };
  }
}

/** Bus subject for the message of a gateway that it has stored a device's connection. */
export const DEVICE_CONNECTED = 'device.connected';
