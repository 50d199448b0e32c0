import type { SiteName } from '../world.ts';
import { type EndpointCase, fresh, type Ground, newDevice, onDevice, readsDevice } from './ground.ts';

/** A new device that reported a parameter. */
async function deviceWithParameters(ground: Ground, site: SiteName): Promise<number> {
  const id = await newDevice(ground, site);
  await ground.db
    .insertInto('device_parameters')
    .values({ device_id: id, key: 'HeartbeatInterval', value: '300', readonly: false, read_at: new Date() })
    .execute();
  return id;
}

/** A baseline of a site. */
async function newBaseline({ db, world }: Ground, site: SiteName): Promise<number> {
  const { customer_id } = await db
    .selectFrom('sites')
    .select('customer_id')
    .where('id', '=', world.sites[site])
    .executeTakeFirstOrThrow();
  const values = {
    device_model_id: world.model,
    customer_id,
    site_id: world.sites[site],
    name: fresh('Baseline'),
    device_name: 'D',
    created_by: 'C',
  };
  const { id } = await db.insertInto('parameter_baselines').values(values).returning('id').executeTakeFirstOrThrow();
  await db.insertInto('parameter_baseline_values').values({ baseline_id: id, key: 'A', value: '1' }).execute();
  return id;
}

async function newExecution(ground: Ground, site: SiteName) {
  const { db, world } = ground;
  const id = world.devices[`${site}1`].id;
  const command = db.insertInto('commands').values({ kind: 'softReset', control_type: 1, requested_by_name: 'case' });
  const { id: command_id } = await command.returning('id').executeTakeFirstOrThrow();
  const executionId = crypto.randomUUID();
  await db
    .insertInto('executions')
    .values({
      id: executionId,
      command_id,
      device_id: id,
      deadline_at: new Date(),
      ended_at: new Date(),
      state: 'ended',
      result: 2,
    })
    .execute();
  return { params: { id, executionId } };
}

export const PARAMETER_CASES: Record<string, EndpointCase> = {
  'executions.read': { call: newExecution },
  'configuration.read': readsDevice,
  'parameters.list': readsDevice,
  'parameters.set': {
    call: async (ground, site) => ({
      params: { id: await deviceWithParameters(ground, site) },
      body: { values: [{ key: 'HeartbeatInterval', value: '60' }] },
    }),
  },
  'parameters.compare': {
    call: (ground, site) => ({
      ...onDevice(ground, site),
      query: { deviceId: ground.world.devices[`${site}2`].id },
    }),
  },
  'parameterHistory.list': readsDevice,
  'parameterBaselines.list': readsDevice,
  'parameterBaselines.create': {
    call: async (ground, site) => ({
      params: { id: await deviceWithParameters(ground, site) },
      body: { name: fresh('Baseline') },
    }),
  },
  'parameterBaselines.rename': {
    call: async (ground, site) => ({ params: { id: await newBaseline(ground, site) }, body: { name: fresh('Name') } }),
  },
  'parameterBaselines.delete': {
    call: async (ground, site) => ({ params: { id: await newBaseline(ground, site) } }),
  },
};
