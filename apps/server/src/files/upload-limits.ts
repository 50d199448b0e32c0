import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../access/index.ts';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';

/** How often one address may request credentials for uploads without a session: an office shares one address. */
const ADDRESS_LIMIT = { points: 20, minutes: 60 } as const;

export interface UploadLimits {
  /** @throws {Problem} tooManyRequests with the seconds to wait */
  count(address: string): Promise<void>;
  /** Removes expired counters. */
  forgetExpired(): Promise<void>;
}

/** Counts in PostgreSQL, so that the counts survive restarts. */
export function uploadLimits(db: Kysely<Database>, pool: Pool): UploadLimits {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'anonymous_uploads',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: 'address',
    points: ADDRESS_LIMIT.points,
    duration: ADDRESS_LIMIT.minutes * 60,
  });
  return {
    async count(address) {
      try {
        await limiter.consume(networkOf(address), 1);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new Problem('tooManyRequests', {
          status: 429,
          values: { seconds: Math.ceil(refusal.msBeforeNext / 1000) },
        });
      }
    },
    async forgetExpired() {
      await db.deleteFrom('anonymous_uploads').where('expire', '<', Date.now()).execute();
    },
  };
}
