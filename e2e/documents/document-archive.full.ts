import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachmentEndpoints, categoryEndpoints, documentEndpoints, LOCALES } from '@chargehand/contract';
import type { ContentNode } from '@chargehand/domain';
import { afterAll, expect } from 'vitest';
import { uploadIncoming } from '../../apps/server/src/testing/files/incoming.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
const ENOUGH = { timeout: 60_000 };
/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const folder = mkdtempSync(join(tmpdir(), 'archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

journey(
  chargehand,
  'a document with two pictures is exported, deleted, and imported with them',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const root = await chargehand.server.as('root');
    const unique = randomUUID().slice(0, 8);
    const names = { parentId: null, nameEn: `Archive ${unique}`, nameZh: `归档 ${unique}` };
    const { id: categoryId } = await root.data(categoryEndpoints.createCategory, { body: names });
    const levels = { readLevel: 5, writeLevel: 4 } as const;
    const properties = { name: `接线 ${unique}`, type: null, categoryId, ...levels, locale, title: `Wiring ${unique}` };
    const { id } = await root.data(documentEndpoints.createDocument, { body: properties });
    const content: ContentNode[] = [];
    for (const name of ['left side.png', '右侧.png']) {
      // Different bytes after the end of the picture.
      const bytes = Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.from(name)]);
      const key = await uploadIncoming(chargehand.server.url, root, bytes, 'png');
      const body = { key, name: `${unique} ${name}`, documentId: id };
      const file = await root.data(attachmentEndpoints.registerAttachment, { body });
      content.push({ type: 'image', attrs: { file: String(file.id), alt: name, width: 80, height: 60 } });
    }
    const text = {
      title: `Wiring ${unique}`,
      description: '',
      body: { type: 'doc' as const, content },
      baseVersion: 1,
    };
    await root.data(documentEndpoints.saveText, { params: { id, locale }, body: text });

    await page.goto(`/manage/docs/list?categoryId=${categoryId}`);
    await visitor.link(`Wiring ${unique}`).waitFor(ENOUGH);
    const saved = page.waitForEvent('download');
    await visitor.button(t('common:list.export')).click();
    const archive = join(folder, `${unique}.zip`);
    await (await saved).saveAs(archive);
    await root.data(documentEndpoints.deleteDocument, { params: { id } });

    await page.goto(`/manage/docs/list?categoryId=${categoryId}`);
    await visitor.button(t('documents:import.open')).click(ENOUGH);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('documents:import.choose'), { exact: true }).setInputFiles({
      ...{ name: 'documents.zip', mimeType: 'application/zip' },
      buffer: await readFile(archive),
    });
    await dialog.getByText(t('documents:import.files_other', { count: 2 }), { exact: false }).waitFor(ENOUGH);
    await dialog.getByRole('button', { name: t('documents:import.ok'), exact: true }).click();
    await dialog.getByText(t('documents:import.done', { created: 1, changed: 0 })).waitFor(ENOUGH);
    await dialog.getByRole('link', { name: `Wiring ${unique}` }).click();
    for (const name of ['left side.png', '右侧.png']) {
      const picture = page.getByRole('img', { name });
      await picture.waitFor(ENOUGH);
      const drawn = () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
      await expect.poll(drawn, ENOUGH).toBe(1);
    }
  },
);
