import { buffer, text } from 'node:stream/consumers';
import { fieldLabel, messageOf } from '@chargehand/contract';
import { expect } from 'vitest';
import { signedContent } from '../../apps/server/src/testing/objects/signed-content.ts';
import { connectPiles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product({
  ftp: { port: 0, required: true, passivePorts: { first: 0, last: 0 }, address: undefined },
});

/** The first visit to a page fetches its code, which takes long on a machine under load. */
const FIRST_MS = 60_000;
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');
/** The commands of a device. */
const executionsOf = ({ page, t }: Visitor) =>
  page.getByRole('table', { name: t('operations:history') }).locator('tbody tr[data-row-key]');

/** Chooses the firmware file on the page that prepares the command. */
async function chooseFile({ main, page, t }: Visitor, name: string): Promise<void> {
  await main.getByRole('combobox', { name: t('transfers:update.file') }).click({ timeout: FIRST_MS });
  await page.locator('.ant-select-item-option').filter({ hasText: name }).click();
}

/** The same, and sends it. */
async function sendFile(visitor: Visitor, name: string): Promise<void> {
  const { main, t } = visitor;
  await chooseFile(visitor, name);
  await visitor.button(t('batches:send', { count: 1 })).click();
  await visitor.sees(main.getByRole('table', { name: t('batches:devices') }));
}

journey(chargehand, 'firmware is uploaded, sent to a pile and running on it', { as: 'root' }, async (visitor) => {
  const { page, t } = visitor;
  const version = visitor.locale === 'en-US' ? '9.4.1' : '9.4.2';
  const { devices } = await connectPiles(chargehand, { prefix: `FW${tagOf(visitor)}`, devices: 1, speed: 6 });
  const { id, pile } = devices[0]!;
  const content = Buffer.concat([Buffer.from(`version: ${version}\n`), Buffer.alloc(200_000, 7)]);
  const dialog = page.getByRole('dialog');

  await page.goto('/manage/device-model-firmware');
  await visitor.button(t('transfers:firmware.add')).click({ timeout: FIRST_MS });
  const input = dialog.locator('input[type=file]');
  const name = `pile-${version}.bin`;
  await input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });
  const versionField = dialog.getByRole('textbox', { name: t('transfers:firmware.version'), exact: true });
  await expect.poll(() => versionField.inputValue()).toBe(version);
  await dialog.getByRole('combobox', { name: t('transfers:firmware.models') }).click();
  await page.getByTitle('World pile', { exact: true }).click();
  await page.keyboard.press('Escape');
  const sum = dialog.getByRole('textbox', { name: t('transfers:firmware.expected') });
  await sum.fill('0'.repeat(64));
  const upload = dialog.getByRole('button', { name: t('transfers:firmware.upload') });
  await upload.click();
  await visitor.sees(dialog.getByRole('alert'));
  await sum.fill('');

  // A cancelled upload leaves the form unchanged.
  const held = /\/chargehand-firmware\/incoming\//;
  await page.route(held, () => undefined);
  await upload.click();
  await visitor.button(t('files:cancel')).click();
  await visitor.sees(t('files:cancelled'));
  await page.unroute(held);
  await upload.click();
  await visitor.sees(t('transfers:firmware.saved', { version }));
  await visitor.sees(visitor.main.getByRole('cell', { name }).first());

  const saved = page.waitForEvent('download');
  await visitor.button(t('transfers:firmware.downloadOf', { version })).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe(name);
  expect((await buffer(await download.createReadStream())).equals(content)).toBe(true);

  // The pile downloads the file at once, and installs it when the vehicle has left.
  pile.plugIn(1);
  await expect.poll(() => pile.charging, { timeout: 30_000 }).toBe(true);
  await page.goto(`/manage/device/detail/${id}?tab=operations`);
  await visitor.button(t('transfers:update.software.do')).click({ timeout: FIRST_MS });
  await sendFile(visitor, name);
  await page.goto(`/manage/device/detail/${id}?tab=operations`);
  const list = visitor.main.getByRole('list', { name: t('transfers:title') });
  const newest = list.locator('.transfer').first();
  await visitor.sees(newest.getByText(`${t('transfers:kinds.software')} ${version}`));
  // One row from the response to the result.
  const rows = executionsOf(visitor).filter({ hasText: t('operations:kinds.upgradeSoftware.do') });
  const says = (text: string) => rows.getByText(text, { exact: true });
  await visitor.sees(says(t('transfers:states.downloaded')), says(t('common:executionResult.accepted')));
  expect(await says(t('common:executionResult.success')).count()).toBe(0);
  pile.unplug(1);
  // Every step is shown while the page is open.
  await visitor.sees(newest.locator('.tag').getByText(t('transfers:states.installing'), { exact: true }));
  await newest.locator('.tag').getByText(t('transfers:states.verified'), { exact: true }).waitFor({ timeout: 60_000 });
  await visitor.sees(says(t('transfers:states.verified')), says(t('common:executionResult.success')));
  expect(await rows.count()).toBe(1);
  await newest.locator('summary').click();
  await visitor.sees(newest.getByText('Installed', { exact: true }).last());
  await visitor.sees(newest.getByText(t('transfers:reportedVersion', { version })));

  await page.goto('/manage/device-model-firmware');
  await visitor.button(t('transfers:firmware.deleteOf', { version })).click();
  await dialog.getByRole('button', { name: t('transfers:delete') }).click();
  await visitor.sees(t('transfers:firmware.deleted', { version }));
});

journey(
  chargehand,
  'firmware waits for a time, or until a vehicle has left',
  { as: 'root', full: true },
  async (visitor) => {
    const { page, t } = visitor;
    const { devices } = await connectPiles(chargehand, { prefix: 'IDLE', devices: 1, connectors: 1, speed: 50 });
    const { id, pile } = devices[0]!;
    const dialog = page.getByRole('dialog');
    const name = 'pile-9.6.1.bin';
    await page.goto('/manage/device-model-firmware');
    await visitor.button(t('transfers:firmware.add')).click({ timeout: FIRST_MS });
    const buffer = Buffer.from('version: 9.6.1\n');
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    await dialog.getByRole('combobox', { name: t('transfers:firmware.models') }).click();
    await page.getByTitle('World pile', { exact: true }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: t('transfers:firmware.upload') }).click();
    await visitor.sees(t('transfers:firmware.saved', { version: '9.6.1' }));

    await page.goto(`/manage/device/detail/${id}?tab=operations`);
    pile.plugIn(1, 'CARD-1');
    await expect.poll(() => pile.status(1), { timeout: 30_000 }).toBe('Charging');
    const choose = async (start: 'at' | 'whenIdle') => {
      await visitor.button(t('transfers:update.software.do')).click({ timeout: FIRST_MS });
      await chooseFile(visitor, name);
      await visitor.main.getByRole('radio', { name: t(`transfers:start.${start}`), exact: true }).check();
    };
    const send = async () => {
      await visitor.button(t('batches:send', { count: 1 })).click();
      await visitor.sees(visitor.main.getByRole('table', { name: t('batches:devices') }));
      await page.goto(`/manage/device/detail/${id}?tab=operations`);
    };
    const newestCommand = executionsOf(visitor).first();

    await choose('at');
    const startAt = `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)} 02:30`;
    await visitor.main.getByRole('textbox', { name: t('transfers:start.time') }).fill(startAt);
    await page.keyboard.press('Enter');
    await send();
    await visitor.sees(newestCommand.getByText(t('operations:progress.short.waitsForTime', { startAt })));
    await newestCommand
      .getByRole('button', {
        name: t('operations:cancel.of', { name: t('operations:kinds.upgradeSoftware.do') }),
        exact: true,
      })
      .click();
    await visitor.sees(newestCommand.getByText(t('common:executionResult.failure'), { exact: true }));

    await choose('whenIdle');
    await send();
    const [before = ''] = t('operations:progress.short.waitsForIdle', { time: '|' }).split('|');
    await visitor.sees(newestCommand.getByText(before, { exact: false }));
    expect(pile.receivedCalls.UpdateFirmware).toBeUndefined();
    pile.unplug(1);
    const newest = visitor.main
      .getByRole('list', { name: t('transfers:title') })
      .locator('.transfer')
      .first();
    const verified = newest.locator('.tag').getByText(t('transfers:states.verified'), { exact: true });
    await verified.waitFor({ timeout: 60_000 });
    expect(pile.receivedCalls.UpdateFirmware).toBe(1);
  },
);

journey(
  chargehand,
  'firmware with a signature of the manufacturer is sent with it',
  { as: 'root', full: true },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const version = locale === 'en-US' ? '8.4.1' : '8.4.2';
    const { devices } = await connectPiles(chargehand, { prefix: `FS${tagOf(visitor)}`, devices: 1, speed: 50 });
    const { id } = devices[0]!;
    const content = Buffer.from(`version: ${version}\n`);
    const { signingCertificate, signature } = await signedContent(content);
    const other = await signedContent(Buffer.from('another file'));
    const dialog = page.getByRole('dialog');
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
    const signed = dialog.getByRole('checkbox', { name: t('transfers:firmware.signed') });

    await page.goto('/manage/device-model-firmware');
    await visitor.button(t('transfers:firmware.add')).click({ timeout: FIRST_MS });
    const name = `signed-${version}.bin`;
    const input = dialog.locator('input[type=file]');
    await input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });
    await dialog.getByRole('combobox', { name: t('transfers:firmware.models') }).click();
    await page.getByTitle('World pile', { exact: true }).click();
    await page.keyboard.press('Escape');
    const upload = dialog.getByRole('button', { name: t('transfers:firmware.upload') });
    await expect.poll(() => upload.isEnabled()).toBe(true);
    // The signature matches the file.
    await signed.check();
    await field(t('transfers:firmware.signingCertificate')).fill(signingCertificate);
    await field(t('transfers:firmware.signature')).fill(other.signature);
    await upload.click();
    const values = { field: fieldLabel('signature', locale) };
    await visitor.sees(dialog.getByText(messageOf('signatureUnfit', locale, values)));
    await field(t('transfers:firmware.signature')).fill(signature);
    await upload.click();
    await visitor.sees(t('transfers:firmware.saved', { version }));
    const row = visitor.main.getByRole('row').filter({ hasText: name });
    const signer = t('transfers:firmware.signedBy', { name: 'CN=Maker, O=Piles Ltd' });
    await visitor.sees(row.getByText(signer));

    await page.goto(`/manage/device/detail/${id}?tab=operations`);
    await visitor.button(t('transfers:update.software.do')).click({ timeout: FIRST_MS });
    await sendFile(visitor, name);
    await page.goto(`/manage/device/detail/${id}?tab=operations`);
    const newest = page
      .getByRole('list', { name: t('transfers:title') })
      .locator('.transfer')
      .first();
    await newest
      .locator('.tag')
      .getByText(t('transfers:states.verified'), { exact: true })
      .waitFor({ timeout: 60_000 });
    await newest.locator('summary').click();
    await visitor.sees(newest.getByText('SignatureVerified', { exact: true }));

    await page.goto('/manage/device-model-firmware');
    await visitor.button(t('transfers:firmware.editOf', { version })).click();
    await visitor.sees(dialog.getByText(signer));
    await signed.uncheck();
    await dialog.getByRole('button', { name: t('common:save') }).click();
    await visitor.sees(t('transfers:firmware.saved', { version }));
    await visitor.misses(row.getByText(signer));
  },
);

journey(chargehand, 'a log is uploaded by a pile, displayed and downloaded', { as: 'northAdmin' }, async (visitor) => {
  const { page, t } = visitor;
  const { devices } = await connectPiles(chargehand, { prefix: `LOG${tagOf(visitor)}`, devices: 1, speed: 50 });
  const { id, sn, name: deviceName } = devices[0]!;
  const dialog = page.getByRole('dialog');
  await page.goto(`/manage/device/detail/${id}?tab=details&section=logs`);
  await visitor.main.getByText(t('transfers:logs.empty'), { exact: true }).waitFor({ timeout: FIRST_MS });
  await visitor.press(visitor.button(t('transfers:log.do')));
  // Not needed, and not counted: the protocol of the model is chosen already.
  await visitor.main.getByRole('radio', { name: 'FTP' }).check();
  await visitor.press(visitor.button(t('batches:send', { count: 1 })));
  const opens = visitor.button(t('batches:openLogOf', { name: deviceName }));
  await opens.waitFor({ timeout: 60_000 });
  await visitor.press(opens);
  await visitor.sees(dialog.getByText(/\[config\] HeartbeatInterval=/));
  expect(visitor.steps).toBe(3);
  await page.goto(`/manage/device/detail/${id}?tab=details&section=logs`);
  const name = visitor.main.getByText(new RegExp(`^diagnostics-${sn}-\\d{14}\\.log$`)).first();
  await name.waitFor({ timeout: 60_000 });
  const fileName = (await name.textContent()) ?? '';

  const saved = page.waitForEvent('download');
  await visitor.button(t('transfers:logs.downloadOf', { name: fileName })).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe(fileName);
  expect(await text(await download.createReadStream())).toContain('[log] uploaded');
  await visitor.button(t('transfers:logs.deleteOf', { name: fileName })).click();
  await dialog.getByRole('button', { name: t('transfers:delete') }).click();
  await visitor.sees(t('transfers:logs.deleted', { name: fileName }), t('transfers:logs.empty'));
});
