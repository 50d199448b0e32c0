import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const SHIFT = {
  ...{ id: 3, customerId: 2, customerName: 'North', site: null, user: { id: 7, name: 'Ann' } },
  ...{ substitute: { id: 8, name: 'Ben' }, from: at(-1), to: at(5) },
};

test.each(['en-US', 'zh-CN'] as const)('the schedule says who is on duty, and when nobody is (%s)', async (locale) => {
  const { t } = await showConsole('/manage/customer/detail/2?tab=onCall', {
    locale,
    answers: {
      readCustomer: { ...sample('readCustomer'), id: 2, name: 'North' },
      listOnCall: () => sampleList('listOnCall', [SHIFT]),
    },
  });
  await sees(page.getByText('Ann').first());
  await sees(
    page.getByText(t('on-call:substituteIs', { name: 'Ben' })).first(),
    page.getByText(t('on-call:nobody'), { exact: true }).first(),
  );
  await misses(page.getByText(t('on-call:nobodyNow')));
});

test('a shift is deleted after a confirmation', async () => {
  let shifts = [SHIFT];
  const { t, server } = await showConsole('/manage/customer/detail/2?tab=onCall', {
    answers: {
      readCustomer: { ...sample('readCustomer'), id: 2, name: 'North' },
      readOnCallSettings: { escalateMinutes: 15, sites: [], people: [] },
      listOnCall: () => sampleList('listOnCall', shifts),
      deleteOnCall: () => {
        shifts = [];
        return null;
      },
    },
  });
  const list = page.getByRole('list', { name: t('on-call:schedule') });
  await list.getByRole('button', { name: new RegExp(t('on-call:deleteOf', { name: 'Ann', time: '.*' })) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('on-call:delete') })
    .click();
  await sees(t('on-call:nobodyNow'));
  expect(server.sent('deleteOnCall')).toHaveLength(1);
});
