import { createHash } from 'node:crypto';
import { foldCase } from '@chargehand/domain';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../../platform/http/problem.ts';
import { networkOf } from '../sign-in/sign-in-limits.ts';

/** Limits for mails that anyone can request: for one email address, and from one network address. */
const RECEIVER_LIMIT = 5;
const NETWORK_LIMIT = 30;
/** Limits for invitations: by one sender, and to one address. */
const SENDER_LIMIT = 60;
const INVITED_LIMIT = 5;
const WINDOW_SECONDS = 3_600;

export interface MailLimits {
  /** Counts a requested mail. @throws {Problem} mailsTooOften, whether or not an account has the address */
  count(receiver: string, address: string): Promise<void>;
  /** Counts an invitation, separately from requested mails. @throws {Problem} mailsTooOften */
  countInvitation(receiver: string, senderId: number): Promise<void>;
}

/** Stored in PostgreSQL like failed sign-ins, so that they survive restarts. Unknown recipients count too. */
export function mailLimits(pool: Pool): MailLimits {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'sign_in_failures',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration: WINDOW_SECONDS,
    });
  const receivers = limiter('mail-to', RECEIVER_LIMIT);
  const invited = limiter('invited', INVITED_LIMIT);
  const senders = limiter('inviter', SENDER_LIMIT);
  const networks = limiter('mail-from', NETWORK_LIMIT);
  const consume = async (one: RateLimiterPostgres, key: string) => {
    try {
      await one.consume(key, 1);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const minutes = Math.max(1, Math.ceil(refusal.msBeforeNext / 60_000));
      throw new Problem('mailsTooOften', { values: { minutes } });
    }
  };
  return {
    async count(receiver, address) {
      await consume(networks, networkOf(address));
      await consume(receivers, receiverKey(receiver));
    },
    async countInvitation(receiver, senderId) {
      await consume(senders, String(senderId));
      await consume(invited, receiverKey(receiver));
    },
  };
}

/** Addresses have any length, but keys have a maximum. */
function receiverKey(receiver: string): string {
  return createHash('sha256').update(foldCase(receiver)).digest('hex');
}
