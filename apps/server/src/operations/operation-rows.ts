import type { CommandKind, Level, ModelLevels } from '@chargehand/domain';
import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Executions with the levels of their device's model, batches with their recorded levels, and baselines. */
export const operationRows: Pick<RowFinders, 'execution' | 'commandBatch' | 'parameterBaseline'> = {
  execution: async (pool, { scope }, ids) => {
    const known = ids.filter((id) => UUID.test(String(id)));
    if (known.length === 0) return [];
    const { rows } = await pool.query<
      ModelLevels & { id: string; customerId: number; kind: CommandKind; described: boolean }
    >({
      name: 'policy-executions',
      text: `
        select e.id, d.customer_id as "customerId", c.kind, m.parameter_read_level as "parameterRead",
               m.parameter_write_level as "parameterWrite", m.control_level as control, m.version > 0 as described
          from executions e join commands c on c.id = e.command_id
          join devices d on d.id = e.device_id join device_models m on m.id = d.device_model_id
         where e.id = any($1::uuid[]) and ${scopeCondition('d.customer_id', 'd.site_id')}`,
      values: [known, ...scopeValues(scope)],
    });
    return rows.map(({ id, customerId, kind, described, ...model }) => ({ id, customerId, kind, described, model }));
  },

  // An operation, by the ID of any of its batches, with the strictest level of those within the scope.
  commandBatch: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number; kind: CommandKind; level: Level }>({
      name: 'policy-command-batches',
      text: `
        select w.id, min(b.customer_id) as "customerId", min(c.kind) as kind, min(b.level) as level
          from unnest($1::int[]) w (id)
          join command_batches b on b.operation_id = coalesce(
            (select operation_id from command_batches where id = w.id), w.id)
          join commands c on c.id = b.command_id
         where ${scopeCondition('b.customer_id', 'b.site_id')}
         group by w.id`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map(({ id, customerId, kind, level }) => ({
      ...{ id, customerId, kind, described: false },
      model: { control: level, parameterRead: level, parameterWrite: level },
    }));
  },

  parameterBaseline: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<ModelLevels & { id: number; customerId: number | null; allSites: boolean }>({
      name: 'policy-parameter-baselines',
      text: `
        select b.id, b.customer_id as "customerId", b.site_id is null as "allSites",
               m.parameter_read_level as "parameterRead", m.parameter_write_level as "parameterWrite",
               m.control_level as control
          from parameter_baselines b join device_models m on m.id = b.device_model_id
         where b.id = any($1::int[]) and (b.customer_id is null or ${scopeCondition('b.customer_id', null)})
           and (b.site_id is null or $3::int[] is null or b.site_id = any($3::int[]))`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map(({ id, customerId, allSites, ...model }) => ({
      ...{ id, customerId, described: false, model },
      allSitesWrite: customerId !== null && allSites,
    }));
  },
};
