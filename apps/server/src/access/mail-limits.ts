import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../platform/http/problem.ts';
import { networkOf } from './sign-in-limits.ts';

/** Mails that people may ask for by themselves: to one address, and from one network address. */
const RECEIVER_LIMIT = 5;
const NETWORK_LIMIT = 30;
const WINDOW_SECONDS = 3_600;

export interface MailLimits {
  /** Counts a mail asked for. @throws {Problem} mailsTooOften, whether or not an account has the address */
  count(receiver: string, address: string): Promise<void>;
}

/** Kept in PostgreSQL beside the failed sign-ins, so that all nodes share them; an unknown receiver counts like any. */
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
      await consume(receivers, createHash('sha256').update(receiver.toLowerCase()).digest('hex'));
    },
  };
}
