import { linkEnds } from '@chargehand/contract/link-ends';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { deviceDetail } from '../../../testing/devices.ts';
import { linkRow } from '../../../testing/links.ts';
import { misses, rowWith, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import type { Answers } from '../../../testing/stub-server.ts';

const SIZES = [
  ['a computer', [1280, 800]],
  ['a phone', [375, 700]],
] as const;
const past = (id: number) =>
  linkRow({ id, state: 'ended', end: 'expired', requestedBy: `user_${id}`, endedAt: '2026-01-01T01:00:00Z' });
const answers: Answers = {
  listLinks: ({ query }) => {
    if (query.ended !== 'true') return { items: [linkRow({ state: 'open' })], next: null };
    return query.before === undefined ? { items: [past(2)], next: 2 } : { items: [past(1)], next: null };
  },
  readLink: linkRow({ state: 'open' }),
};

test.each(SIZES)('the list of the fleet has active and past links on %s, older ones on request', async (_, size) => {
  const { t, server, button, dialog, path } = await showConsole('/manage/device/links', { answers, size });
  const active = page.getByRole('table', { name: t('links:active') });
  await sees(
    active.getByText('root_user', { exact: false }),
    active.getByText(t('links:states.open')),
    active.getByText(t('links:trafficOf', { sent: '1 KB', received: '2 KB' })),
    active.getByRole('link', { name: 'Pile 7' }),
  );
  await sees(rowWith('user_2').getByText(linkEnds.expired.en, { exact: false }));
  await expectAccessible();
  expect(tooWide()).toEqual([]);
  await button('common:older').click();
  await sees(rowWith('user_1'), rowWith('user_2'));
  expect(server.sent('listLinks').at(-1)?.query).toEqual({ ended: 'true', before: '2' });
  await active.getByRole('button', { name: t('links:title', { kind: t('links:kinds.ssh'), name: 'Pile 7' }) }).click();
  await sees(dialog.getByText(t('links:stateTexts.open')));
  expect(path()).toBe('/manage/device/links?link=3');
});

test.each([
  ['device', '/manage/device/detail/7?tab=links', { deviceId: '7' }],
  ['site', '/manage/site/detail/4?tab=links', { siteId: '4' }],
])('the page of a %s has its links', async (_, path, query) => {
  const { t, server } = await showConsole(path, {
    answers: { ...answers, readDevice: deviceDetail(), readSite: sample('readSite', { id: 4, name: 'North quay' }) },
  });
  await sees(rowWith('user_2').getByText(linkEnds.expired.en));
  expect(server.sent('listLinks').map((call) => call.query)).toEqual([query, { ...query, ended: 'true' }]);
  const devices = page
    .getByRole('table', { name: t('links:active') })
    .getByRole('columnheader', { name: t('links:device') });
  const filter = page.getByRole('combobox', { name: t('links:filter.device') });
  if ('siteId' in query) {
    await sees(devices);
    await filter.click();
    await expect.poll(() => server.sent('listDevices').at(-1)?.query.siteId).toBe('4');
  } else {
    await misses(devices);
    await misses(filter);
  }
});
