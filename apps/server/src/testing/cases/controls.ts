import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SiteName } from '../world.ts';
import { customerOf, type EndpointCase, type Ground, newDevice, readsDevice, sitesOf } from './ground.ts';

/** A new device of the site, so that its commands do not meet other commands. */
const onNewDevices = async (ground: Ground, site: SiteName) => ({ deviceIds: [await newDevice(ground, site)] });

/** A soft reset of a new device, queued because the device is offline. */
export async function newExecution(ground: Ground, site: SiteName): Promise<string> {
  const deviceId = await newDevice(ground, site);
  const id = randomUUID();
  await sql`
    with command as (
      insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'somebody') returning id
    )
    insert into executions (id, command_id, device_id, deadline_at, waits_until)
    select ${id}, id, ${deviceId}, now() + interval '1 hour', now() + interval '1 hour' from command`.execute(
    ground.db,
  );
  return id;
}

/** A command that fetches a log, in progress on a new device. */
async function newTransfer(ground: Ground, site: SiteName): Promise<string> {
  const id = await newExecution(ground, site);
  await sql`
    insert into transfers (execution_id, device_id, kind, transport, log_type, requested_by_name, asked_at, deadline_at)
    select id, device_id, 'log', 'http', 'diagnostics', 'somebody', now(), now() + interval '1 hour'
      from executions where id = ${id}`.execute(ground.db);
  return id;
}

/** A device that has connected with OCPP 1.6. */
async function speaking(ground: Ground, site: SiteName): Promise<{ id: number }> {
  const id = await newDevice(ground, site);
  await sql`
    insert into device_states (device_id, protocol) values (${id}, 'ocpp1.6')
    on conflict (device_id) do update set protocol = excluded.protocol`.execute(ground.db);
  return { id };
}

/** A batch for one new device of a site, queued until online; or ended, with the device offline. */
async function newBatch(ground: Ground, site: SiteName, over: boolean): Promise<number> {
  const deviceId = await newDevice(ground, site);
  const customerId = await customerOf(ground, site);
  const { rows } = await sql<{ id: number }>`
    with command as (
      insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'somebody') returning id
    )
    insert into command_batches (command_id, site_id, customer_id, connector, parallel, level, value_level)
    select id, ${ground.world.sites[site]}, ${customerId}, 0, 20, 4, 5 from command returning id`.execute(ground.db);
  const { id } = rows[0]!;
  await sql`
    insert into executions (id, command_id, batch_id, device_id, state, result, reason, deadline_at, waits_until, ended_at)
    select ${randomUUID()}, command_id, id, ${deviceId}, ${over ? 'ended' : 'queued'}, ${over ? 5 : 1},
           ${over ? 'deviceOffline' : null}, now() + interval '1 hour', now() + interval '1 hour',
           case when ${over} then now() end
      from command_batches where id = ${id}`.execute(ground.db);
  return id;
}

const onBatch =
  (over: boolean): EndpointCase['call'] =>
  async (ground, site) => ({ params: { id: await newBatch(ground, site, over) } });

const readsBatch: EndpointCase = { call: onBatch(false) };

export const CONTROL_CASES: Record<string, EndpointCase> = {
  'controls.list': readsDevice,
  'messages.list': readsDevice,
  'messages.read': {
    call: async (ground, site) => ({ params: { ...(await speaking(ground, site)), action: 'Reset' } }),
  },
  'messages.check': {
    call: async (ground, site) => ({
      params: await speaking(ground, site),
      body: { action: 'Reset', payload: { type: 'Soft' } },
    }),
  },
  'executions.cancel': {
    call: async (ground, site) => ({ params: { executionId: await newExecution(ground, site) }, body: {} }),
  },
  'transfers.end': {
    call: async (ground, site) => ({ params: { executionId: await newTransfer(ground, site) }, body: {} }),
  },
  'commandBatches.controls': {
    call: async (ground, site) => ({ body: await onNewDevices(ground, site) }),
  },
  'commandBatches.create': {
    call: async (ground, site) => ({ body: { ...(await onNewDevices(ground, site)), kind: 'softReset' } }),
  },
  'commandBatches.preview': {
    call: async (ground, site) => ({ body: { ...(await onNewDevices(ground, site)), kind: 'softReset' } }),
  },
  'commandBatches.list': {
    scoped: {
      paged: true,
      shown({ data }) {
        const { items, total } = data as { items: { sites: { siteName: string }[] }[]; total: number };
        return { names: items.flatMap(({ sites }) => sites.map(({ siteName }) => siteName)), total };
      },
      visible(world, person) {
        const names = sitesOf(world, person).map((site) => `Site ${site}`);
        return { names, total: names.length };
      },
    },
  },
  'commandBatches.read': readsBatch,
  'commandBatches.executions': readsBatch,
  'commandBatches.cancel': {
    call: async (ground, site) => ({ params: { id: await newBatch(ground, site, false) }, body: {} }),
  },
  'commandBatches.rerun': {
    call: async (ground, site) => ({ params: { id: await newBatch(ground, site, true) }, body: {} }),
  },
};
