import { randomUUID } from 'node:crypto';
import { CODES, issueEndpoints } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFile } from '../../../testing/cases/attachments.ts';
import type { Ground } from '../../../testing/cases/ground.ts';
import type { Client } from '../../../testing/client.ts';
import { doc, ends, issuesRoom, mentioning, text } from '../../../testing/rooms/issues-room.ts';
import type { TestServer } from '../../../testing/server.ts';

const { closeIssue, commentIssue, editIssueComment, watchIssue } = issueEndpoints;
const { start, report, read, timeline, query, noticesOf } = issuesRoom();

let server: TestServer;
let ground: Ground;
let root: Client;
let north: Client;
let assigned: Client;
beforeAll(async () => {
  ({ server, ground, root, north, assigned } = await start());
});
afterAll(() => server.stop());

describe('comments', () => {
  test.each([
    ['nothing', { type: 'doc', content: [] }],
    ['blanks', text('  \n ')],
    ['what is not allowed', { type: 'doc', content: [{ type: 'script', content: [] }] }],
  ])('a comment with %s is rejected', async (_, body) => {
    const id = await report();
    const answer = await root.call(commentIssue, { params: { id }, body: { body: body as never } });
    expect(answer).toMatchObject({ code: CODES.fieldRequired.code, field: 'body' });
    expect((await read(id)).comments).toBe(0);
  });

  test('are cleaned, quote others of the same issue, and keep their former texts', async () => {
    const id = await report();
    const link = { type: 'text', text: 'see', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] };
    const first = await north.data(commentIssue, { params: { id }, body: { body: doc(link) } });
    const second = { body: text('Yes'), quotes: first.id, internal: true };
    await root.data(commentIssue, { params: { id }, body: second });
    const other = await report();
    const foreign = await root.call(commentIssue, { params: { id: other }, body: second });
    expect(foreign).toMatchObject({ code: CODES.issueQuote.code, field: 'quotes' });
    const comment = { params: { id, entryId: first.id }, body: { body: text('see there') } };
    expect((await root.call(editIssueComment, comment)).code).toBe(CODES.issueCommentForeign.code);
    await north.data(editIssueComment, comment);
    const [answer, changed] = await timeline(id, north);
    expect(answer).toMatchObject({ quotes: first.id, internal: true, own: false });
    expect(changed).toMatchObject({ body: text('see there'), edits: 1, own: true, editedAt: expect.any(String) });
    const versions = await root.data(issueEndpoints.listIssueCommentVersions, { params: { id, entryId: first.id } });
    expect(versions.items).toMatchObject([{ version: 1, body: doc({ type: 'text', text: 'see' }) }]);
  });

  test('that are sent again with the same key are added once, with one notice', async () => {
    const id = await report();
    const comment = { params: { id }, body: { body: text('Twice?'), requestKey: randomUUID() } };
    const [one, other] = await Promise.all([1, 2].map(() => north.data(commentIssue, comment)));
    expect(other).toEqual(one);
    expect((await read(id)).comments).toBe(1);
    expect((await noticesOf(id)).filter(({ data }) => data.occasion === 'comment')).toHaveLength(1);
  });

  test('before closing quote others', async () => {
    const id = await report();
    const { id: quotes } = await north.data(commentIssue, { params: { id }, body: { body: text('Is it fixed?') } });
    await root.data(closeIssue, { params: { id }, body: { ...ends, body: text('Yes'), quotes } });
    expect((await timeline(id)).map((entry) => entry.quotes)).toContain(quotes);
  });

  test('tell those who watch, and mention only users who can see the issue', async () => {
    const { users } = server.world;
    const id = await report({}, 'northMill');
    await assigned.call(watchIssue, { params: { id }, body: { watching: true } });
    for (const mentioned of [users.northAdmin, users.northAssigned, users.southAdmin, 999_999]) {
      await root.data(commentIssue, { params: { id }, body: { body: mentioning(mentioned) } });
    }
    await north.data(commentIssue, { params: { id }, body: { body: text('Answer') } });
    expect((await noticesOf(id)).map((one) => [one.type, one.data.occasion, one.user_ids])).toEqual([
      ['issueAnswered', 'mention', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.root]],
    ]);
    const { watching, watchers, otherWatchers } = await read(id, north);
    expect({ watching, watchers: watchers.map((one) => one.id), otherWatchers }).toEqual({
      ...{ watching: true, watchers: [users.northAdmin], otherWatchers: 1 },
    });
  });

  test('a description mentions users too', async () => {
    const { users } = server.world;
    const id = await report({ body: mentioning(users.northAdmin) });
    expect(await noticesOf(id)).toMatchObject([{ type: 'issueAnswered', user_ids: [users.northAdmin] }]);
    expect((await read(id, north)).watching).toBe(true);
  });

  test('a comment longer than the limit is refused', async () => {
    const id = await report();
    const body = JSON.stringify({ body: text('x'.repeat(200_000)) });
    const headers = { 'content-type': 'application/json' };
    const answer = await north.fetch(`/api/auth/sys/issues/${id}/comments`, { method: 'POST', headers, body });
    expect(answer.status).toBe(413);
  });

  test('show files to those who see the issue', async () => {
    const file = await newFile(ground, 'northQuay');
    await query('update attachments set read_level = 1 where id = $1', [file]);
    const reader = await server.as('northReader');
    const content = `/api/auth/sys/attachments/${file}/content`;
    expect(((await (await reader.fetch(content)).json()) as { code: number }).code).toBe(CODES.notFound.code);
    const id = await report();
    const picture: DocumentContent = { type: 'doc', content: [{ type: 'image', attrs: { file: String(file) } }] };
    await north.data(commentIssue, { params: { id }, body: { body: picture } });
    const [copy] = await query<{ id: number }>(
      `select attachment_id as id from attachment_uses where kind = 'issue' and object_id = $1`,
      [id],
    );
    const answer = await reader.fetch(`/api/auth/sys/attachments/${copy?.id}/content`);
    // The object itself is not stored here: the file is found, its content is not.
    expect(((await answer.json()) as { code: number }).code).not.toBe(CODES.notFound.code);
  });
});
