import type { Locale, ShareRow, WithDates } from '@chargehand/contract';
import type { Caller } from '../../platform/http/caller.ts';

/** What a guest is invited into: a terminal, or the web pages of a link. */
export type GuestPlace = { terminalId: number } | { pagesOf: number };

/** An invitation, as the module that owns shares stores it. */
export interface GuestShare {
  id: number;
  /** the terminal; null for web pages */
  terminalId: number | null;
  /** the link; null for terminals */
  pagesOf: number | null;
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
    to: GuestPlace & {
      customerId: number;
      interactive: boolean;
      /** guests use the device cookies of the caller */
      hostSession?: boolean;
      until: Date;
      recipient: string;
    },
  ): Promise<WithDates<ShareRow>>;
  find(shareId: number): Promise<GuestShare | null>;
  /** Lets guests of a share type or make changes, or only watch. */
  setInteractive(caller: Caller, shareId: number, interactive: boolean): Promise<void>;
  destroy(caller: Caller, shareId: number): Promise<void>;
  /** Ends all invitations into a place that is not open any more. */
  endOf(place: GuestPlace): Promise<void>;
  /** The invitations into a place that can be used. */
  countOpen(place: GuestPlace): Promise<number>;
}

/** A guest who has entered the code and accepted the recording. */
interface JoiningGuest {
  shareId: number;
  name: string;
  address: string;
  interactive: boolean;
  until: Date | null;
  /** stands for the browser of the guest */
  visitor: string;
}

export interface JoiningTerminalGuest extends JoiningGuest {
  terminalId: number;
  /** the cookie that their WebSocket must have */
  cookie: { name: string; value: string };
}

export interface JoiningPageGuest extends JoiningGuest {
  linkId: number;
  /** uses the device cookies of the user who invited them */
  hostSession: boolean;
  locale: Locale;
  /** the origin of the console in the browser of the guest */
  origin: URL;
}

/** Terminals that take guests. */
export interface GuestTerminals {
  isOpen(terminalId: number): boolean;
  /**
   * Gives a guest the key of a WebSocket.
   * @throws {Problem} terminalOver, guestTaken
   */
  join(guest: JoiningTerminalGuest): Promise<string>;
}

/** Web pages of devices that take guests. */
export interface GuestPages {
  isOpen(linkId: number): boolean;
  /**
   * Gives a guest the address of the pages. It works once, for a minute.
   * @throws {Problem} linkNotOpen, guestTaken, pagesOff
   */
  join(guest: JoiningPageGuest): Promise<string>;
}
