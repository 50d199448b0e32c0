import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '../../../shared/api/client.ts';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { publicKeyAnswer } from '../../../testing/inputs/public-key.ts';
import { option, sees } from '../../../testing/on-screen.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const hundred = Array.from({ length: 100 }, (_, index) => ({
  ...{ row: index + 1, sn: `IMP-${index + 1}`, name: `Imported ${index + 1}`, site: 'North quay', model: 'World pile' },
  problems: [] as string[],
}));
const broken = hundred.map((row, index) => {
  if (index === 6) return { ...row, model: 'World pille', problems: ['There is no model World pille: World pile?'] };
  return index === 41 ? { ...row, sn: 'IMP-1', problems: ['Row 1 has this SN, too.'] } : row;
});

test('a file of devices is imported once its errors are fixed', async () => {
  let rows = broken;
  const { t, button, server, path } = await showConsole('/manage/device/import', {
    answers: {
      publicKey: await publicKeyAnswer(),
      importDevices: ({ input }): Answer<'importDevices'> => {
        const faulty = rows.filter(({ problems }) => problems.length > 0).length;
        const { dryRun } = input.body;
        const bad = rows.filter(({ problems }) => problems.length > 0);
        return {
          ...{ total: 100, faulty, imported: dryRun ? 0 : 100 - faulty, rows: dryRun ? rows : bad },
          ...{ leftOut: ['Remark'], headings: null },
        };
      },
      exportImportTemplate: new Response('', { headers: { 'content-type': 'application/octet-stream' } }),
    },
  });
  await button('devices:import.template').click();
  await expect.poll(() => server.sent('exportImportTemplate').length).toBe(1);
  const choose = (name: string) =>
    page.elementLocator(document.querySelector('input[type=file]')!).upload(new File(['[]'], name));
  await choose('devices.xls');
  await sees(t('devices:import.unsupported'));
  expect(server.sent('importDevices')).toEqual([]);

  await choose('hundred.json');
  await sees(t('devices:import.bad', { faulty: 2, total: 100 }), t('devices:import.leftOut', { columns: 'Remark' }));
  const take = button('devices:import.register', { count: 100 });
  await expect.element(take).toBeDisabled();
  const shown = () => document.querySelectorAll('tbody tr[data-row-key]').length;
  await expect.poll(shown).toBe(2);
  await sees('World pille', 'There is no model World pille: World pile?');
  await page.getByText(t('devices:import.onlyBad')).click();
  await expect.poll(shown).toBe(50);

  rows = hundred;
  await choose('hundred.json');
  await sees(t('devices:import.good', { count: 100 }));
  await take.click();
  await sees(t('devices:import.done', { count: 100 }));
  expect(server.sent('importDevices').map(({ body }) => (body as { dryRun: boolean }).dryRun)).toEqual([
    ...[true, true, false],
  ]);
  await page.getByRole('link', { name: t('devices:import.open') }).click();
  await expect.poll(path).toBe('/manage/device/list');
});

test('rows with errors are skipped on request, and shown afterwards', async () => {
  const bad = broken.filter(({ problems }) => problems.length > 0);
  const { t, button, server } = await showConsole('/manage/device/import', {
    answers: {
      publicKey: await publicKeyAnswer(),
      importDevices: ({ input }): Answer<'importDevices'> =>
        input.body.dryRun
          ? { total: 100, faulty: 2, imported: 0, rows: broken, leftOut: [], headings: null }
          : { total: 100, faulty: 2, imported: 98, rows: bad, leftOut: [], headings: null },
    },
  });
  await expect.element(button('devices:import.template')).toBeVisible();
  await page.elementLocator(document.querySelector('input[type=file]')!).upload(new File(['[]'], 'hundred.json'));
  await page.getByText(t('devices:import.skip', { count: 2 })).click();
  await button('devices:import.register', { count: 98 }).click();
  await sees(
    page.getByText(t('devices:import.done', { count: 98 }), { exact: false }),
    page.getByText(t('devices:import.skipped', { count: 2 }), { exact: false }),
    page.getByText('World pille'),
  );
  expect(server.sent('importDevices').at(-1)?.body).toMatchObject({ dryRun: false, skipInvalid: true });
});

test('the columns of a sheet with other headings are chosen once for the file', async () => {
  const headings = ['Serial', 'Label', 'Place', 'Device model'].map((heading, index) => ({
    heading,
    field: index === 3 ? ('model' as const) : null,
  }));
  const { t, button, server } = await showConsole('/manage/device/import', {
    answers: {
      publicKey: await publicKeyAnswer(),
      importDevices: ({ input: { body } }): Answer<'importDevices'> => ({
        ...{ total: body.columns ? 100 : 0, faulty: 0, imported: body.dryRun ? 0 : 100, leftOut: [] },
        ...{ rows: body.dryRun && body.columns ? hundred : [], headings: body.columns ? null : headings },
      }),
    },
  });
  await expect.element(button('devices:import.template')).toBeVisible();
  await page.elementLocator(document.querySelector('input[type=file]')!).upload(new File(['[]'], 'list.csv'));
  await sees(t('devices:import.chooseColumns'));
  await expectAccessible();
  const check = button('devices:import.checkRows');
  await expect.element(check).toBeDisabled();
  const columns = { sn: 'Serial', name: 'Label', site: 'Place' };
  for (const [field, heading] of Object.entries(columns)) {
    const name = new RegExp(`^${t(`devices:import.headings.${field as 'sn'}`)}`);
    await page.getByRole('combobox', { name }).click();
    await option(heading).click();
  }
  await check.click();
  await button('devices:import.register', { count: 100 }).click();
  await sees(t('devices:import.done', { count: 100 }));
  const sent = server.sent('importDevices').map(({ body }) => (body as { columns?: object }).columns);
  expect(sent).toEqual([undefined, { ...columns, model: 'Device model' }, { ...columns, model: 'Device model' }]);
});
