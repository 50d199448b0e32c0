import { ENDPOINTS } from '@chargehand/contract';
import { type AlarmLevel, type DeviceStatus, type SiteState, siteState } from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let root: Client;

interface Case {
  enabled?: boolean;
  devices: DeviceStatus[];
  alarms?: AlarmLevel[];
  suppressed?: AlarmLevel[];
}

/** Sites of every state, and on both sides of each boundary between two states. */
const CASES: Record<string, Case> = {
  well: { devices: ['idle', 'working'] },
  off: { enabled: false, devices: ['faulted'] },
  bare: { devices: [] },
  broken: { devices: ['idle', 'faulted', 'offline'] },
  burning: { devices: ['working'], alarms: ['OA', 'CA'] },
  large: { devices: ['faulted', 'idle', 'idle', 'idle', 'idle'], alarms: ['CA'] },
  quarter: { devices: ['faulted', 'idle', 'idle', 'idle', 'disabled'] },
  gone: { devices: ['offline', 'offline', 'disabled'], alarms: ['MA', 'MA'] },
  half: { devices: ['offline', 'idle'] },
  weak: { devices: ['idle'], alarms: ['OA'] },
  hushed: { devices: ['maintain'], suppressed: ['CA'] },
  retired: { devices: ['disabled'] },
};

beforeAll(async () => {
  server = await startTestServer();
  root = await server.as('root');
  const { pool } = server.database;
  const { customers, model } = server.world;
  for (const [code, { enabled = true, devices, alarms = [], suppressed = [] }] of Object.entries(CASES)) {
    const site = await pool.query<{ id: number }>(
      'insert into sites (customer_id, code, name, enabled) values ($1, $2, $2, $3) returning id',
      [customers.closed, code, enabled],
    );
    for (const [number, status] of devices.entries()) {
      await pool.query(
        `insert into devices (sn, name, site_id, customer_id, device_model_id, status) values ($1, $1, $2, $3, $4, $5)`,
        [`${code}-${number}`, site.rows[0]!.id, customers.closed, model, status],
      );
    }
    for (const [number, level] of [...alarms, ...suppressed].entries()) {
      await pool.query(
        `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, suppressed)
         select id, $2, 'x', 'fault', $3, now() - interval '1 hour', now(), $4 from devices where sn = $1`,
        [`${code}-0`, number, level, number >= alarms.length],
      );
    }
  }
  // Other tests disabled the customer; here it is enabled.
  await pool.query('update customers set enabled = true where id = $1', [customers.closed]);
});
afterAll(() => server.stop());

const sitesIn = async (client: Client, state?: SiteState) =>
  (
    await client.data(ENDPOINTS.listSites, {
      query: { pageSize: 100, customerId: server.world.customers.closed, state },
    })
  ).items.map(({ code }) => code);

/** The values of the row of the list and of the page of the site, after checking that they agree. */
async function stateOf(code: string): Promise<SiteState> {
  const { items } = await root.data(ENDPOINTS.listSites, {
    query: { customerId: server.world.customers.closed, search: code },
  });
  const row = items.find((site) => site.code === code)!;
  const page = await root.data(ENDPOINTS.readSite, { params: { id: row.id } });
  expect(page.state).toBe(row.state);
  return row.state;
}

test.each(Object.entries(CASES))(
  'the site "%s" is listed with the state that the rule gives it',
  async (code, site) => {
    const { enabled = true, devices, alarms = [] } = site;
    const of = (status: DeviceStatus) => devices.filter((one) => one === status).length;
    const state = siteState({
      enabled,
      devices: devices.length,
      served: devices.length - of('disabled'),
      faulted: of('faulted'),
      offline: of('offline'),
      openAlarms: alarms.length,
      // The alarms of a site are those of its first device.
      critical: alarms.includes('CA') ? 1 : 0,
    });
    expect(await sitesIn(root, state)).toContain(code);
    expect(await stateOf(code)).toBe(state);
  },
);

test('every site has one state, the counts match the lists, and problems are listed worst first', async () => {
  const { total, byState, troubled } = await root.data(ENDPOINTS.readSiteStates);
  expect(Object.values(byState).reduce((sum, count) => sum + count)).toBe(total);
  for (const [state, count] of Object.entries(byState)) {
    const listed = await root.data(ENDPOINTS.listSites, { query: { state: state as SiteState } });
    expect([state, listed.total]).toEqual([state, count]);
  }
  const ours = troubled.filter(({ name }) => name in CASES);
  expect(ours.map(({ name }) => name)).toEqual(['large', 'burning', 'gone', 'weak', 'broken', 'quarter']);
  expect(ours[1]).toMatchObject({ state: 'faulted', worstLevel: 'CA', alarms: 2, devices: 1 });
  expect(ours[1]?.since).not.toBeNull();
});

test('users do not see sites of other customers', async () => {
  const assigned = await server.as('northAssigned');
  const { total, troubled } = await assigned.data(ENDPOINTS.readSiteStates);
  expect(total).toBe(1);
  expect(troubled.every(({ name }) => name === 'Site northQuay')).toBe(true);
  expect(await sitesIn(await server.as('northAdmin'))).toEqual([]);
});
