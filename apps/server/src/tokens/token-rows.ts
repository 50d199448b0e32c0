import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { FindRows, RowFinders } from '../ports/policy-rows.ts';

/**
 * A condition on tokens `t` with the values of `scopeValues`: callers with assigned sites see the tokens that are valid
 * at one of them.
 */
const SEES_TOKEN = `${scopeCondition('t.customer_id', null)}
  and ($3::int[] is null or t.all_sites
       or exists (select from token_sites ts where ts.token_id = t.id and ts.site_id = any($3::int[])))
  and ($3::int[] is null or exists (select from sites s where s.customer_id = t.customer_id and s.id = any($3::int[])))`;

const finder =
  (name: string, text: string, bySite: boolean): FindRows =>
  async (pool, { scope }, ids) => {
    const [customers, sites] = scopeValues(scope);
    const values = bySite ? [ids, customers, sites] : [ids, customers];
    const { rows } = await pool.query<{ id: number; customerId: number }>({ name, text, values });
    return rows.map((row) => ({ ...row, model: null, described: false }));
  };

/** Tokens, tokens that are not known, and imports, by their customer. */
export const tokenRows: Pick<RowFinders, 'token' | 'tokenImport' | 'unknownToken'> = {
  token: finder(
    'policy-tokens',
    `select t.id, t.customer_id as "customerId" from tokens t where t.id = any($1::int[]) and ${SEES_TOKEN}`,
    true,
  ),
  tokenImport: finder(
    'policy-token-imports',
    `select i.id, i.customer_id as "customerId" from token_imports i
      where i.id = any($1::int[]) and ${scopeCondition('i.customer_id', null)}`,
    false,
  ),
  unknownToken: finder(
    'policy-unknown-tokens',
    `select u.id, s.customer_id as "customerId" from unknown_tokens u join sites s on s.id = u.site_id
      where u.id = any($1::int[]) and ${scopeCondition('s.customer_id', null)}`,
    false,
  ),
};
