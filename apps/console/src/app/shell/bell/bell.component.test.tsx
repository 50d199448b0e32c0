import type { EventsMessage, MessageRow } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const FAULT: Partial<MessageRow> = {
  ...{ id: 5, type: 'alarmCA', level: 'CA', subject: { kind: 'alarm', id: '31' }, data: { code: 'GroundFailure' } },
  ...{ nameEn: 'Ground fault', nameZh: '接地故障', siteId: 4, siteName: 'North quay', customerName: 'North' },
  ...{ deviceCount: 1, devices: [{ id: 7, name: 'Pile 7' }], events: 1, open: 1, alarmIds: [31], readAt: null },
  ...{ updatedAt: '2026-01-05T09:00:00.000Z', since: '2026-01-05T09:00:00.000Z' },
};
const OVER: Partial<MessageRow> = {
  ...{
    ...FAULT,
    id: 4,
    alarmIds: [],
    open: 0,
    devices: [{ id: 8, name: 'Pile 8' }],
    subject: { kind: 'alarm', id: '30' },
  },
  ...{ readAt: '2026-01-05T08:30:00.000Z', recoveredAt: '2026-01-05T08:20:00.000Z' },
  ...{ since: '2026-01-05T08:00:00.000Z', updatedAt: '2026-01-05T08:20:00.000Z' },
};
const answers = {
  countInbox: { unread: 3, untreated: 3 },
  listInbox: () => sampleList('listInbox', [FAULT, OVER]),
  markInbox: { unread: 2, untreated: 3 },
};

type Stage = Awaited<ReturnType<typeof showConsole>>;
const bellButton = ({ t }: Stage, count?: number | string) => {
  const title = t('common:shell.bell');
  const name = count === undefined ? title : t('common:shell.counted', { title, count });
  return page.getByRole('button', { name, exact: true });
};
const newest = ({ t }: Stage) => page.getByRole('region', { name: t('messages:newest') });

describe('the notification bell', () => {
  test.each(LANGUAGES)('lists the newest messages and marks none of them as read (%s)', async (locale) => {
    const stage = await showConsole('/manage/welcome', { locale, answers });
    await bellButton(stage, 3).click();
    const [fault, over] = [newest(stage).getByRole('listitem').nth(0), newest(stage).getByRole('listitem').nth(1)];
    await sees(
      fault.getByText(locale === 'zh-CN' ? /接地故障/ : /Ground fault/).first(),
      fault.getByText(/Pile 7/).first(),
      fault.getByText(stage.t('messages:ongoing')),
      over.getByText(stage.t('messages:recovered')),
    );
    expect(stage.server.sent('markInbox')).toEqual([]);
    await sees(bellButton(stage, 3));
  });

  test('leads to what a message is about, marks it as read, and closes', async () => {
    let unread = 3;
    const stage = await showConsole('/manage/welcome', {
      answers: {
        ...answers,
        countInbox: () => ({ unread, untreated: 3 }),
        markInbox: () => {
          unread = 2;
          return { unread, untreated: 3 };
        },
      },
    });
    await bellButton(stage, 3).click();
    await newest(stage)
      .getByRole('link', { name: /Ground fault/ })
      .first()
      .click();
    await expect.poll(stage.path).toBe('/manage/device/detail/7?tab=details&section=alarms&alarm=31');
    await misses(newest(stage));
    expect(stage.server.sent('markInbox').map(({ body }) => body)).toEqual([{ ids: [5], read: true }]);
    await sees(bellButton(stage, 2));
  });

  test('explains why the user got a message, and stays open', async () => {
    const stage = await showConsole('/manage/welcome', {
      answers: { ...answers, explainMessage: { ...sample('explainMessage'), source: 'default', inApp: true } },
    });
    const { t } = stage;
    await bellButton(stage, 3).click();
    const fault = newest(stage).getByRole('listitem').nth(0);
    await fault.getByRole('button', { name: t('messages:why.do'), exact: false }).click();
    const why = page.getByRole('dialog').filter({ hasText: t('messages:why.now') });
    await sees(why.getByText(t('messages:why.place')), why.getByText(t('messages:sources.default')));
    expect(stage.server.sent('explainMessage').map(({ params }) => params)).toEqual([{ id: '5' }]);
    await why
      .getByRole('button', { name: t('common:close'), exact: true })
      .last()
      .click();
    await misses(why);
    await sees(newest(stage));
    expect(stage.server.sent('markInbox')).toEqual([]);
  });

  test('acknowledges an alarm in place', async () => {
    let alarmIds = [31];
    const stage = await showConsole('/manage/welcome', {
      answers: {
        ...answers,
        listInbox: () => sampleList('listInbox', [{ ...FAULT, alarmIds }]),
        acknowledgeAlarms: () => {
          alarmIds = [];
          return { acknowledged: 1, already: 0 };
        },
      },
    });
    await bellButton(stage, 3).click();
    const acknowledge = stage.t('alarms:acknowledge.ok');
    await newest(stage).getByRole('button', { name: acknowledge }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: acknowledge }).click();
    await misses(newest(stage).getByRole('button', { name: acknowledge }));
    expect(stage.server.sent('acknowledgeAlarms').map(({ body }) => body)).toEqual([{ ids: [31] }]);
    expect(stage.server.sent('markInbox').map(({ body }) => body)).toEqual([{ ids: [5], read: true }]);
  });

  test('marks as read what the user has seen, and nothing that arrived later', async () => {
    const stage = await showConsole('/manage/welcome', {
      answers: { ...answers, markInbox: { unread: 0, untreated: 3 } },
    });
    await bellButton(stage, 3).click();
    await newest(stage)
      .getByRole('button', { name: stage.t('messages:markAllRead') })
      .click();
    await sees(bellButton(stage));
    expect(stage.server.sent('markInbox').map(({ body }) => body)).toEqual([{ until: FAULT.updatedAt, read: true }]);
  });

  test('counts a new message when the stream announces it', async () => {
    let unread = 3;
    const stage = await showConsole('/manage/welcome', {
      answers: { ...answers, countInbox: () => ({ unread, untreated: unread }) },
    });
    await sees(bellButton(stage, 3));
    unread = 120;
    stage.stream('events' as never, { 'message.changed': [[1, null]] } as unknown as EventsMessage);
    await sees(bellButton(stage, '99+'));
  });

  test('offers users who only read no button to acknowledge, and others without messages no bell', async () => {
    const user = { root: false, platformVendor: false };
    const reader = await showConsole('/manage/welcome', {
      user: { ...user, keys: ['auth_home', 'auth_message_list'], level: 5 },
      answers,
    });
    await bellButton(reader, 3).click();
    await sees(
      newest(reader)
        .getByText(/Pile 7/)
        .first(),
    );
    expect(
      newest(reader)
        .getByRole('button', { name: reader.t('alarms:acknowledge.ok') })
        .elements(),
    ).toEqual([]);
    const other = await showConsole('/manage/welcome', { user: { ...user, keys: ['auth_user_list'] } });
    await sees(page.getByRole('button', { name: other.t('common:shell.theme') }).last());
    expect(bellButton(other).elements()).toEqual([]);
    expect(other.server.sent('countInbox')).toEqual([]);
  });

  test('is not marked as read by a root account that views it as the user', async () => {
    const viewing = { userId: 3, userName: 'root_user', since: FAULT.updatedAt, until: FAULT.updatedAt };
    const stage = await showConsole('/manage/welcome', { answers, info: { viewing: viewing as never } });
    await bellButton(stage, 3).click();
    await newest(stage)
      .getByRole('link', { name: /Ground fault/ })
      .first()
      .click();
    await expect.poll(stage.path).toBe('/manage/device/detail/7?tab=details&section=alarms&alarm=31');
    expect(stage.server.sent('markInbox')).toEqual([]);
  });
});
