import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { foldCase } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { type IRateLimiterPostgresOptions, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SystemParameters } from '../../ports/settings/system-parameters.ts';

/**
 * A sign-in in progress. It is counted as failed before the password is verified, so that parallel guesses gain
 * nothing.
 */
interface Attempt {
  /**
   * The sign-in succeeded: the count of the account is reset, and the attempt is removed from the count of the address.
   */
  succeeded(): Promise<void>;
  /** The problem for a failure: the number of remaining attempts, or that there are none. */
  failed(): Promise<Problem>;
  /** The attempt is not about the password (the account is disabled), so it does not count. */
  withdrawn(): Promise<void>;
}

export interface SignInLimits {
  /** @throws {Problem} accountLocked or addressLocked with the minutes to wait, even for the correct password */
  begin(userName: string, address: string): Promise<Attempt>;
  /** Resets the failures of an account whose owner has proved their identity in another way. */
  resetFailures(userName: string): Promise<void>;
  /** Removes expired counters. */
  forgetExpired(): Promise<void>;
}

/**
 * Counts failures in PostgreSQL, so that they survive restarts. An unknown account is counted
 * like any other.
 */
export function signInLimits(parts: {
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  parameters: SystemParameters;
}): SignInLimits {
  const { db, pool, clock } = parts;
  const { get } = parts.parameters;
  /** The number of failed sign-ins, and how long the account or the address is locked after the last one. */
  const limitOf = (failures: 'signInFailures' | 'addressFailures') => {
    const duration = get('signInLockMinutes') * 60;
    return { points: get(failures), duration, blockDuration: duration };
  };
  const limiter = (keyPrefix: string, failures: 'signInFailures' | 'addressFailures') => {
    const options: IRateLimiterPostgresOptions = {
      storeClient: pool,
      storeType: 'pool',
      tableName: 'sign_in_failures',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      ...limitOf(failures),
    };
    return new RateLimiterPostgres(options);
  };
  const accounts = limiter('account', 'signInFailures');
  const addresses = limiter('address', 'addressFailures');

  return {
    async begin(userName, address) {
      Object.assign(accounts, limitOf('signInFailures'));
      Object.assign(addresses, limitOf('addressFailures'));
      const lockedMinutes = get('signInLockMinutes');
      const account = accountKey(userName);
      const network = networkOf(address);
      await count(addresses, network, 'addressLocked');
      const counted = await count(accounts, account, 'accountLocked');
      return {
        async succeeded() {
          await accounts.delete(account);
          await addresses.reward(network, 1);
        },
        async failed() {
          if (counted.remainingPoints > 0) {
            return new Problem('credentialsWrong', { values: { left: counted.remainingPoints } });
          }
          await accounts.block(account, lockedMinutes * 60);
          return new Problem('accountLocked', { values: { minutes: lockedMinutes } });
        },
        async withdrawn() {
          await accounts.reward(account, 1);
          await addresses.reward(network, 1);
        },
      };
    },
    async resetFailures(userName) {
      await accounts.delete(accountKey(userName));
    },
    async forgetExpired() {
      await db.deleteFrom('sign_in_failures').where('expire', '<', clock.now().getTime()).execute();
    },
  };
}

/** Names are of any length, keys are not. */
function accountKey(userName: string): string {
  return createHash('sha256').update(foldCase(userName)).digest('hex');
}

/**
 * What counts as one address: IPv6 is assigned in /64 networks (RFC 6177), and one machine can use every address of a
 * network.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

async function count(
  limiter: RateLimiterPostgres,
  key: string,
  locked: 'accountLocked' | 'addressLocked',
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, 1);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new Problem(locked, { values: { minutes: Math.max(1, Math.ceil(refusal.msBeforeNext / 60_000)) } });
  }
}
