import type { attachmentEndpoints, BodyOf, QueryOf, ResultOf } from '@chargehand/contract';
import { DEFAULT_QUOTA } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { lockOwner, nameOfCustomer, spaceOf, storeQuota } from './files.store.ts';

type Endpoints = typeof attachmentEndpoints;
export type QuotasService = ReturnType<typeof quotasService>;

/** The space for the files of each customer. */
export function quotasService(db: Kysely<Database>) {
  return {
    /** @throws {Problem} noPermission for the space of the platform, which its vendor's users see */
    async read(
      caller: Caller,
      { customerId = caller.customerId, platform }: QueryOf<Endpoints['readQuota']>,
    ): Promise<ResultOf<Endpoints['readQuota']>> {
      if (platform && !caller.root && !caller.platformVendor) throw new Problem('noPermission');
      const owner = platform ? null : customerId;
      return { customerId: owner, ...(await spaceOf(db, owner, DEFAULT_QUOTA)) };
    },

    async set(caller: Caller, { customerId, bytes }: BodyOf<Endpoints['setQuota']>): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await lockOwner(trx, customerId);
        const { limit } = await spaceOf(trx, customerId, DEFAULT_QUOTA);
        if (limit === bytes) return;
        const name = await nameOfCustomer(trx, customerId);
        await storeQuota(trx, customerId, bytes);
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType: 'attachmentQuota', objectId: String(customerId), objectName: name },
          ...{ customerId, siteId: null, before: { bytes: limit }, after: { bytes } },
        });
      });
    },
  };
}
