import { BRANDING_KEYS, brandingParameter, PARAMETER_KEYS, systemParameter } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { sees, tooWide } from '../../../testing/on-screen.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const AT = '2026-01-10T12:00:00Z';
const unchanged = { changed: false, changedAt: null, changedBy: null, revision: 0 };
const items = PARAMETER_KEYS.map((key) => {
  const { fallback } = systemParameter(key);
  const row = { key, value: fallback, base: fallback };
  if (key !== 'actionLogDays') return { ...row, ...unchanged };
  return { ...row, value: 900, changed: true, changedAt: AT, changedBy: 'ada', revision: 8 };
});
const brandingItems = BRANDING_KEYS.map((key) => {
  const { fallback } = brandingParameter(key);
  return { key, value: fallback, base: fallback, ...unchanged };
});
const setting = { secret: false, parameter: null, meaning: 'Meaning' };
const answers = {
  listSystemParameters: { items: [...items, ...brandingItems] },
  setSystemParameter: items[0]!,
  previewSystemParameter: { rows: 1_234, approximate: false, oldest: AT },
  listSystemParameterChanges: {
    items: [
      {
        id: 8,
        key: 'actionLogDays' as const,
        at: AT,
        userName: 'ada',
        before: 1_000,
        after: 900,
        undid: null,
        canUndo: true,
      },
      {
        id: 7,
        key: 'actionLogDays' as const,
        at: AT,
        userName: 'ben',
        before: null,
        after: 1_000,
        undid: AT,
        canUndo: false,
      },
    ],
    next: null,
  },
  undoSystemParameterChange: items[0]!,
  listEnvironmentSettings: {
    items: [
      { ...setting, name: 'CHARGEHAND_ACTION_LOG_DAYS', value: '1095', set: true, parameter: 'actionLogDays' as const },
      { ...setting, name: 'SMTP_URL', value: '••••••••', set: true, secret: true },
      { ...setting, name: 'HOST', value: '127.0.0.1', set: false },
      { ...setting, name: 'CLAMD_URL', value: null, set: false },
    ],
  },
};
const URL = '/manage/system/parameter';

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)('in %s, parameters are listed by group with their values (%j)', async (locale, size) => {
  const { t } = await showConsole(URL, { locale, size: [...size], answers });
  for (const key of PARAMETER_KEYS) {
    const { label } = systemParameter(key);
    await sees(locale === 'zh-CN' ? label.zh : label.en);
  }
  for (const key of BRANDING_KEYS) {
    const { label } = brandingParameter(key);
    await sees(locale === 'zh-CN' ? label.zh : label.en);
  }
  await sees(t('system-parameters:units.days', { count: 900, shown: '900' }));
  await sees(t('system-parameters:units.minutes', { count: 30, shown: '30' }));
  expect(document.querySelector('main')?.textContent).not.toMatch(/\{\{|units\.|groups\./);
  expect(tooWide()).toEqual([]);
  await expectAccessible();
});

test('a value that is out of range is explained and cannot be saved', async () => {
  const { button, dialog, server } = await showConsole(URL, { answers });
  await button('system-parameters:changeOne', { name: 'Session idle timeout' }).click();
  const input = dialog.getByRole('spinbutton', { name: 'Session idle timeout' });
  await input.fill('4');
  await sees(dialog.getByText('Shorter sessions end while users still read a page.', { exact: false }));
  await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await input.fill('45');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await sees('Session idle timeout was changed');
  expect(server.sent('setSystemParameter')[0]).toMatchObject({
    ...{ params: { key: 'sessionMinutes' }, body: { value: 45, revision: 0 } },
  });
});

test('a shorter retention is saved after its effect is known; the default is restored', async () => {
  const { button, dialog, server } = await showConsole(URL, { answers });
  await button('system-parameters:changeOne', { name: 'Action log' }).click();
  await sees(dialog.getByText('The default comes from CHARGEHAND_ACTION_LOG_DAYS.'));
  await dialog.getByRole('spinbutton').fill('60');
  await sees(dialog.getByText('1,234 entries older than 60 days will be deleted.'));
  expect(server.sent('previewSystemParameter').at(-1)?.query).toEqual({ value: '60' });
  await dialog.getByRole('button', { name: 'Save and delete data' }).click();
  await expect.poll(() => server.sent('setSystemParameter')[0]?.body).toEqual({ value: 60, revision: 8 });
  await expect.poll(() => dialog.query()).toBeNull();
  await button('system-parameters:changeOne', { name: 'Action log' }).click();
  await dialog.getByRole('button', { name: 'Use the default (1,095 days)' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => server.sent('setSystemParameter')[1]?.body).toEqual({ value: null, revision: 8 });
  await expect.poll(() => dialog.query()).toBeNull();
});

test.each([[[1280, 800]], [[390, 844]]] as const)('the last change is undone from the history (%j)', async (size) => {
  const { t, button, dialog, server } = await showConsole(`${URL}?tab=history`, { size: [...size], answers });
  await sees('1,000 days → 900 days', 'Default → 1,000 days');
  expect(page.getByText(t('system-parameters:history.undo'), { exact: true }).elements()).toHaveLength(1);
  expect(tooWide()).toEqual([]);
  await expectAccessible();
  await button('system-parameters:history.undoOne', { name: 'Action log' }).click();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await sees('The change to Action log was undone');
  expect(server.sent('undoSystemParameterChange')[0]?.params).toEqual({ id: '8' });
});

test.each([[[1280, 800]], [[390, 844]]] as const)(
  'environment variables are shown with masked secrets (%j)',
  async (size) => {
    await showConsole(`${URL}?tab=environment`, { size: [...size], answers });
    await sees('SMTP_URL', '••••••••', 'Default of the parameter “Action log”.', 'CLAMD_URL');
    expect(tooWide()).toEqual([]);
    await expectAccessible();
    await page.getByRole('checkbox', { name: 'Only variables that are set' }).click();
    await expect.poll(() => page.getByText('CLAMD_URL').query()).toBeNull();
  },
);

describe('the branding', () => {
  test('a name is checked and shown before it is saved', async () => {
    const { button, dialog, server } = await showConsole(URL, { answers });
    await button('system-parameters:changeOne', { name: 'Product name (English)' }).click();
    await dialog.getByRole('textbox').fill('x'.repeat(41));
    await sees(dialog.getByText('The text is too long.'));
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await dialog.getByRole('textbox').fill('<b>North</b>');
    await sees(dialog.getByRole('region', { name: 'Preview' }).getByText('<b>North</b>'));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => server.sent('setSystemParameter')[0])
      .toMatchObject({ params: { key: 'productNameEn' }, body: { value: '<b>North</b>', revision: 0 } });
  });

  test('a color with too little contrast is refused, and both themes are shown', async () => {
    const { button, dialog } = await showConsole(URL, { answers });
    await button('system-parameters:changeOne', { name: 'Primary color' }).click();
    const input = dialog.getByRole('textbox', { name: 'Primary color' });
    await input.fill('#ffd21f');
    await sees(dialog.getByText('Choose a darker color.', { exact: false }));
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await input.fill('#1D5FD0');
    await expect.element(dialog.getByText('Light theme')).toHaveStyle({ background: 'rgb(29, 95, 208)' });
    await sees(dialog.getByText('Dark theme'));
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeEnabled();
    await expectAccessible();
  });

  test('a file that is not a logo is refused', async () => {
    const { button, dialog } = await showConsole(URL, { answers });
    await button('system-parameters:changeOne', { name: 'Logo' }).click();
    await sees(dialog.getByRole('button', { name: 'Choose a file' }));
    const files = new DataTransfer();
    files.items.add(new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'logo.png', { type: 'image/png' }));
    const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await sees(dialog.getByText('Choose a PNG, JPEG or WebP file', { exact: false }));
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  });
});
