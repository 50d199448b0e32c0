import {
  accessEndpoints,
  accountEndpoints,
  auditEndpoints,
  CSRF_HEADER,
  onlineEndpoints,
  PAGE_HEADER,
  peopleEndpoints,
  streamEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, client, openSession } from '../../testing/client.ts';
import { type EventStream, openStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { loginBody, postLogin, signIn } from '../../testing/sign-in.ts';
import { type Person, WORLD_PASSWORD } from '../../testing/world.ts';

const { listOnline, kickSession } = onlineEndpoints;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query('delete from sessions; delete from login_logs; delete from action_logs');
});

/** A signed-in user with the number of their session. */
async function enter(person: Person, locale: 'en-US' | 'zh-CN' = 'en-US') {
  const session = await openSession(server.database.db, server.world.users[person]);
  const { rows } = await server.database.pool.query('select number from sessions where id = $1', [session.id]);
  const number: number = rows[0].number;
  return { ...session, number, client: client(server.url, session, locale) };
}
const namesSeenBy = async (who: Client, query: object = {}) => {
  const { items, total } = await who.data(listOnline, { query });
  expect(total).toBe(items.length);
  return items.map(({ userName }) => userName);
};
const infoOf = (who: Client) => who.call(accessEndpoints.info);
const kick = (who: Client, id: number, body: { cause: 'maintenance' | 'security' | 'other'; note?: string }) =>
  who.call(kickSession, { params: { id }, body });

describe('the list', () => {
  test.each<[Person, string[]]>([
    ['root', ['north_admin', 'north_assigned', 'north_reader', 'root_user', 'south_admin']],
    ['northAdmin', ['north_admin', 'north_assigned', 'north_reader']],
    ['northAssigned', ['north_assigned']],
    ['southAdmin', ['south_admin']],
  ])('%s sees the sessions of %j', async (person, names) => {
    const seen = new Map<Person, Client>();
    for (const one of ['root', 'northAdmin', 'northAssigned', 'northReader', 'southAdmin'] as const) {
      seen.set(one, (await enter(one)).client);
    }
    expect(await namesSeenBy(seen.get(person) as Client, { sort: 'userName' })).toEqual(names);
  });

  test('shows only open sessions, searched, filtered and sorted', async () => {
    const { client: root } = await enter('root');
    await enter('northAdmin');
    await enter('southAdmin');
    await openSession(server.database.db, server.world.users.vendorStaff, -1);
    const { client: leaving } = await enter('northReader');
    await leaving.data(accessEndpoints.logout, { body: {} });
    expect(await namesSeenBy(root)).toEqual(['south_admin', 'north_admin', 'root_user']);
    expect(await namesSeenBy(root, { sort: '-userName' })).toEqual(['south_admin', 'root_user', 'north_admin']);
    expect(await namesSeenBy(root, { search: 'NORTH_' })).toEqual(['north_admin']);
    expect(await namesSeenBy(root, { customerId: server.world.customers.south })).toEqual(['south_admin']);
    const page = await root.data(listOnline, { query: { page: 2, pageSize: 10 } });
    expect(page).toEqual({ items: [], total: 3 });
  });

  test('shows the current page of a user, which is stored when their session is extended', async () => {
    const { client: root } = await enter('root');
    const north = await enter('northAdmin');
    const pageOf = async () => (await root.data(listOnline, { query: { search: 'north_admin' } })).items[0]?.page;
    const visit = (page: string) =>
      north.client.fetch(accountEndpoints.readAccount.path, { headers: { [PAGE_HEADER]: page } });
    expect(await pageOf()).toBeNull();
    await visit('/manage/device/list');
    expect(await pageOf()).toBe('/manage/device/list');
    await visit('/manage/site/list');
    expect(await pageOf()).toBe('/manage/device/list');
    await server.database.pool.query(`update sessions set last_seen_at = now() - interval '61 s'`);
    await visit('/manage/site/list');
    expect(await pageOf()).toBe('/manage/site/list');
    await server.database.pool.query(`update sessions set last_seen_at = now() - interval '61 s'`);
    for (const page of ['https://elsewhere.example', `/manage/${'x'.repeat(200)}`, '/manage/<script>'])
      await visit(page);
    expect(await pageOf()).toBe('/manage/site/list');
  });
});

describe('an account with the default settings', () => {
  test('is signed in on five browsers at once; a sixth sign-in ends the oldest session', async () => {
    const open = async () => {
      const { session } = await signIn(server.url, 'north_reader', WORLD_PASSWORD);
      return client(server.url, session);
    };
    const [desk, ...others] = [await open(), await open(), await open(), await open(), await open()];
    const codes = async (clients: Client[]) => (await Promise.all(clients.map(infoOf))).map(({ code }) => code);
    expect(await codes([desk, ...others])).toEqual([0, 0, 0, 0, 0]);
    const sixth = await open();
    expect(await codes([desk, ...others, sixth])).toEqual([20003, 0, 0, 0, 0, 0]);
  });
});

describe('ending a session', () => {
  test('ends one session with a reason in the language of its user, and the stream closes immediately', async () => {
    const admin = await enter('northAdmin');
    const kicked = await enter('northReader', 'zh-CN');
    const other = await enter('northReader');
    const stream = await openStream(kicked.client, streamEndpoints.stream.path);
    await stream.next();
    const note = '请于 18:00 后重新登录 <b>';
    expect(await kick(admin.client, kicked.number, { cause: 'maintenance', note })).toMatchObject({
      data: { ended: 1 },
    });
    const message = `因系统维护，管理员已结束您的登录。说明：${note}`;
    // Events of other users may arrive before.
    const ends = (await stream.rest()).filter(({ event }) => event !== 'events');
    expect(ends).toEqual([{ event: 'session', data: { code: 20003, message } }]);
    expect(await infoOf(kicked.client)).toMatchObject({ code: 20003, message });
    expect(await kicked.client.call(listOnline)).toMatchObject({ code: 20003, message });
    expect(await infoOf(client(server.url, kicked))).toMatchObject({
      message: `An administrator ended your session because of maintenance work. Note: ${note}`,
    });
    expect((await infoOf(other.client)).code).toBe(0);
  });

  test('is in both logs, with the reason', async () => {
    const admin = await enter('northAdmin');
    const { number } = await enter('northReader');
    await kick(admin.client, number, { cause: 'security', note: ' Lost laptop ' });
    const logins = await admin.client.data(auditEndpoints.listLoginLogs);
    expect(logins.items[0]).toMatchObject({
      type: 1,
      reason: 'replaced',
      userName: 'north_reader',
      cause: 'security',
      note: 'Lost laptop',
    });
    const actions = await admin.client.data(auditEndpoints.listActionLogs);
    expect(actions.items[0]).toMatchObject({
      userName: 'north_admin',
      operation: 'edit',
      objectName: 'north_reader',
      after: { signedOut: 1, cause: 'security', note: 'Lost laptop' },
    });
  });

  test('of all sessions: every session of the user, with the same reason', async () => {
    const admin = await enter('northAdmin');
    const sessions = [await enter('northReader'), await enter('northReader')];
    const answer = await admin.client.data(peopleEndpoints.signOutUser, {
      params: { id: server.world.users.northReader },
      body: { cause: 'rights' },
    });
    expect(answer).toEqual({ ended: 2 });
    for (const one of sessions) {
      expect((await infoOf(one.client)).message).toMatch(
        /because your account or its permissions are being changed\.$/,
      );
    }
  });

  test('of two concurrent requests ends it once, and a session that has ended is no error', async () => {
    const admins = [await enter('northAdmin'), await enter('vendorStaff')];
    const { number } = await enter('northReader');
    const ended = await Promise.all(admins.map((one) => kick(one.client, number, { cause: 'other' })));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended.map(({ data }) => data.ended).toSorted()).toEqual([0, 1]);
    const { rows } = await server.database.pool.query('select count(*)::int as n from login_logs');
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('is refused for oneself, for users with more permissions, and for another customer', async () => {
    const admin = await enter('northAdmin');
    const staff = await enter('vendorStaff');
    const root = await enter('root');
    const south = await enter('southAdmin');
    const codes = [
      await kick(admin.client, admin.number, { cause: 'other' }),
      await kick(staff.client, root.number, { cause: 'other' }),
      await kick(admin.client, south.number, { cause: 'other' }),
      await kick(admin.client, 2_000_000_000, { cause: 'other' }),
    ];
    expect(codes.map(({ code, field }) => [code, field])).toEqual([
      [10137, 'id'],
      [10136, undefined],
      [10021, undefined],
      [10021, undefined],
    ]);
    for (const one of [admin, staff, root, south]) expect((await infoOf(one.client)).code).toBe(0);
  });

  test('with an unknown reason or a note that is too long is refused with the field', async () => {
    const admin = await enter('northAdmin');
    const { number } = await enter('northReader');
    const send = async (body: object) => {
      const response = await admin.client.fetch(`/api/auth/sys/sessions/${number}/kick`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [CSRF_HEADER]: admin.csrf },
        body: JSON.stringify(body),
      });
      return await response.json();
    };
    expect(await send({ cause: 'owner' })).toMatchObject({ code: 10018, field: 'cause' });
    expect(await send({})).toMatchObject({ code: 10010, field: 'cause' });
    expect(await send({ cause: 'other', note: 'x'.repeat(201) })).toMatchObject({ code: 10014, field: 'note' });
  });
});

describe('the live stream', () => {
  const listen = async (person: Person) => {
    const stream = await openStream((await enter(person)).client, streamEndpoints.stream.path);
    await stream.next();
    return stream;
  };
  const signIn = async (userName: string) =>
    await postLogin(server.url, await loginBody(server.url, userName, WORLD_PASSWORD));

  test('sends sign-ins and sign-outs to users who see the user, and to nobody else', async () => {
    const sessionsOfNorth = {
      event: 'events',
      data: { 'customer.sessions': [[server.world.customers.north, null]] },
    };
    const admin = await listen('northAdmin');
    const south = await listen('southAdmin');
    const without = await listen('northNoMenus');
    const { session } = await signIn('north_reader');
    expect(await admin.next()).toEqual(sessionsOfNorth);
    await client(server.url, session).data(accessEndpoints.logout, { body: {} });
    expect(await admin.next()).toEqual(sessionsOfNorth);
    await server.database.pool.query('delete from sessions where user_id = $1', [server.world.users.northReader]);
    // The first event for the other customer and for the role without the list is the end of their own session.
    const root = await enter('root');
    const ends = async (person: Person, stream: EventStream) => {
      const id = server.world.users[person];
      await root.client.data(peopleEndpoints.signOutUser, { params: { id } });
      return (await stream.rest()).map(({ event }) => event);
    };
    expect(await ends('southAdmin', south)).toEqual(['session']);
    expect(await ends('northNoMenus', without)).toEqual(['session']);
    await admin.close();
  });
});
