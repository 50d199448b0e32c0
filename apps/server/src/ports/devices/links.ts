import type { Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** What a device needs to open a link: the parameters of control 7. Control 8 has only `link`. */
export interface LinkParams {
  link: number;
  /** the SSH server, and its public key as in `known_hosts` */
  host: string;
  port: number;
  hostKey: string;
  /** its public keys of all kinds, for clients without Ed25519 */
  hostKeys?: readonly string[];
  user: string;
  /** the password: valid once, for two minutes; created when the call is sent */
  ticket: string;
  /** reverse forwards: `listen` is the port in the tunnel, `to` the address on the device */
  forwards: readonly { listen: number; to: string }[];
  /** ISO 8601, UTC */
  endsAt: string;
  /** the same, in seconds after the command was sent, for devices without a right clock */
  seconds: number;
  /** for terminals: a public key that the device may accept while the link is open */
  authorizedKey?: string;
}

/** Knows the links of controls 7 and 8. */
export interface LinkCalls {
  /**
   * The parameters of an execution that is about to be sent: `over` when its link has ended, null when it belongs to no
   * link because a user sent it.
   */
  paramsOf(executionId: string): Promise<Partial<LinkParams> | 'over' | null>;
}

/** Sends controls 7 and 8. */
export interface LinkCommands {
  /**
   * Queues a command in the transaction that changes the link. It fails if the device is offline.
   * @returns the ID of its execution
   * @throws {Problem} deviceBusy when too many commands are waiting
   */
  begin(
    transaction: Transaction<Database>,
    by: { userId: number | null; userName: string },
    device: { id: number; siteId: number },
    kind: 'startVpn' | 'stopVpn',
  ): Promise<string>;
  /**
   * Ends the command of a link, in the transaction that changes the link: a success when the device has connected, a
   * timeout when the link ended before.
   */
  settle(transaction: Transaction<Database>, executionId: string, connected: boolean): Promise<void>;
  /** Call after the commit: sends the waiting commands of the device. */
  send(deviceId: number): Promise<void>;
}
