import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, pick, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const SHIFT = {
  ...{ id: 3, customerId: 2, customerName: 'North', site: null, user: { id: 7, name: 'Ann' } },
  ...{ substitute: { id: 8, name: 'Ben' }, from: at(-1), to: at(5) },
};

test.each(LANGUAGES)('the schedule says who is on duty, and when nobody is (%s)', async (locale) => {
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

const PEOPLE = [
  { id: 7, name: 'Ann', userName: 'ann', reachable: true },
  { id: 8, name: 'Ben', userName: 'ben', reachable: false },
];

/** The schedule of a customer whose shifts the user may change. */
const edited = async (options: Parameters<typeof showConsole>[1] = {}) => {
  const stage = await showConsole('/manage/customer/detail/2?tab=onCall', {
    ...options,
    answers: {
      readCustomer: { ...sample('readCustomer'), id: 2, name: 'North' },
      readOnCallSettings: { escalateMinutes: 15, sites: [], people: PEOPLE },
      listOnCall: () => sampleList('listOnCall', [SHIFT]),
      ...options.answers,
    },
  });
  const { t } = stage;
  /** Types a time of the fleet, as in a calendar field. */
  const type = async (key: string, time: string) => {
    await stage.dialog.getByRole('textbox', { name: t(key) }).fill(time);
    await userEvent.keyboard('{Enter}');
  };
  return { ...stage, type, save: () => stage.dialog.getByRole('button', { name: t('common:save'), exact: true }) };
};

test.each(LANGUAGES)('a shift is added, and says what is missing (%s)', async (locale) => {
  const { t, server, button, dialog, type, save } = await edited({ locale, answers: { createOnCall: { id: 4 } } });
  await button('on-call:add').click();
  await save().click();
  for (const key of ['user', 'from', 'to']) await sees(dialog.getByText(t(`on-call:need.${key}`)));
  expect(server.sent('createOnCall')).toEqual([]);
  await pick(t('on-call:user'), 'Ann (ann)');
  // A substitute whom no mail reaches is offered, and marked.
  await pick(t('on-call:substitute'), t('on-call:noAddress', { name: 'Ben', userName: 'ben' }));
  await type('on-call:from', '2030-02-01 18:00');
  await type('on-call:to', '2030-02-02 06:00');
  const fetched = server.sent('listOnCall').length;
  await save().click();
  await sees(t('on-call:saved'));
  await misses(dialog);
  expect(server.sent('createOnCall').map(({ params, body }) => ({ ...params, body }))).toEqual([
    {
      id: '2',
      body: {
        ...{ siteId: null, userId: 7, substituteId: 8 },
        ...{ from: '2030-02-01T10:00:00.000Z', to: '2030-02-01T22:00:00.000Z' },
      },
    },
  ]);
  await expect.poll(() => server.sent('listOnCall').length).toBeGreaterThan(fetched);
});

test('a shift is changed, and what the server refuses is said in the dialog', async () => {
  let refused = true;
  const { t, server, dialog, type, save } = await edited({
    answers: {
      updateOnCall: () => {
        if (refused) throw new Refused('shiftTooLong', { days: 7 });
        return null;
      },
    },
  });
  const list = page.getByRole('list', { name: t('on-call:schedule') });
  await list.getByRole('button', { name: new RegExp(t('on-call:editOf', { name: 'Ann', time: '.*' })) }).click();
  await sees(dialog.getByTitle('Ann (ann)'));
  await type('on-call:to', '2030-02-02 06:00');
  await save().click();
  await sees(dialog.getByRole('alert').getByText(/7 days at most/));
  refused = false;
  await save().click();
  await sees(t('on-call:saved'));
  await misses(dialog);
  expect(
    server
      .sent('updateOnCall')
      .map(({ params, body }) => ({ ...params, body }))
      .at(-1),
  ).toEqual({
    ...{ id: '2', shiftId: '3' },
    body: { siteId: null, userId: 7, substituteId: 8, from: SHIFT.from, to: '2030-02-01T22:00:00.000Z' },
  });
});

test('the shown week is copied to the next weeks', async () => {
  const { t, server, button, dialog } = await edited({ answers: { copyOnCallWeek: { copied: 5, skipped: 1 } } });
  await button('on-call:copy.do').click();
  const weeks = dialog.getByRole('spinbutton', { name: t('on-call:copy.weeks') });
  await expect.element(weeks).toHaveValue('4');
  await weeks.fill('2');
  await dialog.getByRole('button', { name: t('on-call:copy.ok'), exact: true }).click();
  await sees(t('on-call:copy.done', { copied: 5, skipped: 1 }));
  await misses(dialog);
  const [shown] = server.sent('listOnCall').map(({ query }) => query.from);
  expect(server.sent('copyOnCallWeek').map(({ params, body }) => ({ ...params, body }))).toEqual([
    { id: '2', body: { siteId: null, from: shown, weeks: 2 } },
  ]);
});

test('users who may not change shifts see no buttons for it', async () => {
  const user = { root: false, platformVendor: false };
  const { t, button } = await showConsole('/manage/customer/detail/2?tab=onCall', {
    user: { ...user, keys: ['auth_customer_list', 'auth_customer_detail', 'auth_message_list'] },
    answers: {
      readCustomer: { ...sample('readCustomer'), id: 2, name: 'North' },
      listOnCall: () => sampleList('listOnCall', [SHIFT]),
    },
  });
  await sees(page.getByText('Ann').first(), t('on-call:schedule'));
  for (const key of ['add', 'copy.do']) await misses(button(`on-call:${key}`));
  const buttons = page.getByRole('list', { name: t('on-call:schedule') }).getByRole('button');
  expect(buttons.elements()).toEqual([]);
});
