import { createHmac, timingSafeEqual } from 'node:crypto';

/** A reply to a mail is accepted for so many days. */
const VALID_DAYS = 90;
const DAY_MS = 86_400_000;
/** Hexadecimal digits of a signature: 96 bits. An address must be readable in any case of its letters. */
const SIGNATURE_LENGTH = 24;

/** Whose comment a reply becomes, and in which issue. */
export interface ReplyTarget {
  userId: number;
  issueId: number;
}

/** Addresses that say, with a signature, which user replies to which issue. */
export interface ReplyAddresses {
  addressFor(target: ReplyTarget, now: Date): string;
  /** Null for an address that this server did not make or that has expired. */
  read(address: string, now: Date): ReplyTarget | null;
}

/** @param domain the mail domain whose mails this server receives */
export function replyAddresses({ key, domain }: { key: string; domain: string }): ReplyAddresses {
  const sign = (text: string) =>
    createHmac('sha256', key).update(`reply ${text}`).digest('hex').slice(0, SIGNATURE_LENGTH);
  return {
    addressFor({ userId, issueId }, now) {
      const until = Math.floor(now.getTime() / DAY_MS) + VALID_DAYS;
      const text = [userId, issueId, until].map((one) => one.toString(36)).join('.');
      return `reply+${text}.${sign(text)}@${domain}`;
    },
    read(address, now) {
      const at = address.lastIndexOf('@');
      if (address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return null;
      const local = address.slice(0, at).toLowerCase();
      const match = /^reply\+((\w{1,7})\.(\w{1,7})\.(\w{1,5}))\.([0-9a-f]{24})$/.exec(local);
      if (!match) return null;
      const [, text = '', userId = '', issueId = '', until = '', signature = ''] = match;
      if (!timingSafeEqual(Buffer.from(sign(text)), Buffer.from(signature))) return null;
      if (Number.parseInt(until, 36) * DAY_MS < now.getTime()) return null;
      return { userId: Number.parseInt(userId, 36), issueId: Number.parseInt(issueId, 36) };
    },
  };
}
