import { ENDPOINTS, issueEndpoints } from '@chargehand/contract';
import type { IssueMessageType } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newIssue } from '../../testing/cases/issues/issues.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';

const { explainSite, explainIssue, muteSite } = ENDPOINTS;
const { commentIssue, updateIssue, watchIssue, readIssue } = issueEndpoints;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());
beforeEach(() => rows('truncate on_call_shifts, site_receivers, message_mutes, message_settings'));

const rows = async (text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows;

describe('a site', () => {
  const explain = async (person: Person, type: 'fault' | 'recovery' | 'issueDue' = 'fault') =>
    (await server.as(person)).data(explainSite, { params: { id: server.world.sites.northQuay }, query: { type } });

  test('explains what connects the user with it, and what decides', async () => {
    const { users, sites, customers } = server.world;
    expect(await explain('northAdmin')).toMatchObject({ refusal: null, source: 'default', mail: 'off', ties: [] });
    expect(await explain('northAssigned')).toMatchObject({ refusal: null, source: 'default', ties: ['assigned'] });

    await rows('insert into site_receivers (site_id, user_id) values ($1, $2)', [sites.northQuay, users.northAssigned]);
    expect(await explain('northAssigned')).toMatchObject({ source: 'siteReceiver', ties: ['assigned', 'receiver'] });
    expect(await explain('northAssigned', 'issueDue')).toMatchObject({ source: 'default' });

    await rows(
      `insert into on_call_shifts (customer_id, site_id, user_id, substitute_id, begins_at, ends_at)
       values ($1, $2, $3, $4, now() - interval '1 hour', now() + interval '1 hour')`,
      [customers.north, sites.northQuay, users.northAdmin, users.northAssigned],
    );
    expect(await explain('northAdmin')).toMatchObject({ source: 'onCall', ties: ['onDuty'] });
    expect(await explain('northAssigned')).toMatchObject({
      ...{ source: 'siteReceiver', ties: ['assigned', 'receiver', 'substitute'] },
    });
  });

  test('says that the user muted it', async () => {
    const north = await server.as('northAdmin');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await north.data(muteSite, { params: { id: server.world.sites.northQuay }, body: { until } });
    expect(await explain('northAdmin')).toMatchObject({ refusal: 'muted' });
    expect(await explain('northAssigned')).toMatchObject({ refusal: null });
  });
});

describe('an issue', () => {
  const explain = async (id: number, person: Person, type: IssueMessageType = 'issueAnswered') =>
    (await server.as(person)).data(explainIssue, { params: { id }, query: { type } });
  const issueOf = () => newIssue({ world: server.world, db: server.database.db }, 'northQuay');
  const assign = async (id: number, assigneeId: number | null) => {
    const root = await server.as('root');
    const { revision } = await root.data(readIssue, { params: { id } });
    await root.data(updateIssue, { params: { id }, body: { assigneeId, revision } });
  };

  test('is for those who take part in it, and says how they do', async () => {
    const { users } = server.world;
    const id = await issueOf();
    expect(await explain(id, 'northAdmin')).toMatchObject({ refusal: 'notNamed', ties: [] });

    await assign(id, users.northAdmin);
    const mention = { type: 'mention', attrs: { kind: 'user', id: String(users.northAssigned), label: 'x' } };
    const body = { type: 'doc' as const, content: [{ type: 'paragraph' as const, content: [mention] }] };
    await (await server.as('root')).data(commentIssue, { params: { id }, body: { body: body as never } });
    expect(await explain(id, 'northAdmin')).toMatchObject({ refusal: null, source: 'default', inApp: true });
    expect((await explain(id, 'northAdmin')).ties).toContain('assignee');
    expect(await explain(id, 'northAssigned')).toMatchObject({ refusal: null, ties: ['watcher', 'mentioned'] });
    expect(await explain(id, 'northAssigned', 'issueAssigned')).toMatchObject({ refusal: 'notNamed' });
    expect(await explain(id, 'northReader')).toMatchObject({ refusal: 'notNamed', ties: [] });

    await (await server.as('northAssigned')).data(watchIssue, { params: { id }, body: { watching: false } });
    expect(await explain(id, 'northAssigned')).toMatchObject({ refusal: 'notNamed', ties: ['mentioned'] });
    await rows('update issues set created_by = $1 where id = $2', [users.northReader, id]);
    expect(await explain(id, 'northReader')).toMatchObject({ refusal: 'notNamed', ties: ['reporter'] });
  });

  test('reminds its assignee, and those who follow it when it has none', async () => {
    const { users } = server.world;
    const id = await issueOf();
    await (await server.as('northReader')).data(watchIssue, { params: { id }, body: { watching: true } });
    expect(await explain(id, 'northReader', 'issueDue')).toMatchObject({ refusal: null, ties: ['watcher'] });
    await assign(id, users.northAdmin);
    expect(await explain(id, 'northReader', 'issueDue')).toMatchObject({ refusal: 'notNamed', ties: ['watcher'] });
    expect(await explain(id, 'northAdmin', 'issueDue')).toMatchObject({ refusal: null });
    expect(await explain(id, 'northReader')).toMatchObject({ refusal: null });
  });

  test('says that all channels are off', async () => {
    const { users } = server.world;
    const id = await issueOf();
    await assign(id, users.northAdmin);
    await rows(
      `insert into message_settings (user_id, type, in_app, email, push, delayed)
       values ($1, 'issueAnswered', false, false, false, false)`,
      [users.northAdmin],
    );
    expect(await explain(id, 'northAdmin')).toMatchObject({ refusal: 'off', source: 'user' });
    expect(await explain(id, 'northAdmin', 'issueAssigned')).toMatchObject({ refusal: null });
  });
});
