import { messageOf } from '@chargehand/contract';
import { Input } from 'antd';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { call } from '../../api/client.ts';
import { latePart } from '../states/late-part.tsx';
import { Confirm } from './confirm.tsx';
import { lazyDialog } from './lazy/lazy-dialog.tsx';
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
  for (const close of [
    () => userEvent.keyboard('{Escape}'),
    () => button('common:cancel').click(),
    () => go('/elsewhere'),
  ]) {
    await close();
    const question = text('common:leave.pendingText').last();
    await sees(question);
    await button('common:leave.stay').click();
    await expect.element(question).not.toBeVisible();
  }
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

test('a dialog whose change hangs can be left', async () => {
  const { button } = await show(<NameDialog />, { answers: { createRole: () => new Promise(() => undefined) } });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await button('common:cancel').click();
  await button('common:leave.leave').click();
  await sees(page.getByText('Closed'));
});

test('a part that cannot be loaded leaves the rest, and is tried again', async () => {
  let missing = true;
  const Late = latePart(async () => {
    if (missing) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: ({ name }: { name: string }) => <p>Loaded {name}</p> };
  }, 2);
  const { t, button } = await show(
    <>
      <p>The rest</p>
      <Late name="part" />
    </>,
  );
  await sees(page.getByRole('alert').getByText(t('common:error.chunkTitle')), page.getByText('The rest'));
  missing = false;
  await button('common:error.retry').click();
  await sees(page.getByText('Loaded part'));
  await misses(page.getByRole('alert'));
});

test.each(LANGUAGES)('a dialog that cannot be loaded leaves the page, and is tried again (%s)', async (locale) => {
  let missing = true;
  const Late = lazyDialog(async () => {
    if (missing) throw new TypeError('Failed to fetch dynamically imported module');
    return {
      default: ({ onClose }: { onClose(): void }) => (
        <button type="button" onClick={onClose}>
          Loaded
        </button>
      ),
    };
  });
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        {open && <Late onClose={() => setOpen(false)} />}
      </>
    );
  }
  const { t, button } = await show(<Page />, { locale });
  const opener = page.getByRole('button', { name: 'Open' });
  await opener.click();
  await sees(page.getByRole('dialog').getByText(t('common:error.chunkTitle')));
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await misses(page.getByRole('alert'));
  await opener.click();
  await sees(page.getByRole('alert'));
  missing = false;
  await button('common:error.retry').click();
  await sees(page.getByRole('button', { name: 'Loaded' }));
});
