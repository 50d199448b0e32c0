import { readFile } from 'node:fs/promises';
import { accessEndpoints, accountEndpoints, CODES, systemParameterEndpoints } from '@chargehand/contract';
import type { ParameterKey } from '@chargehand/domain';
import { PARAMETER_KEYS, systemParameter } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localBus } from '../../platform/bus/local-bus.ts';
import { readConfig } from '../../platform/config/config.ts';
import { SECRET_SETTINGS, SETTINGS } from '../../platform/config/settings.ts';
import { createLog } from '../../platform/log.ts';
import { PARAMETERS_CHANGED } from '../../ports/settings/system-parameters.ts';
import { publicKeyOf } from '../../testing/cases/ground.ts';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { seal, signIn } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../testing/world.ts';
import { baseValues } from './base-values.ts';
import { environmentSettings } from './environment.ts';
import { openParameters } from './open-parameters.ts';

const { listSystemParameters, setSystemParameter, previewSystemParameter } = systemParameterEndpoints;
const { listSystemParameterChanges, undoSystemParameterChange, listEnvironmentSettings } = systemParameterEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false, sessionsPerUser: 7 });
  root = await server.as('root');
});
afterAll(() => server.stop());

const of = async (key: ParameterKey) =>
  (await root.data(listSystemParameters, {})).items.find((item) => item.key === key)!;
const set = async (key: ParameterKey, value: number | null, revision?: number) =>
  await root.call(setSystemParameter, {
    params: { key },
    body: { value, revision: revision ?? (await of(key)).revision },
  });
const changes = async () => (await root.data(listSystemParameterChanges, { query: {} })).items;
const undo = (id: number) => root.call(undoSystemParameterChange, { params: { id } });
const query = async (text: string) => (await server.database.pool.query(text)).rows;

describe('a change is in effect for other sessions at once', () => {
  test('the length of sessions, also of open ones', async () => {
    const other = await server.as('northAdmin');
    await query(`update sessions set last_seen_at = now() - interval '10 minutes', page = '/manage/home'
                  where user_id = ${server.world.users.northAdmin}`);
    expect((await set('sessionMinutes', 9)).code).toBe(0);
    expect((await other.call(accessEndpoints.info)).code).toBe(CODES.sessionExpired.code);
    const fresh = await server.as('northAdmin');
    expect((await fresh.call(accessEndpoints.info)).code).toBe(0);
    expect((await set('sessionMinutes', null)).code).toBe(0);
  });

  test('the number of sessions', async () => {
    expect(await of('sessionsPerUser')).toMatchObject({ value: 7, base: 7, changed: false, changedAt: null });
    await set('sessionsPerUser', 1);
    const codes = [];
    for (let count = 0; count < 2; count += 1) {
      codes.push((await signIn(server.url, 'south_admin', WORLD_PASSWORD)).envelope.code);
    }
    expect(codes).toEqual([0, 0]);
    const open = await query(`select count(*)::int as count from sessions
                               where user_id = ${server.world.users.southAdmin} and ended_at is null`);
    expect(open).toEqual([{ count: 1 }]);
    await set('sessionsPerUser', null);
  });

  test('the rule of passwords', async () => {
    await set('passwordLength', 14);
    const staff = await server.as('vendorStaff');
    const key = await publicKeyOf(server.database.db);
    const change = (password: string) =>
      staff.call(accountEndpoints.changePassword, {
        body: { currentPassword: seal(key, WORLD_PASSWORD), password: seal(key, password) },
      });
    expect(await change('Quay-lamp.123')).toMatchObject({
      ...{ code: CODES.passwordShort.code, field: 'password' },
      message: 'The password must have at least 14 characters in this installation.',
    });
    expect((await change('Quay-lamp.1234')).code).toBe(0);
    await set('passwordLength', null);
  });

  test('the limits of failed sign-ins', async () => {
    await set('signInFailures', 3);
    await set('signInLockMinutes', 40);
    const fail = async () => (await signIn(server.url, 'north_assigned', 'Wrong-pass.1')).envelope;
    expect([(await fail()).code, (await fail()).code]).toEqual(Array(2).fill(CODES.credentialsWrong.code));
    expect(await fail()).toMatchObject({ code: CODES.accountLocked.code, message: expect.stringContaining('40') });
    await query('delete from sign_in_failures');
  });

  test('a retention, after a preview', async () => {
    await query(`insert into login_logs (type, succeeded, user_name, address, user_agent, at)
                 select 0, true, 'past', '127.0.0.1', '', now() - make_interval(days => d) from unnest(array[50, 70]) d`);
    const preview = await root.data(previewSystemParameter, { params: { key: 'signInLogDays' }, query: { value: 60 } });
    expect(preview).toMatchObject({ rows: 1, approximate: false, oldest: expect.any(String) });
    await server.sweep();
    expect(await query(`select from login_logs where user_name = 'past'`)).toHaveLength(2);
    await set('signInLogDays', 60);
    await server.sweep();
    expect(await query(`select from login_logs where user_name = 'past'`)).toHaveLength(1);
  });

  test('the retention of parts of tables is previewed from their estimates', async () => {
    const at = (key: ParameterKey, value: number) =>
      root.data(previewSystemParameter, { params: { key }, query: { value } });
    for (const key of PARAMETER_KEYS.filter((one) => systemParameter(one).erases)) {
      expect(await at(key, systemParameter(key).least), key).toMatchObject({ rows: expect.any(Number) });
    }
  });
});

describe('refused values', () => {
  test.each<[ParameterKey, number, string, string]>([
    ['sessionMinutes', 4, 'parameterRange', 'Shorter sessions end while users still read a page.'],
    ['sessionMinutes', 5.5, 'parameterRange', 'whole number'],
    ['passwordLength', 7, 'parameterRange', 'Shorter passwords can be guessed.'],
    ['protocolLogDays', 0, 'parameterRange', 'With 0, everything would be deleted at once.'],
    ['readingDays', 500, 'parameterTooHigh', '5-minute rollups'],
    ['rollupDayDays', 10, 'parameterTooLow', 'Hourly rollups'],
  ])('%s of %d', async (key, value, code, text) => {
    const before = await of(key);
    const answer = await set(key, value);
    expect(answer).toMatchObject({ code: CODES[code as 'parameterRange'].code, field: 'value' });
    expect(answer.message).toContain(text);
    expect(await of(key)).toEqual(before);
  });

  test('the reason is in the language of the user', async () => {
    const chinese = await server.as('root', 'zh-CN');
    const body = { value: 0, revision: 0 };
    const { message } = await chinese.call(setSystemParameter, { params: { key: 'linkDays' }, body });
    expect(message).toBe('“历史远程连接”须为 1 到 3650 的整数。设为 0 会立即清空全部数据。');
  });

  test('unknown parameters and changes are not found', async () => {
    const params = { key: 'toString' };
    expect((await root.call(setSystemParameter, { params, body: { value: 1, revision: 0 } })).code).toBe(
      CODES.notFound.code,
    );
    expect((await undo(999_999)).code).toBe(CODES.notFound.code);
  });
});

test('a change with an old revision is refused; the same change again is accepted', async () => {
  const { revision } = await of('linkDays');
  expect((await set('linkDays', 80, revision)).code).toBe(0);
  expect(await set('linkDays', 70, revision)).toMatchObject({
    code: CODES.parameterChanged.code,
    message: 'root_user changed this parameter in the meantime. It is 80 now. Check it and change it again.',
  });
  expect((await set('linkDays', 80, revision)).code).toBe(0);
  expect((await changes()).filter(({ key }) => key === 'linkDays')).toHaveLength(1);
  const seen = (await of('linkDays')).revision;
  const both = await Promise.all([81, 82].map((value) => set('linkDays', value, seen)));
  expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, CODES.parameterChanged.code]);
});

test('changes are listed and logged, and the last one of a parameter can be undone', async () => {
  await set('errorLogDays', 60);
  await set('errorLogDays', 50);
  const [second, first] = await changes();
  expect(second).toMatchObject({ key: 'errorLogDays', before: 60, after: 50, userName: 'root_user', canUndo: true });
  expect(first).toMatchObject({ before: null, after: 60, canUndo: false });
  expect((await undo(first!.id)).code).toBe(CODES.parameterChangeOld.code);
  expect((await undo(second!.id)).data).toMatchObject({ value: 60, changed: true });
  expect((await changes())[0]).toMatchObject({ before: 50, after: 60, undid: second!.at });
  expect((await undo((await changes())[0]!.id)).data).toMatchObject({ value: 50 });
  await set('errorLogDays', null);
  expect(await of('errorLogDays')).toMatchObject({ value: 90, base: 90, changed: false });
  const logged = await query(`select before, after from action_logs
                               where object_type = 'systemParameter' and object_id = 'errorLogDays' order by id limit 2`);
  expect(logged).toEqual([
    { before: { errorLogDays: 90 }, after: { errorLogDays: 60 } },
    { before: { errorLogDays: 60 }, after: { errorLogDays: 50 } },
  ]);
});

test('values survive a restart, and a value that is not allowed has no effect', async () => {
  await set('addressFailures', 40);
  await query(`insert into system_parameters (key, value) values ('deviceLogDays', '0'), ('former', '"x"')`);
  await server.restart();
  expect(await of('addressFailures')).toMatchObject({ value: 40 });
  expect(await of('deviceLogDays')).toMatchObject({ value: 90 });
  await query(`delete from system_parameters where key in ('deviceLogDays', 'former')`);
});

test('every process reads the values again within a second', async () => {
  const bus = localBus((error) => {
    throw error;
  });
  const parts = { db: server.database.db, bus, log: createLog('silent'), bases: baseValues(readConfig({})) };
  const [one, other] = await Promise.all([openParameters(parts), openParameters(parts)]);
  await query(`insert into system_parameters (key, value) values ('protocolLogDays', '12')`);
  bus.publish(PARAMETERS_CHANGED, { key: 'protocolLogDays' });
  await expect
    .poll(() => [one.get('protocolLogDays'), other.get('protocolLogDays')], { timeout: 1_000 })
    .toEqual([12, 12]);
  one.stop();
  other.stop();
  await query(`delete from system_parameters where key = 'protocolLogDays'`);
});

describe('environment variables', () => {
  test('are all listed, in both languages', async () => {
    const { items } = await root.data(listEnvironmentSettings, {});
    expect(items.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
    expect(items.find(({ name }) => name === 'CHARGEHAND_LINK_DAYS')).toMatchObject({ parameter: 'linkDays' });
    for (const { meaning } of environmentSettings({}, 'zh-CN')) expect(meaning).toMatch(/\p{Script=Han}/u);
  });

  test('secrets are masked, also in other values', () => {
    const environment = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, `secret-of-${name}`]));
    environment.CHARGEHAND_PUBLIC_URL = 'https://ops:s3cret-of-proxy@ops.example.org';
    const shown = environmentSettings(environment, 'en-US');
    for (const { name, value, secret } of shown) {
      expect(secret, name).toBe(SECRET_SETTINGS.has(name));
      if (secret) expect(value, name).toBe('••••••••');
    }
    expect(JSON.stringify(shown)).not.toContain('s3cret-of-proxy');
  });

  test('defaults of parameters are those of their environment variables', () => {
    for (const key of PARAMETER_KEYS) {
      const { setting, fallback } = systemParameter(key);
      if (setting !== undefined) expect(SETTINGS[setting as 'PORT'].fallback, key).toBe(String(fallback));
    }
    expect(baseValues(readConfig({ CHARGEHAND_ERROR_LOG_DAYS: '33' }))).toMatchObject({ errorLogDays: 33 });
  });
});

test('docs/parameters.md lists every parameter', async () => {
  const docs = await readFile(new URL('../../../../../docs/parameters.md', import.meta.url), 'utf8');
  const lines = docs.split('\n').filter((line) => / \d+–\d+ \|/.test(line));
  expect(lines).toEqual(
    PARAMETER_KEYS.map((key) => {
      const { label, group, fallback, least, most, unit, setting, help } = systemParameter(key);
      const variable = setting === undefined ? '–' : `\`${setting}\``;
      return `| ${label.en} | ${group} | ${fallback} | ${least}–${most} | ${unit} | ${variable} | ${help.en} |`;
    }),
  );
});
