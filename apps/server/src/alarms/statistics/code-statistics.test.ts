import { randomUUID } from 'node:crypto';
import { categoryEndpoints, documentEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let server: TestServer;
let root: Client;
let categoryId: number;
let deviceId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  deviceId = server.world.devices.northQuay1.id;
  const names = { parentId: null, nameEn: 'Codes', nameZh: '编码' };
  categoryId = (await root.data(categoryEndpoints.createCategory, { body: names })).id;
});
afterAll(() => server.stop());

/** A new code with its document. */
async function newCode() {
  const code = `Code${randomUUID()}`;
  const values = { name: code, type: 100, categoryId, readLevel: 5, writeLevel: 5 } as const;
  const bindings = [{ key: code, deviceModelId: null }];
  const body = { ...values, bindings, locale: 'en-US', title: 'Code' } as const;
  const { id } = await root.data(documentEndpoints.createDocument, { body });
  const read = () => root.data(documentEndpoints.readCodeStatistics, { params: { id } });
  return { code, read };
}

const ago = (ms: number) => new Date(Date.now() - ms);

/** An alarm that was raised some time ago, and cleared after `lasted`. */
async function raise(code: string, before: number, lasted = MINUTE): Promise<void> {
  await server.database.pool.query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
     values ($1, 1, $2, 'fault', 'MA', $3, $3, $4)`,
    [deviceId, code, ago(before), ago(before - lasted)],
  );
}

/** A command that ended; returns the id of its execution. */
async function command(kind: string, before: number, result = 2): Promise<string> {
  const id = randomUUID();
  await server.database.pool.query(
    `with c as (
       insert into commands (kind, control_type, params, requested_by_name) values ($1, 1, '{}', 'case') returning id)
     insert into executions (id, command_id, device_id, state, result, queued_at, deadline_at, ended_at)
     select $2, c.id, $3, 'ended', $4, $5, $5, $5 from c`,
    [kind, id, deviceId, result, ago(before)],
  );
  return id;
}

async function transfer(executionId: string, state: 'stored' | 'failed'): Promise<void> {
  await server.database.pool.query(
    `insert into transfers (execution_id, device_id, kind, transport, log_type, state, reason, requested_by_name,
                            deadline_at, ended_at)
     values ($1, $2, 'log', 'http', 'diagnostics', $3, case when $3 = 'failed' then 'uploadFailed' end, 'case', now(), now())`,
    [executionId, deviceId, state],
  );
}

test('alarms count for the software version that the device had when they were raised', async () => {
  const { code, read } = await newCode();
  const upgrade = (version: string) =>
    server.database.pool.query('update devices set soft_version = $1 where id = $2', [version, deviceId]);
  await upgrade('');
  await raise(code, 5 * DAY);
  await upgrade('1.4.2');
  await raise(code, 4 * DAY);
  await raise(code, 3 * DAY);
  await upgrade('2.0.0');
  await raise(code, 2 * DAY);
  expect((await read()).firmware).toEqual([
    { name: '1.4.2', count: 2 },
    { name: '2.0.0', count: 1 },
  ]);
});

test('only commands that succeeded count as followed by no return', async () => {
  const { code, read } = await newCode();
  const results = { succeeded: 2, failed: 3, timedOut: 4, offline: 5, logStored: 2, logFailed: 2 };
  for (const [index, [kind, result]] of Object.entries(results).entries()) {
    const before = (10 + 3 * index) * DAY;
    await raise(code, before);
    const id = await command(kind, before - 10 * MINUTE, result);
    if (kind === 'logStored') await transfer(id, 'stored');
    if (kind === 'logFailed') await transfer(id, 'failed');
  }
  const { commands } = await read();
  expect(Object.fromEntries(commands.map(({ kind, count, resolved }) => [kind, [count, resolved]]))).toEqual({
    ...{ succeeded: [1, 1], failed: [1, 0], timedOut: [1, 0], offline: [1, 0] },
    ...{ logStored: [1, 1], logFailed: [1, 0] },
  });
});

test('an alarm that was cleared less than a day ago, or later than a day after the command, does not count', async () => {
  const { code, read } = await newCode();
  await raise(code, 40 * DAY, 3 * DAY);
  await command('lasted', 40 * DAY - MINUTE);
  await raise(code, 30 * DAY, 23 * 60 * MINUTE);
  await command('cleared', 30 * DAY - MINUTE);
  await raise(code, DAY + 20 * MINUTE, 30 * MINUTE);
  await command('justCleared', DAY + 10 * MINUTE);
  await raise(code, 5 * MINUTE);
  await command('recent', 3 * MINUTE);
  expect(Object.fromEntries((await read()).commands.map(({ kind, resolved }) => [kind, resolved]))).toEqual({
    ...{ lasted: 0, cleared: 1, justCleared: 0, recent: 0 },
  });
});
