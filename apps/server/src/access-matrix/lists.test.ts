import { ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { type DocumentContent, textOfContent } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNames } from '../messages/index.ts';
import { newFile } from '../testing/cases/attachments.ts';
import type { EndpointCase, Ground } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { ENDPOINT_CASES } from '../testing/contract/endpoint-cases.ts';
import { namesOfZip } from '../testing/files/zip-names.ts';
import { type Invoked, invoke } from '../testing/invoke.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { PEOPLE, type Person } from '../testing/world.ts';

const WHO = ['root', 'vendorStaff', 'northAdmin', 'northAssigned', 'southAdmin', 'readOnlyAdmin'] as const;

const {
  commentIssue,
  createAlarmIssue,
  createDocument,
  createSiteIssue,
  enableDocument,
  linkIssue,
  muteDevice,
  readDocument,
  saveText,
  shareIssue,
} = ENDPOINTS;
const endpoints: Endpoint[] = Object.values(ENDPOINTS);

let server: TestServer;
const clients = {} as Record<Person, Client>;
beforeAll(async () => {
  server = await startTestServer({ captcha: false }, { extraData: true });
  // Everyone is signed in, because the list of online users is tested too.
  for (const person of PEOPLE) clients[person] = await server.as(person);
});
afterAll(() => server.stop());

describe('lists, counts and exports show nothing outside the scope, not even in their totals', () => {
  const scoped = endpoints.flatMap((endpoint) => {
    const rule = ENDPOINT_CASES[endpoint.id]?.scoped;
    return rule ? [{ id: endpoint.id, endpoint, rule }] : [];
  });

  for (const { id, endpoint, rule } of scoped) {
    test.each(WHO)(`${id}: %s`, async (person) => {
      const shown = await shownTo(clients[person], endpoint, rule);
      const visible = rule.visible(server.world, person);
      expect(shown.names.toSorted()).toEqual(visible.names.toSorted());
      expect(shown.total).toBe(visible.total);
    });

    if (queryOf(endpoint).includes('search')) {
      test(`${id}: a search finds and counts nothing of another customer`, async () => {
        const hidden = await invoke(clients.southAdmin, endpoint, { query: { search: 'north' } });
        expect(rule.shown(hidden).names).toEqual([]);
        expect(rule.shown(hidden).total ?? 0).toBe(0);
        const seen = rule.shown(await invoke(clients.northAdmin, endpoint, { query: { search: 'north' } }));
        expect(seen.total ?? seen.names.length).toBeGreaterThan(0);
      });
    }
  }
});

/** The inputs of an endpoint's query, by name. */
function queryOf(endpoint: Endpoint): string[] {
  return Object.keys(endpoint.query?.properties ?? {});
}

/** Everything that a list shows a user, on all of its pages. */
async function shownTo(
  caller: Client,
  endpoint: Endpoint,
  rule: NonNullable<EndpointCase['scoped']>,
): Promise<{ names: string[]; total?: number }> {
  const names: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await invoke(caller, endpoint, { query: rule.paged ? { page, pageSize: 100 } : (rule.query ?? {}) });
    expect(answer.code).toBe(0);
    const shown = rule.shown(answer);
    names.push(...shown.names);
    if (!rule.paged || names.length >= shown.total! || shown.names.length === 0) return { ...shown, names };
  }
}

describe('nothing shows the name, title or number of an object that its reader may not read', () => {
  /** In the names of everything that belongs to south, and of a device that moved there. */
  const SECRET = 'Zebra';
  let ids: Record<string, number | undefined>;
  let ground: Ground;
  let incident: Parameters<typeof findNames>[1][number];

  /** Objects of north that are linked with, merged with, mention or otherwise know objects of south. */
  beforeAll(async () => {
    const { db, pool } = server.database;
    const { world } = server;
    ground = { world, db };
    const query = async (text: string, values: unknown[]) =>
      (await pool.query<{ id: number }>(text, values)).rows.map(({ id }) => id);
    const root = clients.root;
    const issueAt = async (site: 'northQuay' | 'southPark', title: string, body?: DocumentContent) =>
      (
        await root.data(createSiteIssue, {
          params: { id: world.sites[site] },
          body: { title, type: 1, ...(body && { body }) },
        })
      ).id;
    const moved = world.devices.northMill1.id;
    await clients.northAdmin.data(muteDevice, {
      params: { id: moved },
      body: { until: new Date(Date.now() + 3_600_000).toISOString() },
    });
    const [alarm = 0] = await query('select id::int from alarms where device_id = $1', [moved]);
    await query(`update devices set site_id = $2, customer_id = $3, name = $4 where id = $1`, [
      moved,
      world.sites.southPark,
      world.customers.south,
      `${SECRET} pile`,
    ]);
    await query('update sites set name = $2 where id = $1', [world.sites.southPark, `${SECRET} Park`]);
    await query('update customers set name = $2 where id = $1', [world.customers.south, `${SECRET} Ltd`]);
    await query('update devices set name = name || $2 where site_id = $1', [world.sites.southPark, ` ${SECRET}`]);
    const [categoryId = 0] = await query(
      `insert into document_categories (parent_id, position, name_en, name_zh) values (null, 99, $1, $1) returning id`,
      ['Case of names'],
    );
    const documentOf = async (customer: number | null, title: string) =>
      (
        await root.data(createDocument, {
          body: {
            name: title,
            customerId: customer,
            type: null,
            categoryId,
            readLevel: 5,
            writeLevel: 5,
            ...{ bindings: [], locale: 'en-US', title },
          },
        } as never)
      ).id;
    const theirs = await documentOf(world.customers.south, `${SECRET} manual`);
    const mention = (kind: string, id: number) => ({
      type: 'mention',
      attrs: { kind, id: String(id), label: `${SECRET} as it was written` },
    });
    const body: DocumentContent = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [{ type: 'text', text: 'case of ' }, mention('device', moved), mention('document', theirs)],
        },
      ],
    };
    const document = await documentOf(null, 'Case of all');
    for (const id of [document, theirs]) {
      await root.data(saveText, {
        params: { id, locale: 'en-US' },
        body: { title: id === theirs ? `${SECRET} text` : 'Case of all', description: '', body, baseVersion: 1 },
      } as never);
      await root.data(enableDocument, { params: { id }, body: {} });
    }
    const foreign = await issueAt('southPark', `${SECRET} issue`);
    const issue = await issueAt('northQuay', 'Case of north', body);
    await root.data(commentIssue, { params: { id: issue }, body: { body } });
    await root.data(linkIssue, { params: { id: issue }, body: { issueId: foreign, kind: 'cause' } });
    // As earlier versions merged them.
    await query(
      `update issues set merged_into = $1, status_before = 'open', status = 'closed', closed_at = now() where id = $2`,
      [issue, foreign],
    );
    await clients.northAdmin.data(createAlarmIssue, {
      params: { id: alarm },
      body: { title: 'Case of the alarm', type: 1 },
    } as never);
    const share = await root.data(shareIssue, {
      params: { id: foreign },
      body: { days: 7, code: false, comments: false },
    });
    await query('update shares set created_by = $2 where id = $1', [share.id, world.users.northAdmin]);
    const file = await newFile(ground, 'southPark');
    await query('update attachments set name = $2, name_key = lower($2) where id = $1', [file, `${SECRET}.txt`]);
    ids = { issue, document, share: share.id, alarm, device: world.devices.northQuay1.id, site: world.sites.northQuay };
    incident = {
      ...{ customerId: world.customers.north, siteId: world.sites.northMill, devices: [moved], types: {}, causes: {} },
      ...{ subjectKind: 'device', subjectId: String(moved), data: {} },
    };
  });

  test('in mails and webhooks, a device that has moved is its SN', async () => {
    const names = async (...more: object[]) => [
      ...(await findNames(ground.db, [incident, ...more.map((one) => ({ ...incident, ...one }))])).devices.values(),
    ];
    expect(await names()).toEqual(['northMill-1']);
    expect(await names({ siteId: null })).toEqual(['northMill-1']);
    const { southPark: siteId } = server.world.sites;
    expect(await names({ siteId, customerId: server.world.customers.south })).toEqual([
      expect.stringContaining(SECRET),
    ]);
  });

  const reading = endpoints.filter(
    ({ method, effect }) => method === 'GET' || effect === 'list' || effect === 'export',
  );
  for (const person of ['northAdmin', 'northAssigned'] as const) {
    test(`${person}: in any list, page, search or export`, { timeout: 60_000 }, async () => {
      const shown: string[] = [];
      let answers = 0;
      for (const endpoint of reading) {
        const usual = (await ENDPOINT_CASES[endpoint.id]?.call?.(ground, 'northQuay', person)) ?? {};
        const { row = {} } = endpoint.policy as { row?: { object?: string; from?: string } };
        const id = row.object !== undefined && row.from === 'params.id' ? ids[row.object] : undefined;
        const inputs = [usual, ...(id === undefined ? [] : [{ ...usual, params: { ...usual.params, id } }])];
        for (const one of inputs) {
          const answer = await invoke(clients[person], endpoint, one);
          if (answer.code === 0) answers += 1;
          if ((await textOf(answer)).includes(SECRET)) shown.push(endpoint.id);
        }
      }
      expect(shown).toEqual([]);
      expect(answers).toBeGreaterThan(100);
    });
  }

  test('the platform reads them under their present names', async () => {
    const { body } = await clients.root.data(readDocument, { query: { id: ids.document!, locale: 'en-US' } });
    expect(textOfContent(body)).toContain(`case of @${SECRET} pile`);
    expect(textOfContent(body)).not.toContain('written');
  });
});

/** Everything that an answer contains, also the files of a workbook or an archive. */
async function textOf({ data, bytes }: Invoked): Promise<string> {
  const isZip = bytes.subarray(0, 2).toString() === 'PK';
  return JSON.stringify(data) + JSON.stringify(isZip ? await namesOfZip(bytes) : bytes.toString());
}
