import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** The customer of the demo that has tokens, and its site that refuses unknown ones. */
const CUSTOMER = 'HARBOUR';
const SITE = 'HK-TKO';
const HOLDERS = ['Ada Leung', 'Ken Lau', 'Mandy Ho', 'Wing Chan', 'Iris Poon', 'Tom Yip', 'Vera Kwok', 'Sam Tse'];
const YEAR_MS = 365 * 86_400_000;

/** Gives the demo tokens at its first start: one is blocked, one has expired, and some belong to a group. */
export async function ensureDemoTokens(db: Kysely<Database>, cards: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const customer = await trx
      .selectFrom('customers')
      .select('id')
      .where(sql`lower(code)`, '=', CUSTOMER.toLowerCase())
      .executeTakeFirst();
    if (!customer) return;
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('token_books')
      .values({ customer_id: customer.id, revision: cards.length })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // It had tokens before; their users may have removed all of them.
    if (!numInsertedOrUpdatedRows) return;
    const now = Date.now();
    await trx
      .insertInto('tokens')
      .values(
        cards.map((value, index) => ({
          ...{ customer_id: customer.id, value, type: 'ISO14443', revision: index + 1, created_by_name: 'Chargehand' },
          holder: HOLDERS[index % HOLDERS.length]!,
          group_value: index % 6 === 0 ? 'FLEET-A' : null,
          note: index === 0 ? 'Reported as lost' : '',
          blocked_at: index === 0 ? new Date(now - YEAR_MS / 12) : null,
          blocked_by_name: index === 0 ? 'Chargehand' : null,
          valid_until: index === 1 ? new Date(now - YEAR_MS / 6) : index % 4 === 2 ? new Date(now + YEAR_MS) : null,
        })),
      )
      .execute();
    await sql`
      insert into token_policies (site_id, policy, set_by_name)
      select s.id, 'known', 'Chargehand' from sites s
       where s.customer_id = ${customer.id} and lower(s.code) = ${SITE.toLowerCase()}
      on conflict do nothing`.execute(trx);
  });
}
