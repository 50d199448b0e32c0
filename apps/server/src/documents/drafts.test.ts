import { randomUUID } from 'node:crypto';
import { accessEndpoints, CODES, categoryEndpoints, documentEndpoints } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { announceEditing, createDocument, discardDraft, readText, saveDraft, saveText } = documentEndpoints;

let server: TestServer;
let root: Client;
let author: Client;
let categoryId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  author = await server.as('northAdmin');
  const names = { parentId: null, nameEn: 'Drafts', nameZh: '草稿' };
  categoryId = (await root.data(categoryEndpoints.createCategory, { body: names })).id;
});
afterAll(() => server.stop());

const doc = (...lines: string[]): DocumentContent => ({
  type: 'doc',
  content: lines.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
});
const textOf = (...lines: string[]) => ({ title: 'Title', description: '', body: doc(...lines), baseVersion: 1 });

/** A document whose author may edit it. */
async function newText() {
  const customerId = server.world.customers.north;
  const name = `draft ${randomUUID()}`;
  const values = { customerId, name, type: null, categoryId, readLevel: 5, writeLevel: 5 } as const;
  const { id } = await root.data(createDocument, { body: { ...values, locale: 'en-US', title: 'Title' } });
  return { id, locale: 'en-US' } as const;
}
type Params = Awaited<ReturnType<typeof newText>>;

/** Saves a draft in place of another one. */
async function draft(params: Params, line: string, replaces: string | null) {
  const draftId = randomUUID();
  const answer = await author.data(saveDraft, { params, body: { ...textOf(line), draftId, replaces } });
  return { draftId, answer };
}

const storedLine = async (params: Params) => (await author.data(readText, { params })).draft?.body;

test('a draft belongs to one author, and is gone once it is published', async () => {
  const params = await newText();
  const { draftId } = await draft(params, 'mine', null);
  expect((await author.data(readText, { params })).draft).toMatchObject({ ...textOf('mine'), draftId });
  expect((await root.data(readText, { params })).draft).toBeNull();
  await author.data(saveText, { params, body: { ...textOf('mine'), replaces: draftId } });
  expect((await author.data(readText, { params })).draft).toBeNull();
});

test('a draft survives a sign-out, and its author continues it in a new session', async () => {
  const params = await newText();
  const leaving = await server.as('northAdmin');
  const body = { ...textOf('before the sign-out'), draftId: randomUUID(), replaces: null };
  await leaving.data(saveDraft, { params, body });
  await leaving.data(accessEndpoints.logout);
  expect((await leaving.call(readText, { params })).code).toBe(CODES.notSignedIn.code);
  const back = await server.as('northAdmin');
  expect((await back.data(readText, { params })).draft).toMatchObject({ body: body.body, draftId: body.draftId });
  const later = { ...textOf('after the sign-in'), draftId: randomUUID(), replaces: body.draftId };
  expect((await back.data(saveDraft, { params, body: later })).state).toBe('saved');
});

test('a window does not replace the draft of another one that it has not seen', async () => {
  const params = await newText();
  const first = await draft(params, 'first', null);
  const second = await draft(params, 'second', null);
  expect(second.answer).toMatchObject({ state: 'conflict', draft: { draftId: first.draftId, body: doc('first') } });
  expect(await storedLine(params)).toEqual(doc('first'));
  const third = await draft(params, 'third', first.draftId);
  expect(third.answer.state).toBe('saved');
  expect((await draft(params, 'fourth', first.draftId)).answer.state).toBe('conflict');
  expect(await storedLine(params)).toEqual(doc('third'));
});

test('of 20 drafts that replace the same one, one is saved', async () => {
  const params = await newText();
  const first = await draft(params, 'first', null);
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const answers = await Promise.all(lines.map((line) => draft(params, line, first.draftId)));
  const saved = answers.findIndex(({ answer }) => answer.state === 'saved');
  expect(answers.filter(({ answer }) => answer.state === 'saved')).toHaveLength(1);
  expect(await storedLine(params)).toEqual(doc(lines[saved]!));
});

test('publishing keeps the draft of another window, and a draft is saved again after it was discarded', async () => {
  const params = await newText();
  const other = await draft(params, 'other window', null);
  await author.data(saveText, { params, body: { ...textOf('published'), replaces: null } });
  expect(await storedLine(params)).toEqual(doc('other window'));
  await author.data(saveText, { params, body: { ...textOf('published'), baseVersion: 2, replaces: randomUUID() } });
  expect(await storedLine(params)).toEqual(doc('other window'));
  await author.data(discardDraft, { params });
  expect((await draft(params, 'again', other.draftId)).answer.state).toBe('saved');
});

test('authors see who else has the text open, and an author their other windows', async () => {
  const params = await newText();
  const windows = [randomUUID(), randomUUID()] as const;
  const announce = async (client: Client, windowId: string, open = true) => {
    const { editors } = await client.data(announceEditing, { params, body: { open, windowId } });
    return editors.map(({ userName }) => userName);
  };
  expect(await announce(author, windows[0])).toEqual([]);
  expect(await announce(root, randomUUID())).toEqual(['north_admin']);
  expect(await announce(author, windows[1])).toEqual(['north_admin', 'root_user']);
  expect((await author.data(readText, { params })).editors).toMatchObject([{ userName: 'root_user' }]);
  await announce(author, windows[1], false);
  expect(await announce(author, windows[0])).toEqual(['root_user']);
  await announce(author, windows[0], false);
  expect((await root.data(readText, { params })).editors).toEqual([]);
});
