import { CODES, issueBulkEndpoints, issueEndpoints, issueViewEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAlarm } from '../../testing/cases/alarms.ts';
import { fresh, type Ground } from '../../testing/cases/ground.ts';
import type { Client } from '../../testing/client.ts';
import { textsOfXlsx } from '../../testing/files/xlsx.ts';
import { ends, issuesRoom } from '../../testing/rooms/issues-room.ts';
import type { TestServer } from '../../testing/server.ts';

const { createAlarmIssue, listIssues, closeIssue, updateIssue } = issueEndpoints;
const { start, report, read, query } = issuesRoom();

let server: TestServer;
let ground: Ground;
let root: Client;
let north: Client;
let south: Client;
beforeAll(async () => {
  ({ server, ground, root, north, south } = await start());
});
afterAll(() => server.stop());

describe('lists', () => {
  test('are filtered, counted by tab and exported', async () => {
    const label = fresh('label');
    const [mine, closed] = [await report({ labels: [label], priority: 2 }), await report({ labels: [label] })];
    await root.data(closeIssue, { params: { id: closed }, body: ends });
    await root.data(updateIssue, { params: { id: mine }, body: { assigneeId: server.world.users.northAdmin } });
    const list = (filters: object, client = north) => client.data(listIssues, { query: { label, ...filters } });
    expect(await list({})).toMatchObject({ items: [{ id: mine }], total: 1, counts: { open: 1, closed: 1 } });
    expect(await list({ tab: 'closed' })).toMatchObject({ items: [{ id: closed }], total: 1 });
    expect((await list({ tab: 'all' })).total).toBe(2);
    expect((await list({ mine: true })).total).toBe(1);
    expect((await list({ watched: true })).total).toBe(1);
    expect((await list({ unassigned: true, tab: 'all' })).items).toMatchObject([{ id: closed }]);
    const { key } = await read(mine);
    for (const search of [key, key.toLowerCase().replace('-', ''), `#${key.split('-')[1]}`]) {
      expect((await list({ search })).items).toMatchObject([{ id: mine, key }]);
    }
    expect((await list({}, south)).counts).toEqual({ open: 0, closed: 0 });
    const sheet = await north.fetch(`/api/auth/sys/issues/export?label=${label}&tab=all`);
    const texts = textsOfXlsx(Buffer.from(await sheet.arrayBuffer()));
    expect(texts).toEqual(expect.arrayContaining(['Closed', 'Firmware updated', label]));
    const board = await north.data(issueEndpoints.readIssueBoard, { query: { label } });
    expect(board.columns.map(({ status, total }) => [status, total])).toEqual([
      ['open', 1],
      ['pending', 0],
      ['closed', 1],
      ['reopen', 0],
    ]);
  });

  test('many are changed at once, each with its own result', async () => {
    const [one, foreign] = [await report({ labels: ['a'] }), await report({}, 'southPark')];
    const body = { ids: [one, foreign], labels: ['b'], priority: 2 as const };
    const { results } = await north.data(issueBulkEndpoints.updateIssues, { body });
    expect(results.map(({ id, code }) => [id, code])).toEqual([
      [one, 0],
      [foreign, CODES.notFound.code],
    ]);
    expect(await read(one)).toMatchObject({ labels: ['a', 'b'], priority: 2 });
  });

  test('response and resolution times are reported by site and priority', async () => {
    const from = new Date().toISOString();
    const id = await report({ priority: 2 }, 'southPark');
    await report({ priority: 2 }, 'southPark');
    await root.data(closeIssue, { params: { id }, body: ends });
    const siteId = server.world.sites.southPark;
    const { items } = await south.data(issueEndpoints.readIssueTimes, { query: { from, siteId } });
    expect(items).toMatchObject([{ priority: 2, issues: 2, open: 1, siteName: 'Site southPark' }]);
    expect(items[0]?.resolutionMs).toBeGreaterThanOrEqual(0);
  });

  test('how issues of a code ended is counted in scope', async () => {
    const { code } = (
      await query<{ code: string }>('select code from alarms where id = $1', [await newAlarm(ground, 'northQuay')])
    )[0]!;
    for (const [site, end] of [
      ['northQuay', { ...ends, remedyText: 'Version 2' }],
      ['northQuay', ends],
      ['southPark', { cause: 'wear', remedy: 'replaced' } as const],
    ] as const) {
      const alarm = await newAlarm(ground, site);
      await query('update alarms set code = $2, cleared_at = now() where id = $1', [alarm, `${code}-ends`]);
      const body = { title: 'Ended', type: 1 } as const;
      const { id } = await root.data(createAlarmIssue, { params: { id: alarm }, body });
      await root.data(closeIssue, { params: { id }, body: end });
    }
    const read = (client: Client) => client.data(issueEndpoints.readIssueEnds, { query: { codes: `${code}-ends` } });
    const updated = { ...ends, count: 2, texts: [{ cause: '', remedy: 'Version 2' }] };
    expect(await read(north)).toEqual({ closed: 2, items: [updated] });
    expect((await read(root)).closed).toBe(3);
  });

  test('views belong to their user', async () => {
    const body = { name: 'Urgent', filters: { priority: 2 as const } };
    const { id } = await north.data(issueViewEndpoints.createIssueView, { body });
    await north.data(issueViewEndpoints.createIssueView, { body: { ...body, name: 'urgent' } });
    const { items } = await north.data(issueViewEndpoints.listIssueViews);
    expect(items).toEqual([{ id, name: 'urgent', filters: { priority: 2 } }]);
    const remove = { params: { id } };
    expect((await south.call(issueViewEndpoints.deleteIssueView, remove)).code).toBe(CODES.notFound.code);
    await north.data(issueViewEndpoints.deleteIssueView, remove);
  });

  test('views are sorted with numbers by value', async () => {
    const names = ['Week 2', 'week 3', 'Week 10'];
    for (const name of names.toReversed()) {
      await north.data(issueViewEndpoints.createIssueView, { body: { name, filters: {} } });
    }
    const { items } = await north.data(issueViewEndpoints.listIssueViews);
    expect(items.map(({ name }) => name)).toEqual(names);
    for (const { id } of items) await north.data(issueViewEndpoints.deleteIssueView, { params: { id } });
  });
});
