import { ALARM_LEVELS, DEVICE_STATUSES } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { misses, rowWith, sees } from '../../../testing/on-screen.ts';
import { listed, sample } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const none = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

test('a customer is added, changed, disabled, enabled and deleted', async () => {
  let now = sample('readCustomer', {
    ...{ id: 3, name: 'Acme', code: 'ACME', issuePrefix: 'ACM', enabled: true, revision: 'r1', userCount: 0 },
    ...{ byStatus: none(DEVICE_STATUSES), alarmsByLevel: none(ALARM_LEVELS) },
    may: { edit: true, manage: true, seeUsers: true },
  });
  let there = false;
  const set = (values: Partial<typeof now>) => {
    now = { ...now, ...values };
    return null;
  };
  const { t, button, dialog, entry, path, server } = await showConsole('/manage/customer/list', {
    answers: {
      listCustomers: listed('listCustomers', () => (there ? [{ id: 3, name: 'Acme', code: 'ACME' }] : [])),
      readCustomer: () => now,
      createCustomer: () => {
        there = true;
        return { id: 3 };
      },
      updateCustomer: ({ input }) => set({ contact: input.body.contact ?? '' }),
      disableCustomer: () => set({ enabled: false }),
      enableCustomer: () => set({ enabled: true }),
      deleteCustomer: () => {
        there = false;
        return null;
      },
    },
  });
  const confirm = (key: string) => dialog.getByRole('button', { name: t(key), exact: true }).click();
  const more = async (key: string) => {
    await button('places:more', { name: 'Acme' }).click();
    await entry(key).click();
    await confirm(key);
  };
  const field = (key: string) => page.getByRole('textbox', { name: t(key), exact: true });
  await button('places:customerAdd').click();
  await field('places:name').fill('Acme');
  await field('places:code').fill('ACME');
  // A new customer chooses who may charge.
  await confirm('places:form.add');
  await sees(t('places:form.tokenPolicy.choose'));
  await dialog.getByRole('radio', { name: t('places:form.tokenPolicy.known') }).click();
  await expectAccessible();
  await confirm('places:form.add');
  await expect.poll(path).toBe('/manage/customer/detail/3');
  expect(server.sent('createCustomer')[0]?.body).toMatchObject({ name: 'Acme', code: 'ACME' });
  await button('places:edit').click();
  await field('places:contact').fill('Ada Leung');
  await confirm('common:save');
  await sees('Ada Leung');
  expect(server.sent('updateCustomer')[0]?.body).toMatchObject({ contact: 'Ada Leung', revision: 'r1' });
  const marked = () => document.querySelector('.headline')?.textContent?.includes(t('places:disabled'));
  await more('places:disable.ok');
  await expect.poll(marked).toBe(true);
  await more('places:enable.ok');
  await expect.poll(marked).toBe(false);
  await more('places:delete.ok');
  await expect.poll(path).toBe('/manage/customer/list');
  await sees(page.getByRole('heading', { level: 1, name: t('routes:customerList') }));
  await misses(rowWith('ACME'));
});
