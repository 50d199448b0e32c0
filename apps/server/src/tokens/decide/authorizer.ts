import {
  decideToken,
  isTokenValue,
  type ListedToken,
  policyFor,
  TOKEN_TYPES,
  tokenKey,
  UNKNOWN_TOKENS_PER_SITE,
} from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { batching } from '../../platform/work/batching.ts';
import type { Authorizer, Decided, TokenRequest } from '../../ports/devices/authorizer.ts';
import { type FoundFacts, findFacts, type SeenUnknown, storeUnknown } from './authorizer.store.ts';

/** Unknown tokens that wait to be counted; more at once are an attack, which is not worth counting. */
const WAITING_UNKNOWN = 10_000;
const STORE_EVERY_MS = 2_000;

export interface TokenAuthorizer extends Authorizer {
  start(): void;
  /** Stores what was counted. */
  stop(): Promise<void>;
  /** Stores what was counted since the last time. */
  storeUnknown(): Promise<void>;
}

/** Decides by the policies and tokens in the database. Many devices at a time cost one query. */
export function tokenAuthorizer(parts: { pool: Pool; clock: Clock; log: Log }): TokenAuthorizer {
  const { pool, clock, log } = parts;
  const unknown = new Map<string, SeenUnknown>();

  const facts = batching<FoundFacts, { deviceId: number; request: TokenRequest }>(async (keys) => {
    const found = await findFacts(
      pool,
      keys.map(({ deviceId, request }) => ({
        ...{ deviceId, key: tokenKey(request.value), connector: request.connector, session: request.session },
        starts: request.purpose === 'start',
      })),
    );
    return new Map(found.map((row) => [keys[row.n - 1]!, row]));
  });

  /** Counted in memory and stored every two seconds, so that a reader full of unknown cards costs no write each. */
  function count(deviceId: number, siteId: number, { value, type }: TokenRequest): void {
    if (!isTokenValue(value)) return;
    const key = `${siteId} ${tokenKey(value)}`;
    const known = unknown.get(key);
    if (!known && unknown.size >= WAITING_UNKNOWN) return;
    const shown = TOKEN_TYPES.find((one) => one.toLowerCase() === type?.toLowerCase()) ?? null;
    unknown.set(key, {
      ...{ siteId, deviceId, value, type: shown, at: clock.now() },
      count: (known?.count ?? 0) + 1,
    });
  }

  async function store(): Promise<void> {
    if (unknown.size === 0) return;
    const seen = [...unknown.values()];
    unknown.clear();
    await storeUnknown(pool, seen, UNKNOWN_TOKENS_PER_SITE);
  }

  const job = clock.repeat(store, {
    ...{ job: 'unknownTokens', everyMs: STORE_EVERY_MS, log, failed: 'unknown tokens were not counted' },
  });

  return {
    async decide(deviceId, request) {
      const found = await facts({ deviceId, request });
      // A device that was deleted meanwhile: its connection ends, too.
      if (!found) throw new Error('the device of a presented token does not exist');
      const decision = decideToken(request, {
        applied: policyFor(found.customerPolicy, found.sitePolicy, found.devicePolicy),
        token: found.tokenId === null ? null : listed(found),
        remoteStart: found.remoteStart,
        openElsewhere: found.openElsewhere,
      });
      // Only what opens a session or asks for one: an end with the same card is the same use.
      if (
        found.tokenId === null &&
        !found.remoteStart &&
        request.purpose !== 'use' &&
        request.type !== 'NoAuthorization'
      )
        count(deviceId, found.siteId, request);
      return { ...decision, tokenId: found.tokenId, at: clock.now() } satisfies Decided;
    },
    start: job.startLater,
    async stop() {
      await job.stop();
      await store().catch((error) => log.warn({ err: error }, 'unknown tokens were not counted'));
    },
    storeUnknown: store,
  };
}

function listed(found: FoundFacts): ListedToken {
  return {
    type: found.type ?? '',
    group: found.group,
    validFrom: found.validFrom,
    validUntil: found.validUntil,
    blockedAt: found.blockedAt,
    concurrent: found.concurrent ?? false,
    atSite: found.atSite,
  };
}
