import type { Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** Brings new passwords to devices that speak OCPP. */
export interface PasswordChanges {
  /**
   * Queues the command that carries a new password, within the transaction that records the change. The device may be
   * offline for a week. @throws {Problem} deviceBusy while an earlier change is on its way
   */
  begin(
    transaction: Transaction<Database>,
    caller: Caller,
    device: { id: number; siteId: number },
    password: string,
  ): Promise<void>;
  /** To be called after the commit: gives the device what waits for it. */
  send(deviceId: number): void;
}
