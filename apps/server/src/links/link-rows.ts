import type { LinkKind, ModelLevels } from '@chargehand/domain';
import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

/**
 * Links, at the place where they happened, with the levels of their device's model. Once the device was removed, the level
 * that was needed to control it.
 */
export const linkRows: Pick<RowFinders, 'link'> = {
  link: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<
      { id: number; customerId: number; kind: LinkKind; described: boolean | null } & {
        [level in keyof ModelLevels]: ModelLevels[level] | null;
      }
    >({
      name: 'policy-links',
      text: `
        select l.id, l.customer_id as "customerId", l.kind, 
               coalesce(m.parameter_read_level, l.control_level) as "parameterRead",
               coalesce(m.parameter_write_level, l.control_level) as "parameterWrite",
               coalesce(m.control_level, l.control_level) as control, m.version > 0 as described
          from links l left join devices d on d.id = l.device_id left join device_models m on m.id = d.device_model_id
         where l.id = any($1::int[]) and ${scopeCondition('l.customer_id', 'l.site_id')}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map(({ id, customerId, kind, described, parameterRead, parameterWrite, control }) => ({
      ...{ id, customerId, linkKind: kind, described: described ?? false },
      model:
        parameterRead === null || parameterWrite === null || control === null
          ? null
          : { parameterRead, parameterWrite, control },
    }));
  },
};
