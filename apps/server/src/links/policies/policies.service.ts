import type { LinkPolicyValues } from '@chargehand/contract';
import { OPEN_POLICY } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { findLinkPolicy, lockCustomerName, writeLinkPolicy } from './policies.store.ts';
import { policyOf, valuesOf } from './policy-values.ts';

export type PoliciesService = ReturnType<typeof policiesService>;

/** The rules of customers for links to their devices. */
export function policiesService(db: Kysely<Database>) {
  return {
    async read(customerId: number): Promise<LinkPolicyValues> {
      return valuesOf((await findLinkPolicy(db, customerId)) ?? OPEN_POLICY);
    },

    async set(caller: Caller, customerId: number, values: LinkPolicyValues): Promise<LinkPolicyValues> {
      await db.transaction().execute(async (trx) => {
        const name = await lockCustomerName(trx, customerId);
        if (name === null) throw notFound('customer');
        const before = valuesOf((await findLinkPolicy(trx, customerId)) ?? OPEN_POLICY);
        await writeLinkPolicy(trx, customerId, policyOf(values));
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType: 'customer', objectId: String(customerId), objectName: name },
          ...{ customerId, siteId: null, before: loggedPolicy(before), after: loggedPolicy(values) },
        });
      });
      return values;
    },
  };
}

function loggedPolicy({ secondPerson, hours, web }: LinkPolicyValues): object {
  return { secondPerson, hours: hours ? `${hours.from}-${hours.until}` : '', web };
}
