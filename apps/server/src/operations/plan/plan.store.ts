import type { Command, CommandInputs, CommandKind } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { isConnectorOf } from '../commands/commands.store.ts';

/** What is stored about a device that decides about a command. */
export interface StoredFacts {
  /** the commands that it has not finished. Reading back a parameter does not count */
  waiting: Command[];
  hasConnector: boolean;
  /** it has reported parameters */
  reported: boolean;
  /** the parameter of the command, as the device spells it and as last reported */
  parameter: { key: string; value: string | null; readonly: boolean; inDoubt: boolean } | null;
}

/** The facts that a command to these devices is planned with. */
export async function storedFacts(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  { connector, key }: { connector: number; key: string | undefined },
): Promise<ReadonlyMap<number, StoredFacts>> {
  type Waiting = { kind: CommandKind; connector: number; params: CommandInputs }[];
  const { rows } = await sql<Omit<StoredFacts, 'waiting'> & { id: number; waiting: Waiting }>`
    select d.id,
           coalesce((
             select jsonb_agg(jsonb_build_object('kind', c.kind, 'connector', e.connector, 'params', c.params))
               from executions e join commands c on c.id = e.command_id
              where e.device_id = d.id and e.state in ('queued', 'sent', 'accepted') and e.verifies is null
           ), '[]') as waiting,
           ${connector}::int = 0 or ${isConnectorOf(sql`d.id`, sql`${connector}::int`)} as "hasConnector",
           exists (select from device_parameters p where p.device_id = d.id) as reported,
           (select jsonb_build_object('key', p.key, 'value', p.value, 'readonly', p.readonly, 'inDoubt', exists (
                     select from executions e join commands c on c.id = e.command_id
                      where e.device_id = d.id and c.kind = 'setParameter' and e.result = 4 and e.sent_at > p.read_at
                        and lower(c.params ->> 'key') = lower(p.key)))
              from device_parameters p
             where p.device_id = d.id and lower(p.key) = lower(${key ?? null}::text) limit 1) as parameter
      from unnest(${[...deviceIds]}::int[]) as d (id)`.execute(db);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/** The values of a parameter as devices last reported them. */
export async function reportedValues(
  db: Kysely<Database>,
  deviceIds: readonly number[],
  key: string,
): Promise<ReadonlyMap<number, string | null>> {
  const { rows } = await sql<{ id: number; value: string | null }>`
    select device_id as id, value from device_parameters
     where device_id = any(${[...deviceIds]}::int[]) and lower(key) = lower(${key})`.execute(db);
  return new Map(rows.map(({ id, value }) => [id, value]));
}
