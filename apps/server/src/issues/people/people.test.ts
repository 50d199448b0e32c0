import { type BodyOf, CODES, issueEndpoints, newIssueUserEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fresh } from '../../testing/cases/ground.ts';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { createSiteIssue, readIssue } = issueEndpoints;
const { listCustomerIssueUsers, listDeviceIssueUsers, listSiteIssueUsers } = newIssueUserEndpoints;

let server: TestServer;
let root: Client;
let north: Client;
let reader: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [root, north, reader] = (await Promise.all(
    (['root', 'northAdmin', 'northReader'] as const).map((one) => server.as(one)),
  )) as [Client, Client, Client];
  // May report issues, and may not list users.
  await query(
    `delete from role_menus where menu_key like 'auth_user%' and role_id = (select role_id from users where id = $1)`,
    [server.world.users.northReader],
  );
  // What was announced, also after the messages module has taken it.
  await query(`
    create table announced (like notices including identity);
    create function keep_announced() returns trigger language plpgsql as $$
    begin insert into announced overriding system value select new.*; return new; end $$;
    create trigger keep_announced after insert on notices for each row execute function keep_announced();`);
});
afterAll(() => server.stop());

const query = async <T extends object>(words: string, values: unknown[] = []) =>
  (await server.database.pool.query<T>(words, values)).rows;
const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);

describe('users of a new issue', () => {
  test('are those who can see its place and whom the caller knows, with their names only', async () => {
    const { sites, devices, customers, users } = server.world;
    const ofQuay = await reader.data(listSiteIssueUsers, { params: { id: sites.northQuay } });
    expect(idsOf(ofQuay).sort()).toEqual([users.northAdmin, users.northAssigned, users.northReader].sort());
    expect(Object.keys(ofQuay.items[0] ?? {}).sort()).toEqual(['id', 'name', 'userName']);
    const ofDevice = await reader.data(listDeviceIssueUsers, { params: { id: devices.northQuay1.id } });
    expect(idsOf(ofDevice)).toEqual(idsOf(ofQuay));
    // Users with assigned sites do not see the issues of other sites, and none of the whole customer.
    const others = [users.northAdmin, users.northReader].sort();
    const ofMill = await reader.data(listSiteIssueUsers, { params: { id: sites.northMill } });
    expect(idsOf(ofMill).sort()).toEqual(others);
    const ofCustomer = await reader.data(listCustomerIssueUsers, { params: { id: customers.north } });
    expect(idsOf(ofCustomer).sort()).toEqual(others);
  });

  test('include colleagues who see all sites, for users with assigned sites', async () => {
    const { sites, users } = server.world;
    const assigned = await server.as('northAssigned');
    const ofQuay = await assigned.data(listSiteIssueUsers, { params: { id: sites.northQuay } });
    expect(idsOf(ofQuay).sort()).toEqual([users.northAdmin, users.northAssigned, users.northReader].sort());
    const body: BodyOf<typeof createSiteIssue> = {
      title: fresh('Issue'),
      type: 1,
      assigneeId: users.northAdmin,
      watcherIds: [users.northReader],
    };
    const { id } = await assigned.data(createSiteIssue, { params: { id: sites.northQuay }, body });
    expect(await assigned.data(readIssue, { params: { id } })).toMatchObject({
      assignee: { id: users.northAdmin },
      watchers: expect.arrayContaining([expect.objectContaining({ id: users.northReader })]),
    });
    const refused = { params: { id: sites.northQuay }, body: { ...body, assigneeId: users.vendorStaff } };
    expect((await assigned.call(createSiteIssue, refused)).code).toBe(CODES.issueAssignee.code);
  });

  test('are sorted with numbers by value', async () => {
    const names = ['crew_2', 'crew_10'];
    for (const name of names.toReversed()) {
      await query(
        `insert into users (user_name, password_hash, customer_id, role_id)
         select $2, '', u.customer_id, u.role_id from users u where u.id = $1`,
        [server.world.users.northAdmin, name],
      );
    }
    const { items } = await north.data(listSiteIssueUsers, { params: { id: server.world.sites.northQuay } });
    expect(items.map(({ userName }) => userName).filter((name) => names.includes(name))).toEqual(names);
    await query('delete from users where user_name = any($1)', [names]);
  });

  test('are found by their names, and are at most 50', async () => {
    const { sites, users } = server.world;
    const params = { id: sites.northQuay };
    expect(idsOf(await reader.data(listSiteIssueUsers, { params, query: { search: 'north_adm' } }))).toEqual([
      users.northAdmin,
    ]);
    await query(
      `insert into users (user_name, nick_name, password_hash, customer_id, role_id)
       select 'crowd_' || n, 'Crowd', '', u.customer_id, u.role_id from users u, generate_series(1, 60) n
        where u.id = $1`,
      [users.northAdmin],
    );
    expect((await reader.data(listSiteIssueUsers, { params, query: { search: 'crowd' } })).items).toHaveLength(50);
    await query(`delete from users where user_name like 'crowd_%'`);
  });
});

describe('watchers of a new issue', () => {
  type Body = BodyOf<typeof createSiteIssue>;
  const create = (client: Client, more: Partial<Body>, site: 'northQuay' | 'northMill' = 'northQuay') => {
    const body: Body = { title: fresh('Issue'), type: 1, ...more };
    return client.call(createSiteIssue, { params: { id: server.world.sites[site] }, body });
  };
  const watchersOf = async (id: number) =>
    (await query<{ id: number }>('select user_id as id from issue_watchers where issue_id = $1', [id]))
      .map((row) => row.id)
      .sort();
  const noticesOf = (id: number) =>
    query<{ type: string; user_ids: number[]; data: { occasion?: string } }>(
      `select type, user_ids, data from announced where subject_kind = 'issue' and subject_id = $1 order by id`,
      [String(id)],
    );

  test('are those of the form, its author and the assignee, and learn of the issue', async () => {
    const { northAdmin, northAssigned, northReader } = server.world.users;
    const entered = { watcherIds: [northReader, northAdmin, northAssigned], assigneeId: northAssigned };
    const { id } = (await create(north, entered)).data;
    expect(await watchersOf(id)).toEqual([northAdmin, northAssigned, northReader].sort());
    expect(await noticesOf(id)).toMatchObject([
      { type: 'issueAssigned', user_ids: [northAssigned] },
      { type: 'issueCreated', user_ids: [northReader], data: { occasion: 'watching' } },
    ]);
    const { watchers } = await root.data(readIssue, { params: { id } });
    expect(watchers.map((one) => one.id).sort()).toEqual([northAdmin, northAssigned, northReader].sort());
  });

  test('must be able to see it, and be known to the caller', async () => {
    const { southAdmin, northAssigned, northDisabled, northNoMenus, vendorStaff } = server.world.users;
    const before = await query('select from issues');
    for (const user of [southAdmin, northAssigned, northDisabled, northNoMenus, vendorStaff]) {
      expect(await create(north, { watcherIds: [user] }, 'northMill')).toMatchObject({
        ...{ code: CODES.issueWatchers.code, field: 'watcherIds' },
      });
    }
    expect(await query('select from issues')).toHaveLength(before.length);
  });
});
