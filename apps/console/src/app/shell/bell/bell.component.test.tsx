import type { AlarmRow, EventsMessage, OwnResult } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const OPENED = '2026-01-05T08:00:00.000Z';
const bell = (alarms: number | null, results: number | null) => ({ counts: { alarms, results }, openedAt: OPENED });
const alarm: Partial<AlarmRow> = {
  ...{ id: 5, deviceId: 7, deviceName: 'Pile 7', siteId: 4, siteName: 'North quay', connector: 1, level: 'CA' },
  ...{ code: 'GroundFailure', nameEn: 'Ground fault', nameZh: '接地故障', acknowledgedAt: null, clearedAt: null },
  raisedAt: '2026-01-05T09:00:00.000Z',
};
const command: OwnResult = {
  ...{ kind: 'softReset', connector: 0, key: null, siteName: 'North quay', endedAt: '2026-01-05T09:00:00.000Z' },
  device: {
    ...{ id: 7, name: 'Pile 7', executionId: 'd9b3b0f5-0000-4000-8000-000000000001', protocol: 'ocpp1.6', outcome: 3 },
  },
  batch: null,
};
const counts = {
  total: 8,
  succeeded: 6,
  failed: 2,
  queued: 0,
  inFlight: 0,
  timedOut: 0,
  offline: 0,
  cancelled: 0,
  refused: 0,
};
const batch: OwnResult = {
  ...command,
  kind: 'clearCache',
  endedAt: '2026-01-05T07:00:00.000Z',
  device: null,
  batch: { id: 3, counts },
};
const answers = {
  readBell: bell(2, 1),
  openBell: { openedAt: '2026-01-05T10:00:00.000Z' },
  listAlarms: () => ({ ...sampleList('listAlarms', [alarm]), next: null }),
  listOwnResults: { items: [command, batch] },
};

type Stage = Awaited<ReturnType<typeof showConsole>>;
const bellButton = ({ t }: Stage, count?: number | string) => {
  const title = t('common:shell.bell');
  const name = count === undefined ? title : t('common:shell.counted', { title, count });
  return page.getByRole('button', { name, exact: true });
};
const section = ({ t }: Stage, key: string) => page.getByRole('region', { name: t(key) });

describe('the notification bell', () => {
  test.each(['en-US', 'zh-CN'] as const)('lists alarms and results, and marks what is new (%s)', async (locale) => {
    const stage = await showConsole('/manage/welcome', { locale, answers });
    const { t, server } = stage;
    await bellButton(stage, 3).click();
    const alarms = section(stage, 'bell:alarms');
    await sees(alarms.getByText(locale === 'zh-CN' ? '接地故障' : 'Ground fault'), alarms.getByText('Pile 7'));
    const results = section(stage, 'bell:results');
    await sees(
      results.getByText(t('operations:kinds.softReset.do')),
      results.getByText(t('common:executionResult.failure')),
      results.getByText(t('bell:succeeded', { succeeded: 6, total: 8 })),
    );
    const fresh = () => [...document.querySelectorAll('[data-fresh]')].map((row) => row.getAttribute('data-fresh'));
    await expect.poll(fresh).toEqual(['true', 'true', 'false']);
    expect(server.sent('openBell')).toHaveLength(1);
    // The results are seen now; the alarms still wait for somebody.
    await sees(page.getByText(t('bell:allAlarms')));
    await expect.poll(() => document.querySelector('.header-count[data-count="2"]')).not.toBe(null);
  });

  test('leads to the device of a command, and closes', async () => {
    const stage = await showConsole('/manage/welcome', { answers });
    await bellButton(stage, 3).click();
    await section(stage, 'bell:results').getByRole('link', { name: 'Pile 7' }).click();
    await expect.poll(stage.path).toBe('/manage/device/detail/7?tab=operations');
    await misses(section(stage, 'bell:results'));
  });

  test('leads to the list of alarms with the same filters', async () => {
    const stage = await showConsole('/manage/welcome', { answers });
    await bellButton(stage, 3).click();
    await section(stage, 'bell:alarms')
      .getByRole('link', { name: stage.t('bell:allAlarms') })
      .click();
    await expect.poll(stage.path).toBe('/manage/device/alarms?acknowledged=false&suppressed=false');
  });

  test('acknowledges an alarm in place', async () => {
    let open = [alarm];
    const stage = await showConsole('/manage/welcome', {
      answers: {
        ...answers,
        listAlarms: () => ({ ...sampleList('listAlarms', open), next: null }),
        acknowledgeAlarms: () => {
          open = [];
          return { acknowledged: 1, already: 0 };
        },
      },
    });
    await bellButton(stage, 3).click();
    await section(stage, 'bell:alarms')
      .getByRole('button', { name: stage.t('alarms:acknowledge.ok') })
      .click();
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: stage.t('alarms:acknowledge.ok') })
      .click();
    await sees(stage.t('bell:noAlarms'));
    expect(stage.server.sent('acknowledgeAlarms').map(({ body }) => body)).toEqual([{ ids: [5] }]);
  });

  test('follows the live stream without a request', async () => {
    const stage = await showConsole('/manage/welcome', { answers });
    await sees(bellButton(stage, 3));
    await stage.settled();
    const before = stage.server.sent('readBell').length;
    const events = {
      'fleet.alarms': [[0, { ...sample('summarizeAlarms'), unacknowledged: 7 }]],
      'user.results': [[0, 4]],
    };
    stage.stream('events' as never, events as unknown as EventsMessage);
    await sees(bellButton(stage, 11));
    stage.stream('events' as never, { 'user.results': [[0, 100]] });
    await sees(bellButton(stage, '99+'));
    expect(stage.server.sent('readBell')).toHaveLength(before);
  });

  test('shows only what the user may read, and no button to others', async () => {
    const user = { root: false, platformVendor: false };
    const reader = await showConsole('/manage/welcome', {
      user: { ...user, keys: ['auth_home'], level: 5 },
      answers: { ...answers, readBell: bell(2, null) },
    });
    await bellButton(reader, 2).click();
    await sees(section(reader, 'bell:alarms'));
    await misses(section(reader, 'bell:results'));
    await misses(section(reader, 'bell:alarms').getByRole('button'));
    await userEvent.keyboard('{Escape}');
  });

  test('is not shown to a user who may read neither', async () => {
    const stage = await showConsole('/manage/welcome', {
      user: { root: false, platformVendor: false, keys: ['auth_user_list'] },
    });
    await sees(page.getByRole('button', { name: stage.t('common:shell.theme') }));
    expect(bellButton(stage).elements()).toEqual([]);
    expect(stage.server.sent('readBell')).toEqual([]);
  });

  test('is not marked as seen by a root account that views it as the user', async () => {
    const viewing = {
      ...{ userId: 3, userName: 'root_user', since: OPENED, until: OPENED },
    };
    const stage = await showConsole('/manage/welcome', { answers, info: { viewing: viewing as never } });
    await bellButton(stage, 3).click();
    await sees(section(stage, 'bell:results').getByRole('link', { name: 'Pile 7' }));
    expect(stage.server.sent('openBell')).toEqual([]);
  });
});
