import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseBefore } from '../testing/database/before-migration.ts';
import type { TestDatabase } from '../testing/database/database.ts';

let database: TestDatabase;
let migrate: () => Promise<string[]>;
beforeAll(async () => {
  ({ database, migrate } = await databaseBefore('380_incident_types.sql'));
});
afterAll(() => database.drop());

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const idOf = async (text: string, values: unknown[] = []) => Number((await query(text, values))[0].id);

test('open incidents of earlier versions know their type, and the webhooks that were called about them', async () => {
  const customer = await idOf(`insert into customers (code, name) values ('north', 'North') returning id`);
  const incident = (closed: boolean) =>
    idOf(
      `insert into incidents (type, cause, level, customer_id, subject_kind, subject_id, data, devices, members, open,
                              opened_at, last_at, alerted_at, closed_at)
       values ('fault', 'Fan', 'CA', $1, 'alarm', '7', '{"code": "Fan"}', '{}', 1, 1, now(), now(), now(),
               case when $2 then now() end) returning id`,
      [customer, closed],
    );
  const webhook = () =>
    idOf(
      `insert into webhooks (customer_id, name, url, format, locale) values ($1, 'Duty', '', 'standard', 'en-US')
       returning id`,
      [customer],
    );
  const [open, closed] = [await incident(false), await incident(true)];
  const [called, tested] = [await webhook(), await webhook()];
  const send = (id: number, about: number | null, type: string | null) =>
    query(
      `insert into message_sends (channel, customer_id, webhook_id, receiver, type, incident_id)
       values ('webhook', $1, $2, 'Duty', $3, $4)`,
      [customer, id, type, about],
    );
  for (const type of ['deviceOffline', 'fault']) await send(called, open, type);
  await send(called, closed, 'fault');
  await send(tested, null, null);
  await send(tested, open, 'recovery');

  await migrate();

  const first = { level: 'CA', subjectKind: 'alarm', subjectId: '7', data: { code: 'Fan' } };
  expect(await query('select id, types from incidents order by id')).toEqual([
    { id: open, types: { fault: first } },
    { id: closed, types: {} },
  ]);
  expect(await query('select * from incident_webhooks')).toEqual([
    { incident_id: open, webhook_id: called, type: 'fault', causes: ['Fan'] },
  ]);
});
