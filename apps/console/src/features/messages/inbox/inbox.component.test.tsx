import type { EventsMessage, MessageRow } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { misses, pick, rowWith, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { HttpFailure } from '../../../testing/stub-server.ts';

const PATH = '/manage/message/list';
const FAULT: Partial<MessageRow> = {
  ...{ id: 5, type: 'fault', level: 'CA', subject: { kind: 'alarm', id: '31' }, data: { code: 'GroundFailure' } },
  ...{ nameEn: 'Ground fault', nameZh: '接地故障', siteId: 4, siteName: 'North quay', customerName: 'North' },
  ...{ deviceCount: 1, devices: [{ id: 7, name: 'Pile 7' }], events: 1, open: 1, alarmIds: [31] },
  ...{ since: '2026-01-05T07:00:00.000Z', updatedAt: '2026-01-05T07:00:00.000Z', connector: 2 },
  ...{ meaningEn: 'The case may be live.', meaningZh: '外壳可能带电。', stepsEn: '1. Block it.', stepsZh: '1. 停用。' },
  others: [
    {
      ...{ type: 'fault', level: 'CA', code: 'OverVoltage', nameEn: 'Over-voltage', nameZh: '过压', open: 1 },
      ...{ since: '2026-01-05T07:05:00.000Z', heldBack: false },
    },
  ],
};
/** Newer than the fault, and read. */
const ISSUE: Partial<MessageRow> = {
  ...{ id: 6, type: 'issueAssigned', subject: { kind: 'issue', id: '12' }, data: { title: 'Screen is dark' } },
  ...{ siteId: 4, siteName: 'North quay', events: 1, readAt: '2026-01-05T09:10:00.000Z' },
  ...{ since: '2026-01-05T09:00:00.000Z', updatedAt: '2026-01-05T09:00:00.000Z' },
};
const OVER: Partial<MessageRow> = {
  ...{ ...FAULT, id: 4, nameEn: 'Cable worn', nameZh: '电缆磨损', open: 0, alarmIds: [] },
  ...{ devices: [{ id: 8, name: 'Pile 8' }], subject: { kind: 'alarm' as const, id: '30' } },
  ...{ readAt: '2026-01-05T06:30:00.000Z', processedAt: '2026-01-05T06:31:00.000Z' },
  cause: { code: 'wear', nameEn: 'Wear', nameZh: '磨损老化' },
  remedy: { code: 'replaced', nameEn: 'Part replaced', nameZh: '更换部件' },
  ...{ meaningEn: null, meaningZh: null, stepsEn: null, stepsZh: null, others: [] },
  ...{ recoveredAt: '2026-01-05T06:20:00.000Z', updatedAt: '2026-01-05T06:20:00.000Z' },
};
const answers = {
  countInbox: { unread: 1, untreated: 2 },
  listInbox: () => sampleList('listInbox', [FAULT, ISSUE, OVER]),
  markInbox: { unread: 0, untreated: 1 },
};
test.each([
  ['en-US', 'Fault: Over-voltage (OverVoltage)', 'The case may be live.', '1. Block it.'],
  ['zh-CN', '故障 过压（OverVoltage）', '外壳可能带电。', '1. 停用。'],
] as const)(
  'a message says what else goes on, what it means and what to do first (%s)',
  async (locale, other, meaning, steps) => {
    const { t } = await showConsole(PATH, { locale, answers });
    await sees(page.getByText(other));
    await sees(page.getByText(meaning));
    await sees(page.getByText(t('messages:connector', { connector: 2 })).first());
    await page
      .getByRole('button', { name: t('messages:steps') })
      .first()
      .click();
    await sees(page.getByText(steps));
  },
);

const marks = ({ server }: Awaited<ReturnType<typeof showConsole>>) => server.sent('markInbox').map(({ body }) => body);

describe('the inbox', () => {
  test.each([
    ['en-US', /Ground fault/, /Screen is dark/, 'Cause: Wear · Remedy: Part replaced'],
    ['zh-CN', /接地故障/, /Screen is dark/, '原因：磨损老化 · 处理措施：更换部件'],
  ] as const)(
    'lists ongoing faults first, and says what is unread, processed and over (%s)',
    async (locale, fault, issue, end) => {
      const { t, server } = await showConsole(PATH, { locale, answers });
      await sees(rowWith(fault).getByText(t('messages:ongoing')), rowWith(fault).getByText(t('messages:unread')));
      await sees(t('messages:counts', { unread: 1, untreated: 2 }));
      // The order is that of the server: the console does not ask for another one, although the second message is newer.
      expect(server.sent('listInbox')[0]?.query).not.toHaveProperty('sort');
      const rows = page.getByRole('row').elements().slice(1);
      expect(rows.map(({ textContent }) => [fault, issue].findIndex((title) => title.test(textContent ?? '')))).toEqual(
        [0, 1, -1],
      );
      await misses(rowWith(issue).getByText(t('messages:unread'), { exact: true }));
      const over = rowWith('Pile 8');
      await sees(
        over.getByText(t('messages:recovered')),
        over.getByText(t('messages:processed'), { exact: true }),
        over.getByText(end),
      );
    },
  );

  test('opens what a message is about, and marks the message as read', async () => {
    const stage = await showConsole(PATH, { answers });
    await rowWith(/Ground fault/)
      .getByText(/Ground fault/)
      .first()
      .click();
    await expect.poll(stage.path).toBe('/manage/device/detail/7?tab=details&section=alarms&alarm=31');
    expect(marks(stage)).toEqual([{ ids: [5], read: true }]);
    await stage.go(PATH);
    await rowWith('Screen is dark').getByText('Screen is dark', { exact: false }).first().click();
    await expect.poll(stage.path).toBe('/manage/issue/detail/12');
    // It was read before.
    expect(marks(stage)).toHaveLength(1);
  });

  test('links the device and the site of a message, also those of several devices', async () => {
    const many = {
      ...{ ...FAULT, id: 9, deviceCount: 3, events: 5, open: 2 },
      devices: [7, 8].map((id) => ({ id, name: `Pile ${id}` })),
    };
    const { t } = await showConsole(PATH, {
      answers: { ...answers, listInbox: () => sampleList('listInbox', [many]) },
    });
    const row = rowWith(/Ground fault/);
    const links = () =>
      [...document.querySelectorAll('main tbody a')].map((link) => [link.textContent, link.getAttribute('href')]);
    await sees(t('messages:events', { count: 5, open: 2, total: 5 }));
    const site = ['North quay', '/manage/site/detail/4'];
    expect(links()).toEqual([site]);
    await row.getByRole('button', { name: t('messages:devices', { count: 3 }) }).click();
    await sees(t('messages:moreDevices', { count: 1 }));
    expect(links()).toEqual([site, ['Pile 7', '/manage/device/detail/7'], ['Pile 8', '/manage/device/detail/8']]);
  });

  test('filters by read state, handling, recovery and type, in the URL', async () => {
    const { t, server, path } = await showConsole(PATH, { answers });
    await sees(rowWith(/Ground fault/));
    await pick(t('messages:reading'), t('messages:unread'));
    await pick(t('messages:handling'), t('messages:unprocessed'));
    await pick(t('messages:recovery'), t('messages:notRecovered'));
    await pick(t('messages:type'), t('messages:types.fault'));
    const wanted = { read: 'false', processed: 'false', recovered: 'false', type: 'fault' };
    await expect.poll(() => server.sent('listInbox').at(-1)?.query).toMatchObject(wanted);
    expect(Object.fromEntries(new URLSearchParams(path().split('?')[1]))).toEqual(wanted);
  });

  test('marks one, many, and all that the user has seen', async () => {
    const stage = await showConsole(PATH, { answers });
    const { t, button } = stage;
    await rowWith(/Ground fault/)
      .getByRole('button', { name: t('messages:do.processed'), exact: true })
      .click();
    await expect.poll(() => marks(stage)).toEqual([{ ids: [5], processed: true }]);
    await sees(t('messages:counts', { unread: 0, untreated: 1 }));

    for (const row of [rowWith(/Ground fault/), rowWith('Pile 8')]) await row.getByRole('checkbox').click();
    const toolbar = page.getByRole('toolbar');
    await toolbar.getByRole('button', { name: t('messages:do.unread'), exact: true }).click();
    await expect.poll(() => marks(stage).at(-1)).toEqual({ ids: [5, 4], read: false });
    await sees(t('messages:marked', { count: 2 }));
    expect(button('messages:markAllRead').elements()).toEqual([]);
  });

  test('marks all messages that match, after confirmation because not all of them were seen', async () => {
    let ids = [4, 5, 6];
    const stage = await showConsole(`${PATH}?type=fault`, {
      answers: {
        ...answers,
        listInbox: () => ({ ...sampleList('listInbox', [FAULT, OVER]), total: 3 }),
        selectInbox: () => ({ items: ids.map((id) => ({ id, name: `Fault ${id}` })) }),
      },
    });
    const { t, dialog, server } = stage;
    const toolbar = page.getByRole('toolbar');
    await rowWith('Pile 8').getByRole('checkbox').click();
    await toolbar.getByRole('button', { name: t('common:list.selectAll', { total: 3 }) }).click();
    await sees(toolbar.getByText(t('common:list.selected', { count: 3 })));
    expect(server.sent('selectInbox')[0]?.query).toEqual({ type: 'fault' });
    ids = [5, 6, 7, 8];
    await toolbar.getByRole('button', { name: t('messages:do.processed'), exact: true }).click();
    await sees(dialog.getByText(t('messages:markText.processed')), dialog.getByText('Fault 8', { exact: true }));
    await sees(dialog.getByText(t('common:list.joined', { count: 2 }), { exact: false }));
    expect(marks(stage)).toEqual([]);
    await dialog.getByRole('button', { name: t('messages:do.processed'), exact: true }).click();
    await expect.poll(() => marks(stage)).toEqual([{ ids: [5, 6, 7, 8], processed: true }]);
    await sees(t('common:list.done', { count: 4 }));
    await misses(dialog);
  });

  test('marks everything as read up to the newest message that is shown', async () => {
    const stage = await showConsole(PATH, { answers });
    await sees(rowWith(/Ground fault/));
    await stage.button('messages:markAllRead').click();
    await expect.poll(() => marks(stage)).toEqual([{ until: ISSUE.updatedAt, read: true }]);
    await misses(stage.button('messages:markAllRead'));
  });

  test.each([
    ['en-US', [1280, 800]],
    ['zh-CN', [390, 844]],
  ] as const)('explains with one click why the user got a message (%s)', async (locale, size) => {
    const stage = await showConsole(PATH, {
      ...{ locale, size },
      answers: {
        ...answers,
        explainMessage: { ...sample('explainMessage'), source: 'onCall', inApp: true, mail: 'now', escalated: true },
      },
    });
    const { t } = stage;
    const why = rowWith('Pile 7').getByRole('button', { name: t('messages:why.do'), exact: false });
    // Each row has such a button: its name says which message, the tooltip does not repeat it.
    await expect.element(why).toHaveAccessibleName(/(Ground fault|接地故障).*GroundFailure/);
    await expect.element(why).toHaveAttribute('title', t('messages:why.do'));
    await why.click();
    const { dialog } = stage;
    await sees(dialog.getByText(t('messages:why.onDuty')), dialog.getByText(t('messages:sources.onCall')));
    await sees(dialog.getByText(t('messages:sends.now'), { exact: true }).first());
    expect(stage.server.sent('explainMessage').map(({ params }) => params)).toEqual([{ id: '5' }]);
    await dialog.getByRole('link', { name: t('messages:why.change') }).click();
    await expect.poll(stage.path).toBe('/manage/message/setting');
  });

  test('shows a message that arrives while it is open', async () => {
    let rows = [OVER];
    const stage = await showConsole(PATH, {
      answers: { ...answers, listInbox: () => sampleList('listInbox', rows) },
    });
    await sees(rowWith('Pile 8'));
    await misses(rowWith('Pile 7'));
    rows = [FAULT, OVER];
    stage.stream('events' as never, { 'message.changed': [[1, null]] } as unknown as EventsMessage);
    await sees(rowWith('Pile 7').getByText(stage.t('messages:unread')));
  });

  test('without messages says what it is for, and without matches offers to clear the filters', async () => {
    const stage = await showConsole(PATH, {
      answers: { ...answers, countInbox: { unread: 0, untreated: 0 }, listInbox: () => sampleList('listInbox') },
    });
    await sees(stage.t('messages:empty'));
    await misses(stage.button('messages:markAllRead'));
    await stage.go(`${PATH}?read=false`);
    await sees(stage.text('common:table.noMatch'));
    await stage.button('common:table.clear').last().click();
    await sees(stage.t('messages:empty'));
    expect(stage.path()).toBe(PATH);
  });

  test('that cannot be fetched says so, and is fetched again on request', async () => {
    let broken = true;
    const stage = await showConsole(PATH, {
      answers: {
        ...answers,
        listInbox: () => {
          if (broken) throw new HttpFailure(500);
          return sampleList('listInbox', [FAULT]);
        },
      },
    });
    await sees(page.getByRole('alert'));
    broken = false;
    await stage.button('common:error.retry').click();
    await sees(rowWith(/Ground fault/));
  });

  test('on a phone, a message is a card with its state and actions', async () => {
    const { t } = await showConsole(PATH, { answers, size: [390, 844] });
    const card = rowWith(/Ground fault/);
    await sees(card.getByText('Pile 7'), card.getByText(t('messages:ongoing')));
    await card.getByRole('button', { name: new RegExp(t('messages:actionsOf', { title: '' })) }).click();
    await sees(page.getByRole('menuitem', { name: t('messages:do.processed'), exact: true }));
  });
});
