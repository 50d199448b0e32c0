import type { ShareRow } from '@chargehand/contract';
import type { Caller } from '../../platform/http/caller.ts';

/** An invitation into a terminal, as the module that owns shares stores it. */
export interface GuestShare {
  id: number;
  terminalId: number;
  /** who invited the guest */
  createdBy: number;
  interactive: boolean;
  expiresAt: Date | null;
  /** it can be used */
  open: boolean;
}

/** The invitations of guests, which are shares. */
export interface GuestShares {
  invite(
    caller: Caller,
    to: { terminalId: number; customerId: number; interactive: boolean; until: Date; recipient: string },
  ): Promise<ShareRow>;
  find(shareId: number): Promise<GuestShare | null>;
  /** Lets guests of a share type, or only watch. */
  setInteractive(caller: Caller, shareId: number, interactive: boolean): Promise<void>;
  destroy(caller: Caller, shareId: number): Promise<void>;
  /** Ends all invitations into a terminal that has ended. */
  endOf(terminalId: number): Promise<void>;
  /** The invitations into a terminal that can be used. */
  countOpen(terminalId: number): Promise<number>;
}

/** A guest who has entered the code and accepted the recording. */
export interface JoiningGuest {
  shareId: number;
  terminalId: number;
  name: string;
  address: string;
  interactive: boolean;
  until: Date | null;
  /** stands for the browser of the guest */
  visitor: string;
  /** the cookie that their WebSocket must have */
  cookie: { name: string; value: string };
}

/** Terminals that take guests. */
export interface GuestTerminals {
  isOpen(terminalId: number): boolean;
  /**
   * Gives a guest the key of a WebSocket.
   * @throws {Problem} terminalOver, guestTaken
   */
  join(guest: JoiningGuest): Promise<string>;
}
