import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { LOCALES } from '@chargehand/contract';
import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';
import { wordFile, workbook } from './office-files.ts';

const chargehand = product();

/** The first visit to a page fetches its code, which takes long on a machine under load. */
const FIRST_MS = 60_000;
/** The longest pause between two attempts of an upload is 16 s. */
const RETRY_MS = 30_000;
const PART = 8 * 1024 * 1024;
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');
const row = ({ main }: Visitor, name: string) => main.getByRole('row').filter({ hasText: name });
const uploadPanel = ({ page, t }: Visitor) => page.getByRole('region', { name: t('attachments:uploads.title') });
/** a zip file as far as its first bytes say */
const large = (parts: number) =>
  Buffer.concat([
    Buffer.from('PK\u0003\u0004'),
    Buffer.alloc(parts * PART, 7),
    Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex'),
  ]);

/** Opens the menu of a file and selects an action. */
async function act(visitor: Visitor, name: string, key: string): Promise<void> {
  const { page, t } = visitor;
  await visitor.button(t('attachments:actionsOf', { name })).click();
  await page.getByRole('menuitem', { name: t(`attachments:${key}`), exact: true }).click();
}

async function addFolder(visitor: Visitor, name: string, readLevel?: string): Promise<void> {
  const { page, t } = visitor;
  const dialog = page.getByRole('dialog');
  await visitor.button(t('attachments:folder.new')).click({ timeout: FIRST_MS });
  await dialog.getByRole('textbox', { name: t('attachments:name') }).fill(name);
  if (readLevel !== undefined) {
    await dialog.getByRole('combobox', { name: t('attachments:levels.read') }).click();
    await page.getByTitle(readLevel, { exact: true }).last().click();
  }
  await dialog.getByRole('button', { name: t('attachments:folder.add') }).click();
  // The new folder is open.
  await visitor.button(t('attachments:folder.actionsOf', { name })).waitFor();
}

/** Drops a text file onto the list. */
async function drop({ page }: Visitor, name: string, content: string): Promise<void> {
  // As text, because the types of a browser are unknown here.
  const file = `new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: 'text/plain' })`;
  const script = `(() => { const transfer = new DataTransfer(); transfer.items.add(${file}); return transfer; })()`;
  const dataTransfer = await page.evaluateHandle(script);
  await page.getByRole('table').dispatchEvent('drop', { dataTransfer });
}

journey(
  chargehand,
  'a file is dropped, previewed, moved under the rule of levels, deleted and restored',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, t } = visitor;
    const tag = tagOf(visitor);
    const dialog = page.getByRole('dialog');
    const tree = page.getByRole('tree', { name: t('attachments:folders') });
    await page.goto('/manage/attach/list');
    await addFolder(visitor, `Secret ${tag}`, t('common:level.2'));
    await tree.getByText(t('attachments:top'), { exact: true }).click();
    await addFolder(visitor, `Open ${tag}`);

    const name = `site ${tag}.txt`;
    await drop(visitor, name, 'first line\nrelay stuck\n');
    await row(visitor, name).waitFor();
    await drop(visitor, name, 'again');
    const second = `site ${tag} (2).txt`;
    await row(visitor, second).waitFor();
    await visitor.sees(uploadPanel(visitor).getByText(second));

    await row(visitor, name).getByText(name, { exact: true }).click();
    await visitor.sees(dialog.getByText('relay stuck'));
    await dialog.getByRole('searchbox').fill('RELAY');
    await visitor.sees(dialog.locator('mark').getByText('relay'));
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: t('attachments:download'), exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(name);
    expect(String(await buffer(await download.createReadStream()))).toContain('relay stuck');

    // A download program has no session.
    await dialog.getByRole('button', { name: t('attachments:link.do') }).click();
    const link = await page.getByText(/\/api\/unauth\/attachments\/content\?token=/).innerText();
    const rest = await fetch(link, { headers: { range: 'bytes=11-' } });
    expect([rest.status, await rest.text()]).toEqual([206, 'relay stuck\n']);
    await page.keyboard.press('Escape');
    await visitor.misses(t('attachments:link.title', { name }));
    await page.keyboard.press('Escape');

    await act(visitor, name, 'move.do');
    await dialog.getByText(`Secret ${tag}`).click();
    await visitor.sees(dialog.getByRole('status').filter({ hasText: '5 → 2' }));
    await dialog.getByRole('button', { name: t('attachments:move.ok') }).click();
    await visitor.sees(t('attachments:move.moved', { name }));
    await visitor.misses(row(visitor, name).getByText(name, { exact: true }));
    await tree.getByText(`Secret ${tag}`).click();
    const raised = t('attachments:levels.named.read', { level: t('common:level.2') });
    await visitor.sees(row(visitor, name).getByText(raised, { exact: true }));

    await act(visitor, name, 'delete');
    await dialog.getByRole('button', { name: t('attachments:delete') }).click();
    await visitor.sees(t('attachments:trash.moved', { name }));
    await page.getByRole('tab', { name: t('attachments:tabs.trash') }).click();
    await visitor.button(t('attachments:trash.restoreOf', { name })).click();
    await visitor.sees(t('attachments:trash.restored', { name }));
    await page.getByRole('tab', { name: t('attachments:tabs.files') }).click();
    await tree.getByText(`Secret ${tag}`).click();
    await row(visitor, name).waitFor();
  },
);

journey(
  chargehand,
  'a large upload is paused, survives a cut network, and continues after a reload',
  { as: 'root' },
  async (visitor) => {
    const { page, t } = visitor;
    visitor.expects(/ERR_|Failed to load resource|net::/);
    const folder = await mkdtemp(join(tmpdir(), 'chargehand-upload-'));
    try {
      const path = join(folder, 'log.zip');
      await writeFile(path, large(4));
      // The parts that are sent to the store, and those that the network holds.
      const sent: string[] = [];
      const held: string[] = [];
      let holds = /^[345]$/;
      chargehand.network.filter((requested) => {
        const part = /partNumber=(\d+)/.exec(requested)?.[1];
        if (part === undefined) return 'send';
        const waits = holds.test(part);
        (waits ? held : sent).push(part);
        return waits ? 'hold' : 'send';
      });

      await page.goto('/manage/attach/list');
      const panel = uploadPanel(visitor);
      const input = visitor.main.locator('input[type=file]').first();
      await visitor.button(t('attachments:uploadFiles')).waitFor({ timeout: FIRST_MS });
      await input.setInputFiles(path);
      // Three parts are sent at the same time: the others wait when the first two are stored.
      await expect.poll(() => held.toSorted(), { timeout: FIRST_MS }).toEqual(['3', '4', '5']);
      await panel.getByRole('button', { name: t('attachments:uploads.pauseOf', { name: 'log.zip' }) }).click();
      await panel.getByText(t('attachments:uploads.states.paused', { sent: '16 MB', size: '32 MB' })).waitFor();
      expect(sent.toSorted()).toEqual(['1', '2']);

      // The panel stays on other pages, and the upload waits for the network there.
      await visitor.menuLink(t('routes:home')).click();
      await visitor.heading(t('routes:home')).waitFor({ timeout: FIRST_MS });
      sent.length = 0;
      held.length = 0;
      chargehand.network.cut();
      await panel.getByRole('button', { name: t('attachments:uploads.resumeOf', { name: 'log.zip' }) }).click();
      await panel.getByText(/No connection/).waitFor();
      chargehand.network.restore();
      // The upload continues by itself, with the parts that are not stored.
      await expect.poll(() => held.toSorted(), { timeout: RETRY_MS }).toEqual(['3', '4', '5']);
      expect(sent).toEqual([]);

      // The browser cannot open the file of an input again, so the user chooses it.
      await page.reload();
      await panel.getByText(t('attachments:uploads.states.fileMissing', { sent: '16 MB', size: '32 MB' })).waitFor();
      holds = /none/;
      await panel.locator('input[type=file]').setInputFiles(path);
      await panel.getByText(/^Uploaded to/).waitFor();
      expect(sent.toSorted()).toEqual(['3', '4', '5']);
      await page.goto('/manage/attach/list');
      await row(visitor, 'log.zip').waitFor({ timeout: FIRST_MS });
    } finally {
      chargehand.network.filter(() => 'send');
      chargehand.network.restore();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

journey(
  chargehand,
  'office files are shown, uploads get the chosen type, and a full space refuses them',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, main, t } = visitor;
    const tag = tagOf(visitor);
    const dialog = page.getByRole('dialog');
    const upload = (name: string, content: Buffer) =>
      main
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });
    await page.goto('/manage/attach/list');
    await addFolder(visitor, `Office ${tag}`);

    await main.getByRole('combobox', { name: t('attachments:uploads.as') }).click();
    await page.locator('.ant-select-dropdown:visible').getByText(t('attachments:types.issue'), { exact: true }).click();
    const [word, sheets] = [`guide ${tag}.docx`, `sites ${tag}.xlsx`];
    await upload(word, wordFile());
    await row(visitor, word).getByText(t('attachments:types.issue'), { exact: true }).waitFor();
    await upload(sheets, workbook());
    await row(visitor, sheets).waitFor();

    await row(visitor, word).getByText(word, { exact: true }).click();
    const frame = dialog.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Replace the relay' }).waitFor({ timeout: FIRST_MS });
    await frame.getByRole('cell', { name: 'Relay K1' }).waitFor();
    await frame.getByText('instructions').click();
    expect(await page.evaluate('window.broken')).toBeUndefined();
    // The keyboard is in the frame.
    await dialog.locator('.ant-modal-close').click();

    await row(visitor, sheets).getByText(sheets, { exact: true }).click();
    await dialog.getByRole('cell', { name: '2025-12-09', exact: true }).waitFor({ timeout: FIRST_MS });
    await dialog.getByText('Notes', { exact: true }).click();
    await visitor.sees(dialog.getByRole('cell', { name: 'Checked on site' }));
    await page.keyboard.press('Escape');

    await setSpace(visitor, '0');
    await visitor.sees(main.getByText(t('attachments:quotas.full')));
    const late = `late ${tag}.docx`;
    await upload(late, wordFile());
    const refused = uploadPanel(visitor).getByRole('alert');
    await refused.waitFor();
    expect(await refused.innerText()).toMatch(/ [KM]B.* 0 Bytes/);
    await visitor.misses(row(visitor, late));
    await setSpace(visitor, '50');
    await uploadPanel(visitor)
      .getByRole('button', { name: t('attachments:uploads.retryOf', { name: late }) })
      .click();
    await row(visitor, late).waitFor();
  },
);

/** Sets the space of the open folder's customer. */
async function setSpace({ page, t }: Visitor, size: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: t('attachments:quotas.change') }).click();
  await dialog.getByRole('spinbutton', { name: t('attachments:quotas.limit') }).fill(size);
  await dialog.getByRole('button', { name: t('common:save') }).click();
  await dialog.waitFor({ state: 'detached' });
}
