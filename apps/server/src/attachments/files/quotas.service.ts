import type { AnswerOf, attachmentEndpoints, BodyOf } from '@chargehand/contract';
import { DEFAULT_QUOTA } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { lockOwner, spaceOf, storeQuota } from './files.store.ts';

type Endpoints = typeof attachmentEndpoints;
export type QuotasService = ReturnType<typeof quotasService>;

/** The space for the files of each customer. */
export function quotasService(db: Kysely<Database>) {
  return {
    async read(caller: Caller, customerId = caller.customerId): Promise<AnswerOf<Endpoints['readQuota']>> {
      return { customerId, ...(await spaceOf(db, customerId, DEFAULT_QUOTA)) };
    },

    async set(caller: Caller, { customerId, bytes }: BodyOf<Endpoints['setQuota']>): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await lockOwner(trx, customerId);
        const { limit } = await spaceOf(trx, customerId, DEFAULT_QUOTA);
        if (limit === bytes) return;
        const customer = trx.selectFrom('customers').select('name').where('id', '=', customerId);
        const { name } = await customer.executeTakeFirstOrThrow();
        await storeQuota(trx, customerId, bytes);
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType: 'attachmentQuota', objectId: String(customerId), objectName: name },
          ...{ customerId, siteId: null, before: { bytes: limit }, after: { bytes } },
        });
      });
    },
  };
}
