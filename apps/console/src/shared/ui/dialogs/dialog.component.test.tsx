import { messageOf } from '@chargehand/contract';
import { Input } from 'antd';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, sees } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { call } from '../../api/client.ts';
import { Confirm } from './confirm.tsx';
import { useOwnNavigate } from './own-navigate.ts';

/** A page with a dialog that opens another page when it is done. */
function NameDialog() {
  const navigate = useOwnNavigate();
  const [open, setOpen] = useState(true);
  const [name, setName] = useState('');
  if (!open) return 'Closed';
  return (
    <Confirm
      title="New role"
      ok="Add"
      entered={name}
      run={() => call('createRole', { body: { name } }, { quiet: true })}
      onDone={({ id }) => navigate(`/role/${id}`)}
      onClose={() => setOpen(false)}
    >
      <Input aria-label="Name" value={name} onChange={({ target }) => setName(target.value)} />
    </Confirm>
  );
}

test('a dialog whose change is running stays open, asks before its page is left, and shows the error', async () => {
  let answer = Promise.withResolvers<{ id: number }>();
  const { button, text, go, path } = await show(<NameDialog />, { answers: { createRole: () => answer.promise } });
  const name = page.getByLabelText('Name', { exact: true });
  await name.fill('Night shift');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.element(button('common:cancel')).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  document.querySelector<HTMLElement>('.ant-modal-wrap')!.click();
  document.querySelector<HTMLElement>('.ant-modal-close')!.click();
  await go('/elsewhere');
  await sees(text('common:leave.pendingText'));
  await button('common:leave.stay').click();
  await expect.element(text('common:leave.pendingText')).not.toBeVisible();
  expect(path()).toBe('/manage/home');

  answer.reject(new Refused('roleNameExists'));
  await sees(messageOf('roleNameExists', 'en-US'));
  await expect.element(name).toHaveValue('Night shift');

  // The page that follows the answer is opened without a question.
  answer = Promise.withResolvers();
  await page.getByRole('button', { name: /Add$/ }).click();
  answer.resolve({ id: 7 });
  await expect.poll(path).toBe('/role/7');
  await misses(text('common:leave.title'));
});
