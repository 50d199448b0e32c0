import { REMOTE_ACCESS } from '../access/grants/grants.ts';
import type { LinkKind, LinkState } from './links.ts';

export const DEFAULT_LINK_MINUTES = 15;
export const MAX_LINK_MINUTES = 8 * 60;
/** How long a link waits for a second person. */
export const APPROVAL_MINUTES = 15;
export const MAX_LINK_REASON = 500;
/** How long an invitation into a terminal is valid. It ends with its link at the latest. */
export const DEFAULT_GUEST_MINUTES = 30;
/** Links to one device at a time. More indicates a mistake. */
export const MAX_LINKS_OF_DEVICE = 10;

/** The ticket with which a device opens a link: random bytes, one use, valid for a short time after it was sent. */
export const TICKET_BYTES = 24;
export const TICKET_SECONDS = 120;

/**
 * True if the web and SSH access of a role (spec §6) includes a kind of link: a shell (root) includes all kinds, the
 * administrator's and the engineer's pages only the web pages of the device. Root accounts may use all kinds.
 */
export function permitsLink(holder: { root: boolean; remoteAccess: number }, kind: LinkKind): boolean {
  if (holder.root || holder.remoteAccess === REMOTE_ACCESS.rootOnly) return true;
  const pages =
    holder.remoteAccess === REMOTE_ACCESS.webAdminOnly || holder.remoteAccess === REMOTE_ACCESS.webEngineerOnly;
  return pages && kind === 'web';
}

/** The rules of a customer for links to its devices. */
export interface LinkPolicy {
  /** a second person approves each link */
  secondPerson: boolean;
  /**
   * When links may be open, in minutes of the day; `from` after `until` includes midnight, and equal ones are the whole
   * day. Null: always.
   */
  hours: { from: number; until: number } | null;
  /** the web pages of devices may be opened */
  web: boolean;
}

/** The rules of a customer that has set none. */
export const OPEN_POLICY: LinkPolicy = { secondPerson: false, hours: null, web: true };

const DAY_MINUTES = 24 * 60;

/** How many minutes of the allowed hours are left at a minute of the day; 0 outside of them, null without a limit. */
export function allowedMinutesLeft({ hours }: LinkPolicy, minuteOfDay: number): number | null {
  if (hours === null || hours.from === hours.until) return null;
  const length = (hours.until - hours.from + DAY_MINUTES) % DAY_MINUTES;
  const passed = (minuteOfDay - hours.from + DAY_MINUTES) % DAY_MINUTES;
  return Math.max(0, length - passed);
}

/** Why a link cannot be requested now: names of codes in the contract. */
export type LinkRefusal =
  | 'deviceDisabled'
  | 'linkNotSupported'
  | 'linkPagesForbidden'
  | 'linkOutsideHours'
  | 'deviceOffline'
  | 'linkTooMany';

export interface LinkRequestFacts {
  kind: LinkKind;
  deviceEnabled: boolean;
  connected: boolean;
  sshSupport: boolean;
  webSupport: boolean;
  policy: LinkPolicy;
  minuteOfDay: number;
  /** the links to the device that have not ended */
  active: number;
}

/** The first rule that forbids a link to a device; null when it may be requested. */
export function linkRefusal(facts: LinkRequestFacts): LinkRefusal | null {
  if (!facts.deviceEnabled) return 'deviceDisabled';
  if (!(facts.kind === 'web' ? facts.webSupport : facts.sshSupport)) return 'linkNotSupported';
  if (facts.kind === 'web' && !facts.policy.web) return 'linkPagesForbidden';
  if (allowedMinutesLeft(facts.policy, facts.minuteOfDay) === 0) return 'linkOutsideHours';
  if (!facts.connected) return 'deviceOffline';
  return facts.active >= MAX_LINKS_OF_DEVICE ? 'linkTooMany' : null;
}

/** When a link that is requested for some minutes ends: at the latest when the allowed hours end. */
export function linkUntil(
  { policy, minuteOfDay }: Pick<LinkRequestFacts, 'policy' | 'minuteOfDay'>,
  minutes: number,
  now: Date,
): Date {
  const left = allowedMinutesLeft(policy, minuteOfDay);
  return new Date(now.getTime() + Math.min(minutes, MAX_LINK_MINUTES, left ?? MAX_LINK_MINUTES) * 60_000);
}

/** The TCP port on the device that a kind of link uses unless another one was requested. */
export function linkPort(kind: LinkKind): number {
  return kind === 'web' ? 80 : 22;
}

/** The address that devices name for the forwards of a link. The server does not listen on it. */
export const FORWARD_ADDRESS = 'localhost';

/** Other names of the same address that SSH clients send. */
const FORWARD_ADDRESSES: ReadonlySet<string> = new Set([FORWARD_ADDRESS, '127.0.0.1', '']);

/** True if a device may open a forward in its link: only the ports of the link, and never a public address. */
export function permitsForward(ports: readonly number[], wanted: { address: string; port: number }): boolean {
  return FORWARD_ADDRESSES.has(wanted.address) && ports.includes(wanted.port);
}

/** The user name with which a device opens a link. */
export function linkUser(sn: string, linkId: number): string {
  return `${sn}.${linkId}`;
}

/**
 * The serial number and the link in a user name; null when it is none. A device adds `+` and its own user when that user
 * accepts the key of the link: `PILE.7+root`.
 */
export function readLinkUser(name: string): { sn: string; linkId: number; shellUser: string | null } | null {
  const [, sn, id, shellUser = null] = /^(.{1,64})\.([1-9]\d{0,9})(?:\+(\w[\w-]{0,31}))?$/s.exec(name) ?? [];
  const linkId = Number(id);
  return sn === undefined || linkId > 2_147_483_647 ? null : { sn, linkId, shellUser };
}

/** Why a ticket is refused. */
export const TICKET_FAULTS = ['wrong', 'used', 'expired', 'over'] as const;
export type TicketFault = (typeof TICKET_FAULTS)[number];

/** Why a device must not use a ticket, null if it may. */
export function ticketFault(
  ticket: { matches: boolean; state: LinkState; usedAt: Date | null; until: Date | null },
  now: Date,
): TicketFault | null {
  if (!ticket.matches || ticket.until === null) return 'wrong';
  if (ticket.state === 'ended') return 'over';
  if (ticket.usedAt !== null) return 'used';
  return ticket.until <= now ? 'expired' : null;
}
