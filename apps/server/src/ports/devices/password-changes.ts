import type { Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** Sends new passwords to devices that use OCPP. */
export interface PasswordChanges {
  /**
   * Queues the command with a new password, in the transaction that records the change. The device may be offline for a
   * week. @throws {Problem} deviceBusy while an earlier change is pending
   */
  begin(
    transaction: Transaction<Database>,
    caller: Caller,
    device: { id: number; siteId: number },
    password: string,
  ): Promise<void>;
  /** Call after the commit: sends the waiting commands of the device. */
  send(deviceId: number): void;
}
