import { type BodyOf, CODES, ENDPOINTS, type tokenEndpoints } from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openClient } from '../testing/applications/signing.ts';
import type { Client } from '../testing/client.ts';
import { emptyTables } from '../testing/database/database.ts';
import { eventually } from '../testing/eventually.ts';
import { sheetOf, textsOfXlsx } from '../testing/files/xlsx.ts';
import { connectPile, type Pile } from '../testing/gateways/pile.ts';
import { invoke } from '../testing/invoke.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

type NewToken = BodyOf<typeof tokenEndpoints.createToken>;
const { createToken, listTokens, updateToken, changeTokens, setSiteTokenPolicy, setDeviceTokenPolicy } = ENDPOINTS;
const { readDeviceTokenPolicy, listTransactions, listFrames, listUnknownTokens, addUnknownToken } = ENDPOINTS;
const { listDeviceTokenLists, importTokens, listTokenImports, exportTokenImport, exportTokens } = ENDPOINTS;

let server: TestServer;
let admin: Client;
let reader: Client;
let device: { id: number; sn: string };
let north: number;
beforeAll(async () => {
  server = await startTestServer();
  device = server.world.devices.northQuay1;
  north = server.world.customers.north;
  admin = await server.as('northAdmin');
  reader = await server.as('northReader');
});
afterAll(() => server.stop());
beforeEach(async () => {
  await emptyTables(
    server.database.pool,
    'tokens',
    'token_policies',
    'unknown_tokens',
    'device_token_lists',
    'executions',
    'commands',
    'transactions',
    'token_books',
  );
  await admin.data(setSiteTokenPolicy, {
    params: { id: server.world.sites.northQuay },
    body: { tokenPolicy: 'known' },
  });
});

const PAGE = { page: 1, pageSize: 20 } as const;
const FIELDS = {
  tokenType: 'ISO14443',
  ...{ tokenGroup: null, holder: '', tokenNote: '', validFrom: null, validUntil: null },
  ...{ blocked: false, concurrent: false },
} as const;
const add = async (tokenValue: string, more: Partial<NewToken> = {}) =>
  (await admin.data(createToken, { body: { customerId: north, tokenValue, ...FIELDS, siteIds: [], ...more } })).id;
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const start = (idTag: string, more: object = {}) => ({
  ...{ connectorId: 1, idTag, meterStart: 0, timestamp: new Date().toISOString() },
  ...more,
});

async function withPile<T>(work: (pile: Pile) => Promise<T>): Promise<T> {
  const pile = await connectPile(server, device.sn);
  try {
    return await work(pile);
  } finally {
    await pile.cut();
  }
}

test('the closest policy decides, and the session shows who decided and why', async () => {
  await add('04A2B3C4', { tokenGroup: 'FLEET', validUntil: '2099-01-01T00:00:00.000Z' });
  await add('04BLOCKED', { blocked: true });
  await add('04EXPIRED', { validUntil: ago(1) });
  await add('04LATER', { validFrom: '2099-01-01T00:00:00.000Z' });
  await add('04ELSEWHERE', { siteIds: [server.world.sites.northMill] });
  await withPile(async (pile) => {
    const ask = async (idTag: string) => (await pile.say('Authorize', { idTag })).idTagInfo;
    expect(await ask('04a2B3c4')).toEqual({
      ...{ status: 'Accepted', parentIdTag: 'FLEET', expiryDate: '2099-01-01T00:00:00.000Z' },
    });
    expect(await ask('04BLOCKED')).toEqual({ status: 'Blocked' });
    expect(await ask('04EXPIRED')).toEqual({ status: 'Expired' });
    expect(await ask('04LATER')).toEqual({ status: 'Invalid' });
    expect(await ask('04ELSEWHERE')).toEqual({ status: 'Invalid' });
    expect(await ask('NOBODY')).toEqual({ status: 'Invalid' });

    const first = await pile.say('StartTransaction', start('04A2B3C4'));
    expect(first).toMatchObject({ idTagInfo: { status: 'Accepted', parentIdTag: 'FLEET' } });
    // The driver asks again to end it; a second session is refused, but recorded.
    expect(await ask('04A2B3C4')).toMatchObject({ status: 'Accepted' });
    const second = await pile.say('StartTransaction', start('04A2B3C4', { connectorId: 2 }));
    expect(second).toMatchObject({ idTagInfo: { status: 'ConcurrentTx' } });
    const stop = { meterStop: 1, timestamp: new Date().toISOString(), idTag: '04a2b3c4' };
    expect(await pile.say('StopTransaction', { transactionId: first.transactionId, ...stop })).toMatchObject({
      idTagInfo: { status: 'Accepted' },
    });

    await admin.data(setDeviceTokenPolicy, { params: { id: device.id }, body: { tokenPolicy: 'everyone' } });
    expect(await ask('NOBODY')).toEqual({ status: 'Accepted' });
  });
  const { items } = await admin.data(listTransactions, { params: { id: device.id }, query: {} });
  expect(items.map(({ decision }) => [decision?.status, decision?.reason, decision?.policy, decision?.level])).toEqual([
    ['ConcurrentTx', 'concurrent', 'known', 'site'],
    ['Accepted', 'known', 'known', 'site'],
  ]);
  expect(await admin.data(readDeviceTokenPolicy, { params: { id: device.id } })).toMatchObject({
    ...{ own: 'everyone', applied: { policy: 'everyone', level: 'device' } },
    ...{ inherited: { policy: 'known', level: 'site' }, mayEdit: true },
  });
  expect(await reader.data(readDeviceTokenPolicy, { params: { id: device.id } })).toMatchObject({ mayEdit: false });
});

test('a session that began offline is stored, and refused when its token was blocked meanwhile', async () => {
  const id = await add('04LOST');
  await admin.data(changeTokens, { body: { ids: [id], tokenChange: 'block' } });
  await withPile(async (pile) => {
    const message = start('04LOST', { timestamp: ago(5) });
    const answer = await pile.say('StartTransaction', message);
    expect(answer).toMatchObject({ transactionId: expect.any(Number), idTagInfo: { status: 'Blocked' } });
    // Repeated, because the answer was lost: the same session, with its first decision.
    await admin.data(changeTokens, { body: { ids: [id], tokenChange: 'unblock' } });
    expect(await pile.say('StartTransaction', message)).toMatchObject({ transactionId: answer.transactionId });
  });
  const { items } = await admin.data(listTransactions, { params: { id: device.id }, query: {} });
  expect(items).toMatchObject([
    { idTag: '04LOST', decision: { status: 'Blocked', reason: 'blockedSince', tokenId: id } },
  ]);
});

test('values are masked for readers in lists, sessions, frames and the action log, and cannot be searched', async () => {
  const id = await add('04MASKED99', { holder: 'Ada Lovelace' });
  await withPile((pile) => pile.say('StartTransaction', start('04MASKED99')));
  const wanted = { body: { ...PAGE, search: '04masked99' } };
  expect((await admin.data(listTokens, wanted)).items).toMatchObject([{ id, value: '04MASKED99', masked: false }]);
  expect(await reader.data(listTokens, wanted)).toEqual({ items: [], total: 0 });
  const shown = [
    await reader.data(listTokens, { body: PAGE }),
    await reader.data(listTransactions, { params: { id: device.id }, query: {} }),
    await reader.data(listFrames, { params: { id: device.id }, query: { limit: 50 } }),
    await reader.data(ENDPOINTS.listFleetFrames, { query: { limit: 50 } }),
    await reader.data(ENDPOINTS.readRuntime, { params: { id: device.id } }),
    await admin.data(ENDPOINTS.listActionLogs, { query: {} }),
  ].map((one) => JSON.stringify(one));
  for (const text of shown) {
    expect(text).not.toContain('04MASKED99');
    expect(text).not.toContain('Ada Lovelace');
  }
  expect(shown[0]).toContain('•••ED99');
  expect(shown[2]).toContain('•••ED99');
  expect(JSON.stringify(await admin.data(listFrames, { params: { id: device.id }, query: { limit: 50 } }))).toContain(
    '04MASKED99',
  );
  expect((await reader.call(exportTokens, { query: {} })).code).toBe(CODES.noPermission.code);
});

test('without the level for tokens, executions, exported frames, evidence and the open API are masked, too', async () => {
  const value = '04SECRET77';
  const params = { id: device.id };
  const setLevels = (levels: object) =>
    server.database.pool.query(`update roles set levels = $1 where name = 'Reader'`, [JSON.stringify(levels)]);
  // Every level but the one for tokens.
  await setLevels({ ...levelsAll(1), user: { read: 5, write: 1, download: 1 } });
  try {
    const message = {
      kind: 'sendMessage',
      action: 'SendLocalList',
      payload: { listVersion: 1, updateType: 'Full', localAuthorizationList: [{ idTag: value }] },
    } as const;
    const sent = await withPile(async (pile) => {
      const ids: string[] = [];
      await pile.say('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
      for (const body of [{ kind: 'remoteStart', connector: 1, idTag: value } as const, message]) {
        ids.push((await admin.data(ENDPOINTS.sendCommand, { params, body })).id);
        pile.answer((await pile.call(ids.length)).id, { status: 'Accepted' });
      }
      await pile.say('StartTransaction', start(value));
      return ids;
    });
    const issue = await admin.data(ENDPOINTS.createDeviceIssue, { params, body: { title: 'Card refused', type: 1 } });
    const root = await server.as('root');
    const allowedOperations = ['sendCommand', 'readCommand', 'readReadings'];
    const fields = { description: '', allowedAddresses: [], rateLimit: 600, expiresAt: null, allowedOperations };
    const application = { ...fields, name: 'Cards', userId: server.world.users.northReader };
    const open = openClient(server.url, await root.data(ENDPOINTS.createApplication, { body: application }));
    const seen = async (one: Client) => [
      JSON.stringify(await one.data(ENDPOINTS.listExecutions, { params, query: {} })),
      JSON.stringify(await one.data(ENDPOINTS.readExecution, { params: { ...params, executionId: sent[1]! } })),
      (await invoke(one, ENDPOINTS.exportFleetFrames, { query: { deviceId: device.id } })).bytes.toString(),
    ];
    for (const text of await seen(admin)) expect(text).toContain(value);
    const frozen = JSON.stringify(await admin.data(ENDPOINTS.readIssueFrames, { params: { id: issue.id } }));
    for (const text of [...(await seen(reader)), frozen]) {
      expect(text).not.toContain(value);
      expect(text).toContain('•••ET77');
    }
    for (const path of [`commands/${sent[0]}`, 'readings']) {
      const { status, body } = await open.send('GET', `/api/open/v1/devices/${device.id}/${path}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(value);
    }
  } finally {
    await setLevels(levelsAll(5));
  }
});

test('unknown tokens are counted by site, and added with one click', async () => {
  // What earlier tests presented.
  await server.sweep();
  await emptyTables(server.database.pool, 'unknown_tokens');
  await withPile(async (pile) => {
    for (const idTag of ['NEW-CARD', 'new-card', 'OTHER']) await pile.say('Authorize', { idTag });
    await server.sweep();
    const { items } = await admin.data(listUnknownTokens, { query: { sort: '-count' } });
    expect(items).toMatchObject([
      { value: 'new-card', count: 2, deviceId: device.id, siteId: server.world.sites.northQuay, mayAdd: true },
      { value: 'OTHER', count: 1 },
    ]);
    await admin.data(addUnknownToken, { params: { id: items[0]!.id }, body: { holder: 'Ada' } });
    expect((await pile.say('Authorize', { idTag: 'NEW-CARD' })).idTagInfo).toEqual({ status: 'Accepted' });
  });
  expect((await admin.data(listUnknownTokens, { query: {} })).items).toMatchObject([{ value: 'OTHER' }]);
});

test('a value is unique without case, and its period and sites must make sense', async () => {
  const id = await add('04AB');
  const body = (more: object) => ({ body: { customerId: north, tokenValue: '04ab', ...FIELDS, siteIds: [], ...more } });
  expect(await admin.call(createToken, body({}))).toMatchObject({ code: CODES.tokenTaken.code, field: 'tokenValue' });
  expect(await admin.call(createToken, body({ tokenValue: 'A B' }))).toMatchObject({ code: CODES.tokenForm.code });
  const period = { tokenValue: 'X', validFrom: ago(1), validUntil: ago(2) };
  expect(await admin.call(createToken, body(period))).toMatchObject({ code: CODES.tokenPeriod.code });
  const siteIds = [server.world.sites.southPark];
  expect(await admin.call(createToken, body({ tokenValue: 'X', siteIds }))).toMatchObject({
    code: CODES.tokenSites.code,
  });
  const { revision } = (await admin.data(listTokens, { body: PAGE })).items[0]!;
  const edited = { params: { id }, body: { ...FIELDS, siteIds: [], holder: 'B', revision } };
  await admin.data(updateToken, edited);
  expect((await admin.call(updateToken, edited)).code).toBe(CODES.changedMeanwhile.code);
});

test('a change waits for an import of the customer without a deadlock', async () => {
  const id = await add('04AB');
  const other = await server.database.pool.connect();
  try {
    // As an import does: the revisions, then the tokens.
    await other.query('begin');
    await other.query('update token_books set revision = revision + 1 where customer_id = $1', [north]);
    const blocking = admin.call(changeTokens, { body: { ids: [id], tokenChange: 'block' } });
    const isWaiting = async () =>
      (
        await server.database.pool.query(
          `select 1 from pg_locks w where not w.granted and w.pid <> pg_backend_pid()
             and exists (select from pg_stat_activity a where a.pid = w.pid and a.datname = current_database())`,
        )
      ).rowCount;
    await eventually(isWaiting, (waiting) => (waiting ?? 0) > 0);
    await other.query(`set local lock_timeout = '1s'`);
    await other.query('update tokens set note = $2 where id = $1', [id, 'imported']);
    await other.query('commit');
    expect(await blocking).toMatchObject({ data: { results: [{ id, code: 0 }] } });
  } finally {
    await other.query('rollback');
    other.release();
  }
  expect((await admin.data(listTokens, { body: PAGE })).items).toMatchObject([{ note: 'imported', state: 'blocked' }]);
});

/** A charge point with a local list, which checks versions as OCPP 1.6 demands. */
function localList() {
  const list = new Map<string, string>();
  let version = 0;
  let cleared = 0;
  const updates: string[] = [];
  return {
    list,
    updates,
    get version() {
      return version;
    },
    get cleared() {
      return cleared;
    },
    forget() {
      version = 0;
      list.clear();
    },
    take(action: string, payload: Record<string, unknown>): object {
      if (action === 'ClearCache') {
        cleared += 1;
        return { status: 'Accepted' };
      }
      if (action === 'GetLocalListVersion') return { listVersion: version };
      // Parameters, which the server reads after a boot.
      if (action !== 'SendLocalList') return { configurationKey: [], unknownKey: [] };
      const { listVersion, updateType } = payload as { listVersion: number; updateType: string };
      const entries = (payload.localAuthorizationList ?? []) as { idTag: string; idTagInfo?: { status: string } }[];
      updates.push(`${updateType} ${entries.length}`);
      if (updateType === 'Differential' && listVersion <= version) return { status: 'VersionMismatch' };
      if (updateType === 'Full') list.clear();
      for (const { idTag, idTagInfo } of entries) {
        if (idTagInfo) list.set(idTag.toLowerCase(), idTagInfo.status);
        else list.delete(idTag.toLowerCase());
      }
      version = listVersion;
      return { status: 'Accepted' };
    },
  };
}

test('the local list of a charge point is full, then follows each change, and comes again after it was lost', async () => {
  await server.database.pool.query(
    `insert into device_parameters (device_id, key, value, readonly, read_at) values ($1, 'SendLocalListMaxLength', '2', true, now())
     on conflict do nothing`,
    [device.id],
  );
  const ids: number[] = [];
  for (const value of ['L1', 'L2', 'L3']) ids.push(await add(value));
  await add('L4', { siteIds: [server.world.sites.northMill] });
  const local = localList();
  await withPile(async (pile) => {
    let answered = 0;
    const boot = () => pile.say('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    const serve = async (until: () => boolean) => {
      // Without a sweep: boots and changes of tokens are enough.
      await eventually(async () => {
        while (pile.calls.length > answered) {
          const call = await pile.call(++answered);
          pile.answer(call.id, local.take(call.action, call.payload as Record<string, unknown>));
        }
        return until();
      }, Boolean);
    };
    const shown = async () => (await admin.data(listDeviceTokenLists, { query: { deviceId: device.id } })).items[0];
    await boot();
    await serve(() => local.list.size === 3);
    expect(local.updates).toEqual(['Full 2', 'Differential 1']);

    await admin.data(changeTokens, { body: { ids: [ids[1]!], tokenChange: 'block' } });
    await serve(() => local.list.get('l2') === 'Blocked' && local.cleared === 1);
    expect(local.updates.slice(2)).toEqual(['Differential 1']);
    await admin.data(changeTokens, { body: { ids: [ids[0]!], tokenChange: 'delete' } });
    await serve(() => !local.list.has('l1') && local.cleared === 2);

    local.forget();
    await boot();
    await serve(() => local.list.size === 2);
    expect([...local.list]).toEqual([
      ['l2', 'Blocked'],
      ['l3', 'Accepted'],
    ]);
    await eventually(
      async () => {
        await server.sweep();
        return (await shown())?.state;
      },
      (state) => state === 'equal',
    );
    const row = await shown();
    expect(row).toMatchObject({ version: local.version, entries: 2, wantedEntries: 2, leftOut: 0 });
    expect(row!.checksum).toBe(row!.wantedChecksum);
    // Their messages leave nothing in the commands of the device.
    const { rows } = await server.database.pool.query(`select 1 from commands where kind = 'updateTokenList'`);
    expect(rows).toEqual([]);
  });
});

test('an import whose process has ended is failed, and does not refuse the next one', async () => {
  await server.database.db
    .insertInto('token_imports')
    .values({
      ...{ customer_id: north, user_id: null, user_name: 'Ada', file_name: 'left.xlsx' },
      ...{ node: 'a host that is gone', state: 'running', total: 9 },
    })
    .execute();
  expect((await admin.data(listTokenImports, { query: {} })).items[0]).toMatchObject({ state: 'failed', total: 9 });
  const content = (await sheetOf(['Value'], [['NEXT']])).toString('base64');
  await admin.data(importTokens, { body: { customerId: north, fileName: 'next.xlsx', content } });
  await eventually(
    async () => (await admin.data(listTokenImports, { query: {} })).items[0],
    (one) => one?.state === 'done',
  );
});

test('a file is imported row by row with progress; skipped rows are reported with their reasons', async () => {
  await add('OLD', { holder: 'Before' });
  const rows = [
    ['OLD', '', 'After', ''],
    ['NEW-1', 'emaid', 'Ada', '2030-12-31'],
    ['new-1', '', 'Twice', ''],
    ['A B', '', 'Blank', ''],
    ['NEW-2', 'Card', 'B', 'soon'],
  ];
  const content = (await sheetOf(['Value', 'Type', 'Holder', 'Valid until'], rows)).toString('base64');
  const { id } = await admin.data(importTokens, { body: { customerId: north, fileName: 'cards.xlsx', content } });
  const done = await eventually(
    async () => (await admin.data(listTokenImports, { query: {} })).items[0],
    (one) => one?.state === 'done',
  );
  expect(done).toMatchObject({ id, total: 5, done: 5, added: 1, changed: 1, unchanged: 0, skipped: 3 });
  expect(done!.faults.map(({ row, value }) => [row, value])).toEqual([
    [4, 'new-1'],
    [5, 'A B'],
    [6, 'NEW-2'],
  ]);
  expect(done!.faults[2]!.problems).toHaveLength(2);
  const report = textsOfXlsx((await invoke(admin, exportTokenImport, { params: { id } })).bytes);
  expect(report).toContain('A B');
  const { items } = await admin.data(listTokens, { body: { ...PAGE, sort: 'holder' } });
  expect(items.map(({ value, type, holder, validUntil }) => [value, type, holder, validUntil])).toEqual([
    ['NEW-1', 'eMAID', 'Ada', '2030-12-31T16:00:00.000Z'],
    ['OLD', 'ISO14443', 'After', null],
  ]);
  const exported = textsOfXlsx((await invoke(admin, exportTokens, {})).bytes);
  expect(exported).toEqual(expect.arrayContaining(['NEW-1', 'OLD', 'eMAID']));
});
