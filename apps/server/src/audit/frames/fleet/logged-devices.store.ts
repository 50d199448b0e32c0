import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { withinScope } from '../../../platform/database/scope.ts';

export interface LoggedDevice {
  id: number;
  sn: string;
  deviceModelId: number;
  protocol: string | null;
}

const AT_ONCE = 500;

/** The devices of a scope and a filter by their IDs, with the protocol that they use. */
export async function* listLoggedDevices(
  scope: Scope,
  db: Kysely<Database>,
  { deviceId, siteId }: { deviceId?: number | undefined; siteId?: number | undefined },
): AsyncGenerator<LoggedDevice> {
  const wanted = [
    withinScope(scope, 'd.customer_id', 'd.site_id'),
    ...(deviceId === undefined ? [] : [sql`d.id = ${deviceId}`]),
    ...(siteId === undefined
      ? []
      : [sql`d.id in (select stay.device_id from device_stays stay where stay.site_id = ${siteId})`]),
  ];
  for (let after = 0; ; ) {
    const { rows } = await sql<LoggedDevice>`
      select d.id, d.sn, d.device_model_id as "deviceModelId", s.protocol
        from devices d left join device_states s on s.device_id = d.id
       where d.id > ${after} and ${sql.join(wanted, sql` and `)} order by d.id limit ${AT_ONCE}`.execute(db);
    yield* rows;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}
