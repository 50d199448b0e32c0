import type { CommandInputs, CommandKind, TriggerMessage } from '@chargehand/domain';
import type { Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { DeviceCall } from './devices/device-link.ts';

/** A command that transfers a file to or from devices, the same for each of them. */
export interface RequestedTransfers {
  deviceIds: readonly number[];
  kind: CommandKind;
  inputs: CommandInputs;
}

/** Why a transfer cannot start: another one is running, or the device runs the version of the file. */
export type TransferRefusal = 'deviceBusy' | 'firmwareRunning';

/** Transfers that may start. */
export interface PlannedTransfers {
  /** the details that are stored with the command, for users who read it */
  params: CommandInputs & { version?: string };
  /** the devices for which it cannot start */
  refusals: ReadonlyMap<number, TransferRefusal>;
  /** Records a transfer for each execution. @throws {Problem} deviceBusy when another one is running */
  begin(
    executions: readonly { executionId: string; deviceId: number }[],
    by: { userId: number; userName: string },
  ): Promise<void>;
}

/** The interface between commands and transfers. */
export interface TransferCalls {
  /**
   * Checks a command with a file, in the transaction that records the command. @throws {Problem} the reason against the
   * whole command
   */
  plan(transaction: Transaction<Database>, wanted: RequestedTransfers): Promise<PlannedTransfers>;
  /**
   * The message in which a device reports the status of the transfer that prevents another one; null if there is none, or
   * its protocol has no such message.
   */
  statusMessage(deviceId: number, kind: CommandKind): Promise<TriggerMessage | null>;
  /** The versions that devices run, by what they last reported of this kind of firmware. */
  versionsOf(
    deviceIds: readonly number[],
    kind: 'upgradeSoftware' | 'updatePlcFirmware',
  ): Promise<ReadonlyMap<number, string>>;
  /**
   * The call with the data that the device needs, and a new credential; null when the transfer has ended. Invalidates
   * previous credentials.
   */
  prepare(deviceId: number, call: DeviceCall): Promise<DeviceCall | null>;
}
