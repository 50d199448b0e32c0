import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@chargehand/contract';
import type { ContentNode, DocumentContent } from '@chargehand/domain';
import { type Browser, chromium, type Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database/database.ts';
import { type Program, startProgram } from '../../apps/server/src/testing/program.ts';
import { type Person, userNameOf } from '../../apps/server/src/testing/world.ts';
import { visit } from '../harness/journey.ts';
import type { Product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_764;
const ENOUGH = { timeout: 30_000 };
/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let database: TestDatabase;
let folder: string;
let program: Program;
let browser: Browser;
const { template, world } = inject('seededWorld');

const start = () =>
  startProgram({
    ...{ PORT: String(PORT), DATABASE_URL: database.url, CHARGEHAND_DATA: folder, CHARGEHAND_MQTT_PORT: '0' },
  });

beforeAll(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase({ max: 3, template }),
    mkdtemp(join(tmpdir(), 'chargehand-document-editing-')),
  ]);
  program = await start();
  browser = await chromium.connect(inject('browser'));
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const paragraph = (text: string): ContentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });

/** Publishes a document with these paragraphs and returns the path of its editor. */
async function newDocument(...paragraphs: string[]): Promise<string> {
  const root = client(program.url, await openSession(database.db, world.users.root));
  const { id: categoryId } = await root.data(ENDPOINTS.createCategory, {
    body: { parentId: null, nameEn: `Faults ${paragraphs[0]}`, nameZh: `故障 ${paragraphs[0]}` },
  });
  const { id } = await root.data(ENDPOINTS.createDocument, {
    body: {
      ...{ name: `Document ${paragraphs[0]}`, type: null, categoryId, readLevel: 5, writeLevel: 3 },
      ...{ locale: 'en-US', title: 'Ground failure' },
    },
  });
  const body: DocumentContent = { type: 'doc', content: paragraphs.map(paragraph) };
  const params = { id, locale: 'en-US' } as const;
  const { version } = await root.data(ENDPOINTS.readText, { params });
  await root.data(ENDPOINTS.saveText, {
    params,
    body: { title: 'Ground failure', description: '', body, baseVersion: version },
  });
  return `/manage/docs/update/content/${categoryId}/${id}?locale=en-US`;
}

/** Opens the editor in a browser of its own. */
async function author(as: Person, path: string): Promise<Visitor & { content: Locator }> {
  const product = { browser, url: program.url, server: { database, world } } as unknown as Product;
  const visitor = await visit(product, 'en-US', { as });
  await visitor.page.goto(path);
  const content = visitor.page.getByRole('textbox', { name: visitor.t('editor:content') });
  await content.waitFor();
  return Object.assign(visitor, { content });
}

async function write(visitor: Visitor & { content: Locator }, line: string, text: string): Promise<void> {
  await visitor.content.getByText(line).click();
  await visitor.page.keyboard.press('End');
  await visitor.page.keyboard.insertText(text);
}

/** The width of a loaded picture; 0 until then. */
async function widthOf(picture: Locator): Promise<number> {
  return await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
}

async function publish(visitor: Visitor): Promise<void> {
  await visitor.button(visitor.t('editor:publish.open')).click();
  await visitor.button(visitor.t('editor:publish.ok')).click();
}

test('changes of two authors are merged, and compared where both changed the same part', async () => {
  const path = await newDocument('Open the door', 'Wait a minute', 'Close the door');
  const first = await author('root', path);
  const second = await author('vendorStaff', path);
  await second.sees(second.t('editor:others.editing_one', { names: userNameOf('root') }));

  const titleOf = ({ page, t }: Visitor) => page.getByRole('textbox', { name: t('editor:title') });
  await write(first, 'Open the door', ' slowly');
  await titleOf(first).fill('Ground fault');
  await publish(first);
  await first.sees(first.t('editor:draft.published', { version: 3 }));
  await write(second, 'Close the door', ' again');
  await publish(second);
  await second.sees(second.t('editor:publish.merged', { version: 4 }));
  await expect.poll(() => second.content.innerText(), ENOUGH).toContain('Open the door slowly');
  expect(await titleOf(second).inputValue()).toBe('Ground fault');

  await write(second, 'Wait a minute', ' or two');
  await publish(second);
  await second.sees(second.t('editor:draft.published', { version: 5 }));
  await write(first, 'Wait a minute', ' or three');
  await publish(first);
  await first.sees(first.t('editor:conflict.title'));
  await first.main.getByRole('radio', { name: first.t('editor:conflict.both') }).check();
  await first.button(first.t('editor:conflict.publish')).click();
  await first.sees(first.t('editor:draft.published', { version: 6 }));
  expect((await first.content.innerText()).split(/\n+/)).toEqual([
    'Open the door slowly',
    'Wait a minute or two',
    'Wait a minute or three',
    'Close the door again',
  ]);
  expect(await titleOf(first).inputValue()).toBe('Ground fault');
  await Promise.all([first.context.close(), second.context.close()]);
});

test('a draft survives kill -9 of the server and a reload, and Chinese is entered by composition', async () => {
  const path = await newDocument('Check the cable');
  const visitor = await author('root', path);
  const { page, t, content } = visitor;
  await content.getByText('Check the cable').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const input = await page.context().newCDPSession(page);
  for (const text of ['d', 'du', '断dian']) {
    await input.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await input.send('Input.insertText', { text: '断电' });
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('Then wait');
  await page.getByRole('textbox', { name: t('editor:title') }).click();
  await page.getByText(/^Draft saved at/).waitFor();
  const written = ['Check the cable', '断电', 'Then wait'];
  expect((await content.innerText()).split(/\n+/)).toEqual(written);

  await program.kill();
  await write(visitor, 'Then wait', ' more');
  await page.getByRole('textbox', { name: t('editor:title') }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: /^Not saved since/ })
    .waitFor();
  program = await start();
  await visitor.button(t('common:error.retry')).click();
  await page.getByText(/^Draft saved at/).waitFor();
  await program.kill();
  program = await start();
  await page.reload();
  await content.waitFor();
  expect((await content.innerText()).split(/\n+/)).toEqual([...written.slice(0, -1), 'Then wait more']);
  await page.getByText(/^You are editing your draft/).waitFor();
  await page.context().close();
});

test('a picture is uploaded into the text, and shown to a reader', async () => {
  const path = await newDocument('See the picture');
  const visitor = await author('root', path);
  const { page, content } = visitor;
  await content.getByText('See the picture').click();
  await page.locator('input[type=file]').setInputFiles({ name: '接线.png', mimeType: 'image/png', buffer: PIXEL });
  const picture = content.locator('img[data-file]');
  await picture.waitFor();
  await expect.poll(() => widthOf(picture), ENOUGH).toBe(1);
  await publish(visitor);
  await visitor.sees(visitor.t('editor:draft.published', { version: 3 }));
  await page.goto(path.replace(/update\/content\/\d+\/(\d+)/, 'detail/$1'));
  const shown = page.locator('main img[src*="/attachments/"]');
  await expect.poll(() => widthOf(shown), ENOUGH).toBe(1);
  await page.context().close();
});
