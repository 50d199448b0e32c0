import { CODES, type Endpoint, peopleEndpoints, placesEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './testing/client.ts';
import { ENDPOINT_CASES } from './testing/contract/endpoint-cases.ts';
import { type Inputs, invoke } from './testing/invoke.ts';
import { startTestServer, type TestServer } from './testing/server.ts';

/** How often two requests run concurrently; the order changes from time to time. */
const ROUNDS = 8;

let server: TestServer;
let root: Client;
let staff: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  staff = await server.as('vendorStaff');
});
afterAll(() => server.stop());

const ground = () => ({ world: server.world, db: server.database.db });

/** A new row for one race. */
async function fresh(endpoint: Endpoint): Promise<{ id: number }> {
  const inputs = (await ENDPOINT_CASES[endpoint.id]?.call?.(ground(), 'northQuay', 'root')) as Inputs;
  return { id: Number(inputs.params?.id) };
}

/** The actions on an object, oldest first. */
async function history(type: string, id: number) {
  const { rows } = await server.database.pool.query<{ operation: string; before: unknown; after: unknown }>(
    'select operation, before, after from action_logs where object_type = $1 and object_id = $2 order by id',
    [type, String(id)],
  );
  return rows;
}

describe('a concurrent change and deletion: the deletion wins, and nothing is written after it', () => {
  test.each([
    ['customer', placesEndpoints.updateCustomer, placesEndpoints.deleteCustomer, { name: 'Renamed' }],
    ['site', placesEndpoints.updateSite, placesEndpoints.deleteSite, { name: 'Renamed' }],
    ['role', peopleEndpoints.renameRole, peopleEndpoints.deleteRole, { name: 'Renamed' }],
    ['user', peopleEndpoints.updateUser, peopleEndpoints.deleteUser, { nickName: 'Renamed' }],
  ] as [string, Endpoint, Endpoint, Record<string, string>][])('%s', async (type, change, remove, body) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const params = await fresh(remove);
      const named = Object.fromEntries(Object.entries(body).map(([key, text]) => [key, `${text} ${round}`]));
      const [changed, removed] = await Promise.all([
        invoke(root, change, { params, body: named }),
        invoke(staff, remove, { params }),
      ]);
      expect(removed.code).toBe(0);
      expect([0, CODES.notFound.code]).toContain(changed.code);
      const operations = (await history(type, params.id)).map(({ operation }) => operation);
      expect(operations).toEqual(changed.code === 0 ? ['edit', 'delete'] : ['delete']);
    }
  });
});

describe('two concurrent changes of permissions run one after the other, and are never mixed', () => {
  test('menus of a role', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const params = await fresh(peopleEndpoints.setRoleMenus);
      const grants = [
        ['auth_site', 'auth_site_list'],
        ['auth_device', 'auth_device_list'],
      ];
      const set = (who: Client, keys: string[]) =>
        invoke(who, peopleEndpoints.setRoleMenus, { params, body: { keys } });
      const answers = await Promise.all([set(root, grants[0]!), set(staff, grants[1]!)]);
      expect(answers.map(({ code }) => code)).toEqual([0, 0]);
      const { keys } = await root.data(peopleEndpoints.readRole, { params });
      expect(grants.map((grant) => grant.join())).toContain(keys.toSorted().join());
      const [first, second] = await history('role', params.id);
      expect(second?.before).toEqual(first?.after);
    }
  });

  test('sites of a user', async () => {
    const { northQuay, northMill } = server.world.sites;
    for (let round = 0; round < ROUNDS; round += 1) {
      const params = await fresh(peopleEndpoints.setAssignments);
      const set = (who: Client, siteId: number) =>
        invoke(who, peopleEndpoints.setAssignments, { params, body: { customerIds: [], siteIds: [siteId] } });
      const answers = await Promise.all([set(root, northQuay), set(staff, northMill)]);
      expect(answers.map(({ code }) => code)).toEqual([0, 0]);
      const { rows } = await server.database.pool.query<{ site_id: number }>(
        'select site_id from user_sites where user_id = $1',
        [params.id],
      );
      expect(rows).toHaveLength(1);
    }
  });
});
