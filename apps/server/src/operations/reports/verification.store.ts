import { COMMAND_KINDS, QUEUE_TIMEOUT_MS } from '@chargehand/domain';
import type { QueryClient } from '../executions.store.ts';

/**
 * Queues reading back parameters: for each of these executions that set one, another execution that reads its key, for
 * the same user. It is first in the queue, so that the value read is the value set.
 */
export async function queueReadBacks(client: QueryClient, executionIds: readonly string[]): Promise<void> {
  if (executionIds.length === 0) return;
  await client.query({
    text: `with taken as materialized (
        select e.id, e.device_id, e.connector, e.queued_at, c.params ->> 'key' as key, c.requested_by, c.requested_by_name,
               nextval(pg_get_serial_sequence('commands', 'id')) as command_id
          from executions e join commands c on c.id = e.command_id
         where e.id = any($1::uuid[]) and c.kind = 'setParameter'
      ), asked as (
        insert into commands (id, kind, control_type, params, requested_by, requested_by_name)
        overriding system value
        select command_id, 'refreshParameters', $2, jsonb_build_object('key', key), requested_by, requested_by_name
          from taken
      )
      insert into executions (id, command_id, device_id, connector, queued_at, deadline_at, verifies)
      select gen_random_uuid(), command_id, device_id, connector, queued_at,
             clock_timestamp() + make_interval(secs => $3), id
        from taken`,
    values: [executionIds, COMMAND_KINDS.refreshParameters, QUEUE_TIMEOUT_MS / 1_000],
  });
}

/** Stores the reported values of the keys that these executions read back. The parameters are stored before. */
export async function noteReadBacks(client: QueryClient, executionIds: readonly string[]): Promise<void> {
  if (executionIds.length === 0) return;
  await client.query({
    text: `update executions e set read_back = p.value
        from commands c, device_parameters p
       where e.id = any($1::uuid[]) and e.verifies is not null and c.id = e.command_id
         and p.device_id = e.device_id and lower(p.key) = lower(c.params ->> 'key')`,
    values: [executionIds],
  });
}
