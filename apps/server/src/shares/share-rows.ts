import { mayOverseeShares, OVERSEE_SHARES } from '@chargehand/domain';
import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import { namedPlace, type RowFinders, type RowPlaces } from '../ports/policy-rows.ts';

/** The shares of the caller, and those of others in their customers if they oversee them. */
export const shareRows: Pick<RowFinders, 'share'> = {
  share: async (pool, { userId, levels, scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number | null; own: boolean }>({
      name: 'policy-shares',
      text: `
        select s.id, s.customer_id as "customerId", s.created_by = $3 as own from shares s
         where s.id = any($1::int[]) and (s.created_by = $3 or ($4 and ${scopeCondition('s.customer_id', null)}))`,
      values: [ids, scopeValues(scope)[0], userId, mayOverseeShares({ levels, scope })],
    });
    return rows.map(({ own, ...row }) => ({
      ...{ ...row, model: null, described: false },
      toSee: own ? [] : [OVERSEE_SHARES],
    }));
  },
};

export const sharePlaces: Pick<RowPlaces, 'share'> = {
  share: async (pool, _caller, id) => {
    const { rows } = await pool.query<{ name: string; customerId: number | null; customerName: string | null }>(
      `select coalesce(a.name, f.name, issue_key(i.customer_id, i.number) || ' ' || i.title, l.device_name) as name,
              s.customer_id as "customerId", c.name as "customerName"
         from shares s left join attachments a on a.id = s.attachment_id left join folders f on f.id = s.folder_id
         left join issues i on i.id = s.issue_id left join link_recordings lr on lr.id = s.terminal_id
         left join links l on l.id = coalesce(s.pages_of, lr.link_id)
         left join customers c on c.id = s.customer_id where s.id = $1`,
      [id],
    );
    return rows[0] ? namedPlace(rows[0]) : null;
  },
};
