import type { LinkPolicy } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The rules of a customer; null when it has set none. */
export async function findLinkPolicy(db: Kysely<Database>, customerId: number): Promise<LinkPolicy | null> {
  const row = await db.selectFrom('link_policies').selectAll().where('customer_id', '=', customerId).executeTakeFirst();
  if (!row) return null;
  const hours =
    row.hours_from === null || row.hours_until === null ? null : { from: row.hours_from, until: row.hours_until };
  return { secondPerson: row.second_person, hours, web: row.web };
}

/** Stores the rules of a customer. */
export async function writeLinkPolicy(trx: Kysely<Database>, customerId: number, policy: LinkPolicy): Promise<void> {
  const values = {
    second_person: policy.secondPerson,
    hours_from: policy.hours?.from ?? null,
    hours_until: policy.hours?.until ?? null,
    web: policy.web,
  };
  await trx
    .insertInto('link_policies')
    .values({ customer_id: customerId, ...values })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(values))
    .execute();
}

/** The name of a customer, whose row is locked; null when there is none. */
export async function lockCustomerName(trx: Kysely<Database>, id: number): Promise<string | null> {
  const customer = trx.selectFrom('customers').select('name').where('id', '=', id).forUpdate();
  return (await customer.executeTakeFirst())?.name ?? null;
}
