import type { TokenPolicyAnswer, WithDates } from '@chargehand/contract';
import { meets, policyFor, seesWholeCustomer, TOKEN_EDIT_LEVELS, type TokenPolicy } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import {
  countValidTokens,
  findPlacePolicies,
  listExceptions,
  type PlacePolicies,
  type PolicyPlace,
  writePolicy,
} from './policies.store.ts';

export type PoliciesService = ReturnType<typeof policiesService>;

/** Who may charge where. */
export function policiesService(parts: { db: Kysely<Database>; changed(): void }) {
  const { db, changed } = parts;
  return {
    async read(caller: Caller, place: PolicyPlace, id: number): Promise<WithDates<TokenPolicyAnswer>> {
      const found = await findPlacePolicies(db, place, id);
      if (!found) throw notFound(place);
      const [tokens, exceptions] = await Promise.all([
        countValidTokens(db, found.customerId, found.siteId),
        listExceptions(db, place, id, caller.scope.sites),
      ]);
      const whole = place !== 'customer' || seesWholeCustomer(caller.scope, id);
      return {
        own: found[place],
        setAt: found.setAt,
        setBy: found.setBy,
        applied: policyFor(found.customer, found.site, found.device),
        inherited: inherited(place, found),
        tokens,
        exceptions,
        mayEdit: whole && meets(caller.levels, TOKEN_EDIT_LEVELS) && mayCall(caller),
      };
    },

    async set(caller: Caller, place: PolicyPlace, id: number, policy: TokenPolicy | null): Promise<null> {
      await db.transaction().execute(async (trx) => {
        const before = await findPlacePolicies(trx, place, id);
        if (!before) throw notFound(place);
        if (before[place] === policy) return;
        await writePolicy(trx, place, id, policy, caller.userName);
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType: place, objectId: String(id), objectName: before.name },
          ...{ customerId: before.customerId, siteId: before.siteId },
          before: { tokenPolicy: before[place] },
          after: { tokenPolicy: policy },
        });
      });
      changed();
      return null;
    },
  };
}

function mayCall(caller: Caller): boolean {
  return caller.root || caller.keys.has('auth_token_edit');
}

function inherited(place: PolicyPlace, { customer, site }: PlacePolicies): TokenPolicyAnswer['inherited'] {
  if (place === 'customer') return policyFor(null, null, null);
  return policyFor(customer, place === 'site' ? null : site, null);
}

/** The policy that a new customer starts with, in the transaction that adds it. */
export async function setFirstPolicy(
  trx: Kysely<Database>,
  caller: Caller,
  customerId: number,
  policy: TokenPolicy,
): Promise<void> {
  await writePolicy(trx, 'customer', customerId, policy, caller.userName);
}
