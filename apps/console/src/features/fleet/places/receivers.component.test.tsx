import type { ReceiverRow } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { show } from '../../../testing/show.tsx';
import type { Answers } from '../../../testing/stub-server.ts';
import { Receivers } from './receivers.tsx';

const people: ReceiverRow[] = ['north_admin', 'north_reader'].map((userName, index) => ({
  ...{ id: index + 1, userName, nickName: '', email: `${userName}@example.org`, roleName: 'Reader' },
  ...{ customerName: 'Customer north', enabled: true, lastSignInAt: null, reachable: true },
}));

/** A site with notification recipients that the test stores. */
function site(): Answers {
  const receivers = new Set<number>();
  const pageOf = (items: ReceiverRow[]) => ({ items, total: items.length });
  return {
    listReceivers: () => pageOf(people.filter(({ id }) => receivers.has(id))),
    listReceiverCandidates: ({ query }) =>
      pageOf(people.filter(({ id, userName }) => !receivers.has(id) && userName.includes(query.search ?? ''))),
    addReceiver: ({ input }) => {
      receivers.add(input.body.userId);
      return null;
    },
    removeReceiver: ({ params }) => {
      receivers.delete(Number(params.userId));
      return null;
    },
  };
}

describe('the notification recipients of a site', () => {
  test.each(LANGUAGES)('are found by typing, added immediately and removed (%s)', async (locale) => {
    const { t, text, button, server } = await show(<Receivers siteId={4} mayEdit />, { locale, answers: site() });
    await expect.element(text('places:receivers.none')).toBeVisible();
    await page.getByRole('combobox', { name: t('places:receivers.add') }).click();
    await userEvent.keyboard('reader');
    await expect.poll(() => server.sent('listReceiverCandidates').at(-1)?.query.search).toBe('reader');
    await expect
      .poll(() => document.querySelector('.ant-select-item-option-active')?.textContent)
      .toContain('north_reader');
    await userEvent.keyboard('{Enter}');
    await expect.element(text('places:receivers.added', { name: 'north_reader' })).toBeVisible();
    await expect.element(page.getByRole('row').filter({ hasText: 'north_reader' })).toBeVisible();
    await button('places:receivers.removeLabel', { name: 'north_reader' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('places:receivers.remove'), exact: true })
      .click();
    await expect.element(text('places:receivers.none')).toBeVisible();
  });

  test('are read-only for users who may not change the site', async () => {
    const { t, text } = await show(<Receivers siteId={4} mayEdit={false} />, { answers: site() });
    await expect.element(text('places:receivers.none')).toBeVisible();
    expect(page.getByRole('combobox', { name: t('places:receivers.add') }).query()).toBeNull();
  });
});
