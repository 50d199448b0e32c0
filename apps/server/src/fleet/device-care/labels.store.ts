import { EVSES, MAX_CONNECTORS, type Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

export interface LabelRecord {
  id: number;
  sn: string;
  name: string;
  siteName: string;
  deviceModelName: string;
  connectors: number[];
  protocol: string | null;
}

/**
 * The label texts of devices, in the order of the given ids. Connectors are those that the device has reported and those
 * of its model, by EVSE. A device that reports several connectors of an EVSE has only these: the model does not say
 * how its connectors are spread over EVSEs.
 */
export async function findLabels(scope: Scope, db: Kysely<Database>, ids: readonly number[]): Promise<LabelRecord[]> {
  const { rows } = await sql<LabelRecord>`
    select d.id, d.sn, d.name, s.name as "siteName", m.name as "deviceModelName",
           state.protocol,
           array(select known.connector
                   from (select k.connector::int from connectors k where k.device_id = d.id and k.connector > 0
                         union
                         select n from generate_series(1, least(coalesce(m.connector_count, 0), ${MAX_CONNECTORS})) n
                          where not exists (select from connectors k
                                             where k.device_id = d.id and k.connector > ${EVSES})) known
                  order by (known.connector - 1) % ${EVSES}, known.connector) as connectors
      from unnest(${[...ids]}::int[]) with ordinality as a (id, number)
      join devices d on d.id = a.id
      join sites s on s.id = d.site_id
      join device_models m on m.id = d.device_model_id
      left join device_states state on state.device_id = d.id
     where ${withinScope(scope, 'd.customer_id', 'd.site_id')}
     order by a.number`.execute(db);
  return rows;
}
