import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { sees } from '../../testing/on-screen.ts';
import { sample, sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';

test('root finds a mail, reads it, and sends it again', async () => {
  const mail = { id: 3, receiver: 'ada@example.org', subject: 'Harbour', state: 'sent' as const };
  const { t, path, button, dialog, server } = await showConsole('/manage/welcome', {
    answers: {
      listMails: { items: [sampleRow('listMails', mail)], total: 1, delivers: true },
      readMail: sample('readMail', { ...mail, text: 'Go to https://example.org/harbour now' }),
      sendMailAgain: null,
    },
  });
  await page
    .getByRole('link', { name: new RegExp(`^${t('common:shell.system')}`) })
    .first()
    .click();
  const menu = page.getByRole('navigation', { name: t('routes:system') });
  await menu.getByRole('link', { name: t('routes:outgoingMails'), exact: true }).click();
  await expect.poll(path).toBe('/manage/system/mails');
  await page.getByPlaceholder(t('mails:search')).fill('ada@example.org');
  await expect.poll(path).toBe('/manage/system/mails?search=ada%40example.org');
  await expect.poll(() => server.sent('listMails').at(-1)?.query).toMatchObject({ search: 'ada@example.org' });
  await button('mails:open', { receiver: 'ada@example.org' }).click();
  await sees(dialog.getByText('Harbour', { exact: true }));
  await expectAccessible();
  await expect
    .element(dialog.getByRole('link', { name: 'https://example.org/harbour' }))
    .toHaveAttribute('href', 'https://example.org/harbour');
  await dialog.getByRole('button', { name: t('mails:sendAgain'), exact: true }).click();
  await sees(t('mails:queued', { receiver: 'ada@example.org' }));
  expect(server.sent('sendMailAgain')[0]?.params).toEqual({ id: '3' });
});

test('says that mails are stored when there is no mail server', async () => {
  const kept = sampleRow('listMails', { id: 3, receiver: 'ada@example.org', state: 'waiting' });
  const { t } = await showConsole('/manage/system/mails', {
    answers: { listMails: { items: [kept], total: 1, delivers: false } },
  });
  await sees(t('mails:keeping'), t('mails:states.kept'));
});
