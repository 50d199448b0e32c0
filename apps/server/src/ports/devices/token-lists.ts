import type { Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** An entry of a local authorization list; without a status it is removed from the list. */
export interface ListEntry {
  value: string;
  type: string;
  status: 'Accepted' | 'Blocked' | null;
  group: string | null;
  /** ISO-8601 */
  until: string | null;
}

/** What a command of kind `updateTokenList` requests from a device. */
export type TokenListCall =
  | { do: 'clearCache' }
  /** reads the version of its list */
  | { do: 'read' }
  | { do: 'send'; full: boolean; version: number; entries: ListEntry[] };

/** The content of a command for the list of a device, which is not stored with the command. */
export interface TokenListCalls {
  /** null: nothing to send any more */
  callOf(deviceId: number, executionId: string): Promise<TokenListCall | null>;
}

/** How a command for the list of a device ended. */
export interface TokenListEnd {
  /** success 2, failure 3, timeout 4, offline 5 (spec §4) */
  result: number;
  reason: string | null;
  detail: string | null;
}

/** Sends commands for the lists of devices, after those of people. */
export interface TokenListCommands {
  /** Queues a command. False while others wait for the device: theirs come first. */
  begin(
    transaction: Transaction<Database>,
    device: { id: number; siteId: number },
    executionId: string,
  ): Promise<boolean>;
  /** How a command ended; null while it runs. */
  endOf(transaction: Transaction<Database>, executionId: string): Promise<TokenListEnd | 'gone' | null>;
  /** Removes a command that ended: lists of devices need thousands of messages. */
  forget(transaction: Transaction<Database>, executionId: string): Promise<void>;
  /** Sends what waits for the device. Call it after the commit. */
  send(deviceId: number): Promise<void>;
}
