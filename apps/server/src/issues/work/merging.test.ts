import { readFile } from 'node:fs/promises';
import { CODES, issueEndpoints } from '@chargehand/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { doc, ends, issuesRoom, text } from '../../testing/rooms/issues-room.ts';
import type { TestServer } from '../../testing/server.ts';

const {
  closeIssue,
  reopenIssue,
  startIssue,
  commentIssue,
  linkIssue,
  unlinkIssue,
  editIssueComment,
  listIssueCommentVersions,
  mergeIssue,
  unmergeIssue,
} = issueEndpoints;
const MIGRATION = new URL('../../platform/database/migrations/560_other_issues_by_id.sql', import.meta.url);
const { start, report, read, timeline, query } = issuesRoom();

let server: TestServer;
let root: Client;
let north: Client;
let assigned: Client;
beforeAll(async () => {
  ({ server, root, north, assigned } = await start());
});
afterAll(() => server.stop());

describe('links and merging', () => {
  test('issues cannot cause each other, also when both links are added at once', async () => {
    const [one, other, third] = [await report(), await report(), await report()];
    const link = (id: number, issueId: number) =>
      root.call(linkIssue, { params: { id }, body: { issueId, kind: 'cause' } });
    expect((await link(one, other)).code).toBe(0);
    expect((await link(one, other)).code).toBe(CODES.issueLinked.code);
    const codes = (await Promise.all([link(other, third), link(third, one)])).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, CODES.issueLinkCycle.code]);
    expect((await link(one, one)).code).toBe(CODES.issueSelf.code);
  });

  test('a merged issue is closed, its timeline appears in the other one, and unmerging restores it', async () => {
    const [copy, original] = [await report(), await report()];
    await north.data(commentIssue, { params: { id: copy }, body: { body: text('Also here') } });
    await root.data(mergeIssue, { params: { id: copy }, body: { issueId: original } });
    expect(await read(copy)).toMatchObject({ status: 'closed', mergedInto: original });
    expect(await read(original)).toMatchObject({ merged: [{ id: copy }] });
    expect((await timeline(original)).filter(({ issueId }) => issueId === copy).map(({ event }) => event)).toEqual([
      'merged',
      null,
      'created',
    ]);
    const comment = { params: { id: copy }, body: { body: text('lost') } };
    expect((await root.call(commentIssue, comment)).code).toBe(CODES.issueMerged.code);
    await root.data(unmergeIssue, { params: { id: copy }, body: {} });
    expect(await read(copy)).toMatchObject({ status: 'open', mergedInto: null, closedAt: null });
    expect((await timeline(original)).some(({ issueId }) => issueId === copy)).toBe(false);
  });

  test('the timeline names another issue only to those who may see it, as it is now', async () => {
    const [near, far] = [await report(), await report({ title: 'Contract of South' }, 'southPark')];
    const { linkId } = await root.data(linkIssue, { params: { id: near }, body: { issueId: far, kind: 'cause' } });
    await root.data(unlinkIssue, { params: { id: near, linkId } });
    const [mine, mill] = [await report(), await report({ title: 'Contract of the mill' }, 'northMill')];
    await root.data(mergeIssue, { params: { id: mill }, body: { issueId: mine } });
    await root.data(unmergeIssue, { params: { id: mill }, body: {} });
    await query(`update issues set title = title || ' (renamed)' where id = any($1)`, [[far, mill]]);
    const othersIn = async (id: number, client: Client) =>
      (await timeline(id, client)).flatMap(({ event, otherIssue }) =>
        event === null || event === 'created' ? [] : [otherIssue?.title ?? null],
      );
    expect(await othersIn(near, root)).toEqual(['Contract of South (renamed)', 'Contract of South (renamed)']);
    expect(await othersIn(mine, root)).toEqual(['Contract of the mill (renamed)', 'Contract of the mill (renamed)']);
    expect(await othersIn(near, north)).toEqual([null, null]);
    expect(await othersIn(mine, assigned)).toEqual([null, null]);
    const seen = JSON.stringify([await timeline(near, north), await timeline(mine, assigned)]);
    expect(seen).not.toMatch(/Contract|otherId/);
    // What older versions stored.
    await query(
      `update issue_entries set data = jsonb_build_object('id', $2::int, 'number', 1, 'title', 'Contract of South')
        where issue_id = $1 and event = 'linked'`,
      [near, far],
    );
    await query(
      `update issue_entries set data = '{"kind": "cause", "number": 1, "title": "Contract of South"}'
        where issue_id = $1 and event = 'unlinked'`,
      [near],
    );
    await query(await readFile(MIGRATION, 'utf8'));
    expect(await othersIn(near, root)).toEqual([null, 'Contract of South (renamed)']);
    expect(JSON.stringify(await timeline(near, north))).not.toContain('Contract');
  });

  test('a text names a mentioned device only to those who may see it, as it is now', async () => {
    const { id } = server.world.devices.southPark1;
    const device = { type: 'mention', attrs: { kind: 'device', id: String(id), label: 'Secret of South' } };
    const issue = await report({ body: doc(device) });
    const { id: entryId } = await root.data(commentIssue, { params: { id: issue }, body: { body: doc(device) } });
    const changed = { params: { id: issue, entryId }, body: { body: doc(device, { type: 'text', text: ' again' }) } };
    await root.data(editIssueComment, changed);
    const versionsOf = (client: Client) => client.data(listIssueCommentVersions, { params: { id: issue, entryId } });
    const seen = async (client: Client) =>
      JSON.stringify([await read(issue, client), await timeline(issue, client), await versionsOf(client)]);
    const [{ name } = { name: '' }] = await query<{ name: string }>('select name from devices where id = $1', [id]);
    expect((await seen(root)).split(`"label":"${name}"`)).toHaveLength(4);
    const hidden = await seen(north);
    expect(hidden.split('"another device"')).toHaveLength(4);
    expect(hidden).not.toContain('Secret');
    expect(hidden).not.toContain(name);
  });

  test('of two merges into each other at once, one succeeds', async () => {
    const [one, other] = [await report(), await report()];
    const merge = (id: number, issueId: number) => root.call(mergeIssue, { params: { id }, body: { issueId } });
    const codes = (await Promise.all([merge(one, other), merge(other, one)])).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, CODES.issueMerged.code]);
    const elsewhere = await report({}, 'southPark');
    expect((await merge(await report(), elsewhere)).code).toBe(CODES.issueOtherCustomer.code);
  });
});

describe('merging in any order', () => {
  interface Known {
    status: string;
    mergedInto: number | null;
    /** while it is merged */
    before: string | null;
  }
  const AFTER = { start: 'pending', close: 'closed', reopen: 'reopen' } as const;
  const CALLS = { start: startIssue, close: closeIssue, reopen: reopenIssue } as const;
  const BODIES = { start: {}, close: ends, reopen: {} } as const;
  const steps = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('merge' as const), one: fc.nat(3), other: fc.nat(3) }),
      fc.record({ do: fc.constant('unmerge' as const), one: fc.nat(3), other: fc.constant(0) }),
      fc.record({
        do: fc.constantFrom('start' as const, 'close' as const, 'reopen' as const),
        one: fc.nat(3),
        other: fc.constant(0),
      }),
    ),
    { minLength: 4, maxLength: 14 },
  );

  test('leaves no circle, each issue leads to one that is not merged, and unmerging restores', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const ids = [await report(), await report(), await report(), await report()];
        const known = new Map<number, Known>(ids.map((id) => [id, { status: 'open', mergedInto: null, before: null }]));
        for (const step of sequence) {
          const [id, other] = [ids[step.one]!, ids[step.other]!];
          const [issue, into] = [known.get(id)!, known.get(other)!];
          if (step.do === 'merge') {
            const { code } = await root.call(mergeIssue, { params: { id }, body: { issueId: other } });
            const allowed = id !== other && issue.mergedInto === null && into.mergedInto === null;
            expect(code === 0).toBe(allowed);
            if (allowed) known.set(id, { status: 'closed', mergedInto: other, before: issue.status });
          } else if (step.do === 'unmerge') {
            const { code } = await root.call(unmergeIssue, { params: { id }, body: {} });
            expect(code === 0).toBe(issue.mergedInto !== null);
            if (issue.before !== null) known.set(id, { status: issue.before, mergedInto: null, before: null });
          } else {
            const { code } = await root.call(CALLS[step.do], { params: { id }, body: BODIES[step.do] } as never);
            if (issue.mergedInto !== null) expect(code).toBe(CODES.issueMerged.code);
            if (code === 0) known.set(id, { ...issue, status: AFTER[step.do] });
          }
        }
        const rows = await query<{
          id: number;
          status: string;
          merged: number | null;
          before: string | null;
          over: boolean;
        }>(
          `select id, status, merged_into as merged, status_before as before, closed_at is not null as over
             from issues where id = any($1) order by id`,
          [ids],
        );
        expect(rows).toEqual(
          ids.map((id) => {
            const { status, mergedInto, before } = known.get(id)!;
            return { id, status, merged: mergedInto, before, over: status === 'closed' };
          }),
        );
        const parents = new Map(rows.map(({ id, merged }) => [id, merged]));
        for (const id of ids) {
          let at: number | null = id;
          for (let depth = 0; at !== null && depth < ids.length; depth += 1) at = parents.get(at) ?? null;
          expect(at).toBeNull();
        }
      }),
      { numRuns: 12 },
    );
  });
});
