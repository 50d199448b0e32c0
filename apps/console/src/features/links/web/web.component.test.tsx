import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { linkRow } from '../../../testing/links.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';

const open = linkRow({ kind: 'web', state: 'open', openedAt: new Date().toISOString(), port: 80 });
const show = (answers: object, locale: 'en-US' | 'zh-CN' = 'en-US') =>
  showConsole('/manage/device/links?link=3', { locale, answers: { readLink: open, ...answers } });

test('web pages open in a new tab without a way back to the console', async () => {
  const opened: unknown[] = [];
  window.open = (...values: unknown[]) => {
    opened.push(values);
    return null;
  };
  const state = { refused: true };
  const url = 'http://label.localhost/';
  const { button, dialog, t } = await show({
    openPages: () => {
      if (state.refused) throw new Refused('linkNotOpen');
      return { url };
    },
  });
  await button('links:web.open').click();
  await sees(dialog.getByText('The link is not open.'));
  state.refused = false;
  await button('links:web.open').click();
  await sees(dialog.getByText(t('links:web.opened')));
  expect(opened).toEqual([[url, '_blank', 'noopener,noreferrer']]);
});

const GUEST = { id: 9, name: 'Wang', interactive: false, hostSession: true };
const REQUEST = sampleRow('listLinkActivity', {
  ...{ number: 1, kind: 'request', text: 'POST /settings', guest: 'Wang', result: 'refused', status: 403 },
});

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [375, 700]],
] as const)(
  'the user of web pages invites a guest, lets them make changes and ends their access (%s)',
  async (locale, size) => {
    const share = sampleRow('listShares', { kind: 'page', token: 'tok', code: 'AB23', hasCode: true, own: true });
    const { t, server, dialog, button } = await showConsole('/manage/device/links?link=3', {
      ...{ locale, size },
      answers: {
        ...{ readLink: open, listPageGuests: { items: [GUEST] }, listLinkActivity: { items: [REQUEST], next: null } },
        ...{ changeGuest: null, removeGuest: null, invitePageGuest: share },
      },
    });
    await sees(dialog.getByText('POST /settings'), dialog.getByText(new RegExp(t('links:guests.sharesSession'))));
    expect(dialog.getByText(new RegExp(t('links:guests.guest', { name: 'Wang' }))).elements()).toHaveLength(2);
    await expectAccessible();
    expect(tooWide()).toEqual([]);
    const left = (text: string | RegExp) => dialog.getByText(text).first().element().getBoundingClientRect().left;
    expect(left(new RegExp(t('links:guests.sharesSession')))).toBe(left(t('links:guests.pageGuests')));
    expect(left('POST /settings')).toBe(left(t('links:guests.pageGuests')));
    await dialog.getByRole('checkbox', { name: t('links:guests.mayChangeOf', { name: 'Wang' }) }).click();
    await expect.poll(() => server.sent('changeGuest')[0]?.body).toEqual({ interactive: true });
    await dialog.getByRole('button', { name: t('links:guests.removeOf', { name: 'Wang' }) }).click();
    await expect.poll(() => server.sent('removeGuest')[0]?.params).toEqual({ id: '3', guestId: '9' });
    await button('links:guests.invite').click();
    const invitation = page.getByRole('dialog').last();
    await invitation.getByText(t('links:guests.hostSession')).click();
    await expectAccessible();
    await invitation.getByRole('button', { name: t('links:guests.create') }).click();
    await sees('AB23');
    expect(server.sent('invitePageGuest')[0]?.body).toEqual({
      ...{ interactive: false, hostSession: true, minutes: 30, recipient: '' },
    });
  },
);

test('a colleague watches the requests to web pages as they happen, and ends the link', async () => {
  const state = { items: [REQUEST] };
  const { t, server, dialog, button, stream } = await show({
    readLink: { ...open, own: false },
    listPageGuests: { items: [GUEST] },
    listLinkActivity: () => ({ items: state.items, next: null }),
    destroyLink: { ...open, own: false },
  });
  await sees(dialog.getByRole('heading', { name: t('links:web.live') }), dialog.getByText('POST /settings'));
  await misses(dialog.getByRole('button', { name: t('links:guests.invite') }));
  state.items = [sampleRow('listLinkActivity', { number: 2, kind: 'request', text: 'GET /status' }), REQUEST];
  stream('events', { 'link.activity': [[3, null]] });
  await sees(dialog.getByText('GET /status'));
  await button('links:end').click();
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: t('links:end') })
    .click();
  await expect.poll(() => server.sent('destroyLink')[0]?.params).toEqual({ id: '3' });
});
