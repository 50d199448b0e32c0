import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './testing/client.ts';
import { refused } from './testing/contract/refused.ts';
import { startTestServer, type TestServer } from './testing/server.ts';

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

const { readCustomer, updateCustomer, readSite, updateSite, readDevice, updateDevice, readUser, updateUser } =
  ENDPOINTS;
const { readAssignments, setAssignments, createRole, readRole, setRoleData, setRoleMenus } = ENDPOINTS;

interface Edited {
  /** the row as a form loads it */
  read(): Promise<{ revision: string }>;
  /** saves the first or the second of two different changes, with the mark of a row as it was read */
  save(change: 0 | 1, revision?: string): Promise<{ code: number }>;
}

const EDITED: Record<string, () => Promise<Edited>> = {
  customer: async () => {
    const params = { id: server.world.customers.north };
    return {
      read: () => root.data(readCustomer, { params }),
      save: (change, revision) =>
        root.call(updateCustomer, {
          params,
          body: { ...[{ contact: 'Ann' }, { address: 'Quay 2' }][change], revision },
        }),
    };
  },
  site: async () => {
    const params = { id: server.world.sites.northQuay };
    return {
      read: () => root.data(readSite, { params }),
      save: (change, revision) =>
        root.call(updateSite, {
          params,
          body: { ...[{ latitude: 30.5, longitude: 114.25 }, { buildDate: '2026-02-01' }][change], revision },
        }),
    };
  },
  device: async () => {
    const params = { id: server.world.devices.northQuay1.id };
    return {
      read: () => root.data(readDevice, { params }),
      save: (change, revision) =>
        root.call(updateDevice, {
          params,
          body: { ...[{ name: 'Pile A' }, { maintenanceCycleDays: 30 }][change], revision },
        }),
    };
  },
  user: async () => {
    const params = { id: server.world.users.northReader };
    const { roleId } = await root.data(readUser, { params: { id: server.world.users.northNoMenus } });
    return {
      read: () => root.data(readUser, { params }),
      save: (change, revision) =>
        root.call(updateUser, { params, body: { ...[{ roleId: roleId! }, { nickName: 'Reader' }][change], revision } }),
    };
  },
  'sites of a user': async () => {
    const params = { id: server.world.users.northAssigned };
    const { northQuay, northMill } = server.world.sites;
    return {
      read: () => root.data(readAssignments, { params }),
      save: (change, revision) =>
        root.call(setAssignments, {
          params,
          body: { customerIds: [], siteIds: [[northMill], [northQuay, northMill]][change]!, revision },
        }),
    };
  },
  'data of a role': async () => {
    const params = await root.data(createRole, { body: { name: 'Data of two' } });
    const { customerAccess, siteAccess, remoteAccess, levels } = await root.data(readRole, { params });
    const data = { customerAccess, siteAccess, remoteAccess, levels };
    return {
      read: () => root.data(readRole, { params }),
      save: (change, revision) =>
        root.call(setRoleData, {
          params,
          body: { ...data, ...[{ emailAlarm: true }, { emailAlarm: false, siteAccess: 0 }][change]!, revision },
        }),
    };
  },
  'menus of a role': async () => {
    const params = await root.data(createRole, { body: { name: 'Menus of two' } });
    return {
      read: () => root.data(readRole, { params }),
      save: (change, revision) =>
        root.call(setRoleMenus, { params, body: { keys: [['auth_site'], ['auth_device']][change]!, revision } }),
    };
  },
};

describe.each(Object.entries(EDITED))('the %s that two users are editing', (_, make) => {
  test('is saved by one of them; the other gets a problem and overwrites nothing, unless they choose to', async () => {
    const edited = await make();
    const { revision } = await edited.read();
    expect(await edited.save(0, revision)).toMatchObject({ code: 0 });
    const saved = await edited.read();
    expect(saved.revision).not.toBe(revision);

    expect(await edited.save(1, revision)).toEqual(refused('changedMeanwhile', 'revision'));
    expect(await edited.read()).toEqual(saved);

    // The answer was lost, and the same request is sent again: nothing needs to change.
    expect(await edited.save(0, revision)).toMatchObject({ code: 0 });
    expect(await edited.save(1, saved.revision)).toMatchObject({ code: 0 });
    expect(await edited.save(0)).toMatchObject({ code: 0 });
  });
});

test('of two users who save different menus of a role at once, one gets a problem', async () => {
  const params = await root.data(createRole, { body: { name: 'Menus of two at once' } });
  const { revision } = await root.data(readRole, { params });
  const both = await Promise.all(
    ['auth_site', 'auth_device'].map((key) => root.call(setRoleMenus, { params, body: { keys: [key], revision } })),
  );
  expect(both.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, CODES.changedMeanwhile.code]);
});
