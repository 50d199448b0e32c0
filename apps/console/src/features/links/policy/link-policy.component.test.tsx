import { expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const OPEN = { secondPerson: false, hours: null, web: true };
const show = (options: { edit: boolean; locale?: 'en-US' | 'zh-CN'; size?: readonly [number, number] }) => {
  const { edit, ...more } = options;
  const may = { edit, manage: false, seeUsers: false };
  return showConsole('/manage/customer/detail/2?tab=links', {
    ...more,
    answers: {
      readCustomer: sample('readCustomer', { id: 2, name: 'North', may }),
      readLinkPolicy: OPEN,
      setLinkPolicy: ({ input }) => input.body,
    },
  });
};

test.each(LANGUAGES)('the rules of a customer for links are changed (%s)', async (locale) => {
  const { t, text, field, button, server } = await show({ edit: true, locale, size: [375, 700] });
  const save = button('common:save');
  await expect.element(save).toBeDisabled();
  await field('links:policy.secondPerson').click();
  await field('links:policy.web').click();
  await text('links:policy.hours').click();
  await field('links:policy.from').fill('22:00');
  await field('links:policy.until').fill('06:00');
  await sees(t('links:policy.night'));
  await expectAccessible();
  expect(tooWide()).toEqual([]);
  await save.click();
  await sees(t('links:policy.saved'));
  expect(server.sent('setLinkPolicy')[0]).toMatchObject({
    params: { id: '2' },
    body: { secondPerson: true, hours: { from: '22:00', until: '06:00' }, web: false },
  });
  await expect.element(save).toBeDisabled();
});

test('the rules are read-only for users who may not change the customer', async () => {
  const { field, button } = await show({ edit: false, size: [375, 700] });
  await expect.element(field('links:policy.secondPerson')).toBeDisabled();
  await misses(button('common:save'));
  expect(tooWide()).toEqual([]);
});
