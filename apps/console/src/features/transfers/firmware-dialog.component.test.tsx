import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { option } from '../../testing/on-screen.ts';
import { atEnd, show } from '../../testing/show.tsx';
import type { Answers } from '../../testing/stub-server.ts';
import { FirmwareDialog } from './firmware-dialog.tsx';

const answers = {
  listDeviceModels: { items: [{ id: 8, name: 'World pile', vendor: '' }], total: 1 },
} as unknown as Answers;

describe('the dialog of a firmware file', () => {
  test('accepts only files with an extension, and reads the version from the name', async () => {
    const { t, field } = await show(<FirmwareDialog firmware={null} onClose={() => undefined} />, { answers });
    const choose = (name: string) => input().upload(new File(['version: 9.4.1'], name));
    const input = () => page.elementLocator(document.querySelector<HTMLElement>('input[type=file]')!);
    await expect.element(field('transfers:firmware.version')).toBeVisible();
    await choose('pile');
    await expect.element(page.getByText(t('files:fault.nameless', { name: 'pile' }))).toBeVisible();
    await expectAccessible();
    await choose('pile-9.4.1.bin');
    await expect.element(field('transfers:firmware.version')).toHaveValue('9.4.1');
    await expect.element(page.getByText(t('files:fault.nameless', { name: 'pile' }))).not.toBeInTheDocument();
  });

  test('requires a certificate and a signature together', async () => {
    const { t, field, button } = await show(<FirmwareDialog firmware={null} onClose={() => undefined} />, { answers });
    const upload = button('transfers:firmware.upload');
    await expect.element(upload).toBeDisabled();
    await page
      .elementLocator(document.querySelector<HTMLElement>('input[type=file]')!)
      .upload(new File(['x'], 'p-1.0.bin'));
    await page.getByRole('combobox', { name: t('transfers:firmware.models') }).click();
    await option('World pile').click();
    await expect.element(upload).toBeEnabled();
    await page.getByRole('checkbox', { name: t('transfers:firmware.signed') }).click();
    await field('transfers:firmware.signingCertificate').fill('-----BEGIN CERTIFICATE-----');
    await expect.element(upload).toBeDisabled();
    await field('transfers:firmware.signature').fill('c2lnbmF0dXJl');
    await expect.element(upload).toBeEnabled();
  });

  test('asks before it closes during an upload, and sends nothing after it was cancelled', async () => {
    const stage = await show(<FirmwareDialog firmware={null} onClose={() => undefined} />, { answers });
    const { t, button, field, server } = stage;
    await page
      .elementLocator(document.querySelector<HTMLElement>('input[type=file]')!)
      .upload(new File(['x'], 'p-1.0.bin'));
    await page.getByRole('combobox', { name: t('transfers:firmware.models') }).click();
    await option('World pile').click();
    // The first attempt reads the file until the test lets it go on.
    const reading = Promise.withResolvers<ArrayBuffer>();
    const read = vi.spyOn(Blob.prototype, 'arrayBuffer').mockReturnValueOnce(reading.promise);
    atEnd(() => read.mockRestore());
    await button('transfers:firmware.upload').click();
    const stop = page.elementLocator(document.body).getByRole('button', { name: t('files:cancel'), exact: true });
    await expect.element(page.getByRole('progressbar')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(stage.text('common:leave.text')).toBeVisible();
    await button('common:leave.stay').click();
    await expect.element(stage.text('common:leave.text')).not.toBeVisible();
    await stop.first().click();
    await expect.element(stage.text('files:cancelled')).toBeVisible();
    reading.resolve(new ArrayBuffer(1));
    // The next attempt shows its own error.
    await field('transfers:firmware.expected').fill('0'.repeat(64));
    await button('transfers:firmware.upload').click();
    await expect
      .element(page.getByText(/2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881/))
      .toBeVisible();
    expect(server.sent('firmwareCredentials')).toEqual([]);
  });
});
