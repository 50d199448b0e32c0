import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sample, sampleList } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { UserPicker } from './user-picker.tsx';

test('a selected user who is not among the first ones is shown by name, also while another one is searched', async () => {
  const { server } = await show(<UserPicker value={77} placeholder="User" />, {
    answers: {
      listUsers: sampleList('listUsers', [{ id: 3, userName: 'first_user' }]),
      readUser: { ...sample('readUser'), id: 77, userName: 'late_user' },
    },
  });
  await expect.element(page.getByTitle('late_user').first()).toBeVisible();
  expect(server.sent('listUsers')).toEqual([]);
  await page.getByRole('combobox', { name: 'User' }).click();
  await expect.element(page.getByText('first_user').first()).toBeVisible();
  await userEvent.keyboard('first');
  await expect.poll(() => server.sent('listUsers').at(-1)?.query.search).toBe('first');
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByTitle('late_user').first()).toBeVisible();
  expect(page.getByText('77').query()).toBeNull();
  expect(server.sent('readUser')).toHaveLength(1);
});
