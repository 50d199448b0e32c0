import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { deviceInScope } from '../platform/database/device-scope.ts';
import type { Database } from '../platform/database/schema.ts';

/** How a device in scope is called. */
export async function deviceName(scope: Scope, db: Kysely<Database>, deviceId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from devices where id = ${deviceInScope(scope, deviceId)}`.execute(db);
  return rows[0]?.name ?? '';
}
