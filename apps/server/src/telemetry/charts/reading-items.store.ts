import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope } from '../../ports/devices/device-scope.ts';

/** The name of a device in scope, and the protocol of its connection. */
export async function deviceHead(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
): Promise<{ name: string; protocol: string | null }> {
  const { rows } = await sql<{ name: string; protocol: string | null }>`
    select d.name, s.protocol from devices d left join device_states s on s.device_id = d.id
     where d.id = ${deviceInScope(scope, deviceId)}`.execute(db);
  return rows[0] ?? { name: '', protocol: null };
}
