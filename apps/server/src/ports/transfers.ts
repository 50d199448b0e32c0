import type { CommandInputs, CommandKind } from '@chargehand/domain';
import type { Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { DeviceCall } from './device-link.ts';

/** A command that is to move something between here and a device. */
export interface WantedTransfer {
  deviceId: number;
  kind: CommandKind;
  inputs: CommandInputs;
}

/** A transfer that may begin. */
export interface PlannedTransfer {
  /** what is kept of the command, for who reads what was asked */
  params: CommandInputs & { version?: string };
  /** Records the transfer beside its execution. @throws {Problem} deviceBusy when another one is under way */
  begin(executionId: string, by: { userId: number; userName: string }): Promise<void>;
}

/** How the room of commands meets that of firmware and logs. */
export interface TransferDesk {
  /** Weighs what is wanted, within the transaction that records the command. @throws {Problem} */
  plan(transaction: Transaction<Database>, wanted: WantedTransfer): Promise<PlannedTransfer>;
  /** The call with what the device needs, and a new credential; null when the transfer has ended. Invalidates former credentials. */
  prepare(deviceId: number, call: DeviceCall): Promise<DeviceCall | null>;
}
