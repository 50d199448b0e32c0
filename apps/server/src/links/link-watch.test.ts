import { ENDPOINTS, linkEndpoints } from '@chargehand/contract';
import { levelsAll, REMOTE_ACCESS } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, client, openSession } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { disableUser, deleteUser, setRoleData, updateCustomer, disableCustomer } = ENDPOINTS;
const { disableSite, disableDevice, deleteDevice, updateDevice } = ENDPOINTS;
const APPROVAL_MS = 15 * 60_000;

let server: TestServer;
let root: Client;
let roleId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  const { pool } = server.database;
  await pool.query(`
    update device_models set ssh_support = true; update device_states set connected = true;
    insert into link_policies (customer_id, second_person, web) select id, true, true from customers`);
  const { rows } = await pool.query('select role_id from users where id = $1', [server.world.users.northAdmin]);
  roleId = rows[0].role_id;
});
beforeEach(async () => {
  const { sites, customers, devices } = server.world;
  await server.database.pool.query(`
    update roles set remote_access = 1; update users set enabled = true; update sites set enabled = true;
    update customers set enabled = true, read_only = false;
    update devices set enabled = true, site_id = ${sites.northQuay}, customer_id = ${customers.north}
     where id = ${devices.northQuay1.id}`);
});
afterAll(() => server.stop());

/** A link of a user of the customer. It waits for a second person, so it has no connection. */
async function requestedLink(device: 'northQuay1' | 'northQuay2' = 'northQuay1') {
  const user = client(server.url, await openSession(server.database.db, server.world.users.northAdmin));
  const { id } = await user.data(linkEndpoints.requestLink, {
    params: { id: server.world.devices[device].id },
    body: { kind: 'ssh', reason: 'Test' },
  });
  const ended = async () => {
    const link = await eventually(
      () => root.data(linkEndpoints.readLink, { params: { id } }),
      ({ state }) => state === 'ended',
      { what: 'the link to end', timeoutMs: 10_000 },
    );
    return link.end;
  };
  return { id, ended };
}

const data = { customerAccess: 1, siteAccess: 0, emailAlarm: true, levels: levelsAll(1) } as const;
const params = (id: number) => ({ params: { id } });

// The full check does not run here.
test.each<[string, string, () => Promise<unknown>]>([
  [
    'the role loses the access',
    'accessRevoked',
    () => root.data(setRoleData, { ...params(roleId), body: { ...data, remoteAccess: REMOTE_ACCESS.webAdminOnly } }),
  ],
  [
    'the customer of the user may only read',
    'accessRevoked',
    () => root.data(updateCustomer, { ...params(server.world.customers.north), body: { readOnly: true } }),
  ],
  ['the user is disabled', 'accessRevoked', () => root.data(disableUser, params(server.world.users.northAdmin))],
  [
    'the device is moved',
    'accessRevoked',
    () =>
      root.data(updateDevice, {
        ...params(server.world.devices.northQuay1.id),
        body: { siteId: server.world.sites.southPark },
      }),
  ],
  [
    'the device is disabled',
    'deviceDisabled',
    () => root.data(disableDevice, params(server.world.devices.northQuay1.id)),
  ],
  ['the site is disabled', 'deviceDisabled', () => root.data(disableSite, params(server.world.sites.northQuay))],
  [
    'the customer is disabled',
    'deviceDisabled',
    () => root.data(disableCustomer, params(server.world.customers.north)),
  ],
  [
    'it is not approved in time',
    'notApproved',
    async () => {
      await server.database.pool.query(`update links set approval_until = now() where state <> 'ended'`);
      server.elapse(APPROVAL_MS);
    },
  ],
])('a link ends without a full check when %s', async (_, end, change) => {
  const { ended } = await requestedLink();
  await change();
  expect(await ended()).toBe(end);
});

test('a link ends without a full check when its device or its user is removed', async () => {
  const ofDevice = await requestedLink('northQuay2');
  await root.data(deleteDevice, params(server.world.devices.northQuay2.id));
  expect(await ofDevice.ended()).toBe('deviceDisabled');
  const ofUser = await requestedLink();
  await root.data(deleteUser, params(server.world.users.northAdmin));
  expect(await ofUser.ended()).toBe('accessRevoked');
});
