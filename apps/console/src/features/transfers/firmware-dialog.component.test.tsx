import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { option } from '../../testing/on-screen.ts';
import { show } from '../../testing/show.tsx';
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
});
