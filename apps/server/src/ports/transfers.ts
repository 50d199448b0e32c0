import type { CommandInputs, CommandKind } from '@chargehand/domain';
import type { Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { DeviceCall } from './devices/device-link.ts';

/** A command that is to move something between here and devices, the same for each of them. */
export interface WantedTransfers {
  deviceIds: readonly number[];
  kind: CommandKind;
  inputs: CommandInputs;
}

/** Why a transfer cannot begin with a device: another one is under way, or it runs the version of the file. */
export type TransferRefusal = 'deviceBusy' | 'firmwareRunning';

/** Transfers that may begin. */
export interface PlannedTransfers {
  /** what is kept of the command, for who reads what was asked */
  params: CommandInputs & { version?: string };
  /** the devices with which none can begin */
  refusals: ReadonlyMap<number, TransferRefusal>;
  /** Records a transfer beside each execution. @throws {Problem} deviceBusy when another one is under way */
  begin(
    executions: readonly { executionId: string; deviceId: number }[],
    by: { userId: number; userName: string },
  ): Promise<void>;
}

/** How the room of commands meets that of firmware and logs. */
export interface TransferDesk {
  /** Weighs what is wanted, within the transaction that records the command. @throws {Problem} what forbids the whole */
  plan(transaction: Transaction<Database>, wanted: WantedTransfers): Promise<PlannedTransfers>;
  /** The call with what the device needs, and a new credential; null when the transfer has ended. Invalidates former credentials. */
  prepare(deviceId: number, call: DeviceCall): Promise<DeviceCall | null>;
}
