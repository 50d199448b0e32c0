import { scopeCondition, scopeValues } from '../../platform/database/scope.ts';
import { namedPlace, type RowFinders, type RowPlaces } from '../../ports/policy-rows.ts';
import { isVendor } from '../vendor.ts';

/** A condition on users `u` with the values of `scopeValues`: a user with assigned sites sees the users who are assigned to one of them. */
export const SEES_USER = `${scopeCondition('u.customer_id', null)}
  and ($3::int[] is null or exists (select from user_sites us where us.user_id = u.id and us.site_id = any($3::int[])))`;

/** Users, their sessions, and roles, which all customers share. */
export const accessRows: Pick<RowFinders, 'user' | 'session' | 'role'> = {
  user: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number }>({
      name: 'policy-users',
      text: `
        select u.id, u.customer_id as "customerId" from users u where u.id = any($1::int[]) and ${SEES_USER}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map((row) => ({ ...row, userId: row.id, model: null, described: false }));
  },

  session: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number; userId: number; customerId: number }>({
      name: 'policy-sessions',
      text: `
        select s.number as id, u.id as "userId", u.customer_id as "customerId"
          from sessions s join users u on u.id = s.user_id where s.number = any($1::int[]) and ${SEES_USER}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map((row) => ({ ...row, model: null, described: false }));
  },

  role: async (pool, _caller, ids) => {
    const { rows } = await pool.query<{ id: number }>({
      name: 'policy-roles',
      text: 'select id from roles where id = any($1::int[])',
      values: [ids],
    });
    return rows.map(({ id }) => ({ id, customerId: null, model: null, described: false }));
  },
};

/** Users, and roles for those who may see them. */
export const accessPlaces: Pick<RowPlaces, 'user' | 'role'> = {
  user: async (pool, _caller, id) => {
    const { rows } = await pool.query<{ name: string; customerId: number; customerName: string }>(
      `select u.user_name as name, c.id as "customerId", c.name as "customerName"
         from users u join customers c on c.id = u.customer_id where u.id = $1`,
      [id],
    );
    return rows[0] ? { ...namedPlace(rows[0]), hidden: 'userNotOfSites' } : null;
  },

  role: async (pool, caller, id) => {
    if (!isVendor(caller)) return null;
    const { rows } = await pool.query<{ name: string }>('select name from roles where id = $1', [id]);
    return rows[0] ? { names: [rows[0].name], customerId: null } : null;
  },
};
