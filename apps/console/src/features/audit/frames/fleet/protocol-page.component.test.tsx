import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/accessibility.ts';
import { misses, sees, tooWide } from '../../../../testing/on-screen.ts';
import { sample, sampleRow } from '../../../../testing/sample.ts';
import { showConsole } from '../../../../testing/show-console.tsx';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const frame = (id: number, type: number, body: string, more = {}) =>
  sampleRow('listFleetFrames', {
    ...{ id, type, body, at: new Date(T0 + id * 100).toISOString(), deviceId: 7, sn: 'PILE-7', deviceName: 'Quay 7' },
    ...{ action: 'Heartbeat', messageId: body.split('"')[1] ?? null, ...more },
  });
const REQUEST = frame(1, 2, '[2,"a","Heartbeat",{}]');
const RESPONSE = frame(2, 3, '[3,"a",{"currentTime":"2026"}]');
const OTHER = frame(3, 2, '[2,"b","StatusNotification",{}]', {
  action: 'StatusNotification',
  sn: 'PILE-8',
  deviceId: 8,
});
const log = (items: (typeof REQUEST)[], more = {}) => sample('listFleetFrames', { items, next: null, ...more });
const detail = sample('readFrame', {
  ...{ frame: REQUEST, other: RESPONSE },
  fields: [{ path: 'currentTime', value: '2026', meaning: 'The time of the server' }],
  effects: [{ kind: 'alarm' as const, id: 5, code: 'GroundFailure', connector: 1, ended: false }],
});

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)('in %s, an exchange is one row and opens with its meaning and effects (%j)', async (locale, size) => {
  const { t } = await showConsole('/manage/logs/protocol', {
    ...{ locale, size: [...size] },
    answers: { listFleetFrames: log([OTHER, RESPONSE, REQUEST]), readFrame: detail },
  });
  await sees(t('audit:frame.countAll', { count: 3 }));
  await expect.poll(() => page.getByRole('option').elements().length).toBe(2);
  expect(tooWide()).toEqual([]);
  await expectAccessible();
  const row = page.getByRole('option').filter({ hasText: 'PILE-7' });
  // Not today.
  await sees(row.getByText(/^01-01 \d\d:00:00\.100$/));
  if (size[0] > 760) await sees(row.getByText('100 ms'));
  if (size[0] > 760) {
    // With the keyboard: down to the newest frame and the next one, and into it.
    (page.getByRole('listbox').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  } else await row.click();
  const dialog = page.getByRole('dialog');
  await sees(dialog.getByText('The time of the server'));
  await sees(dialog.getByText(t('audit:frame.answeredIn', { time: '100 ms' })));
  await expect
    .element(dialog.getByRole('link', { name: t('audit:fleetFrames.alarmRaised', { code: 'GroundFailure' }) }))
    .toHaveAttribute('href', '/manage/device/detail/7?tab=details&section=alarms&state=all');
  expect(tooWide()).toEqual([]);
  await expectAccessible();
});

test('the address keeps the filters, which the list and the export have', async () => {
  const { t, button, server, path } = await showConsole('/manage/logs/protocol?deviceId=7&search=abc&types=2', {
    answers: {
      ...{ listFleetFrames: log([REQUEST]), exportFleetFrames: new Response('') },
      readDevice: sample('readDevice', { id: 7, name: 'North quay 7' }),
    },
  });
  await expect.poll(() => document.querySelector('main search')?.textContent).toContain('North quay 7');
  await expect
    .poll(() => server.sent('listFleetFrames')[0]?.query)
    .toMatchObject({ deviceId: '7', search: 'abc', types: '2' });
  await page.getByPlaceholder(t('audit:frame.messageId')).fill('a');
  await expect.poll(() => server.sent('listFleetFrames').at(-1)?.query).toMatchObject({ messageId: 'a' });
  await expect.poll(path).toContain('messageId=a');
  await button('audit:frame.export').click();
  await expect
    .poll(() => server.sent('exportFleetFrames')[0]?.query)
    .toEqual({ deviceId: '7', search: 'abc', types: '2', messageId: 'a' });
});

test('new frames appear by the live stream; a pause keeps them back and counts them, also those left out', async () => {
  let waiting = false;
  const { t, button, stream, streamUrls } = await showConsole('/manage/logs/protocol', {
    answers: {
      listFleetFrames: ({ query }) => {
        if (query.after === undefined) return log([REQUEST]);
        const answer = waiting ? log([OTHER, RESPONSE], { skipped: 40 }) : log([]);
        waiting = false;
        return answer;
      },
    },
  });
  await sees(t('audit:frame.countAll', { count: 1 }));
  await expect.poll(streamUrls).toEqual([expect.stringContaining('frames=true')]);
  await button('audit:frame.pause').click();
  waiting = true;
  stream('events', { 'fleet.frames': [[0, null]] });
  // The server counted the frame that is already shown.
  await sees(t('audit:frame.arrived', { count: 41 }));
  expect(page.getByRole('option').elements()).toHaveLength(1);
  await button('audit:frame.resume').click();
  await sees(page.getByRole('option').filter({ hasText: 'PILE-8' }), t('audit:fleetFrames.skipped', { count: 39 }));
});

test('a search that stopped says how far it came, and continues', async () => {
  const { t, button } = await showConsole('/manage/logs/protocol?search=needle', {
    answers: {
      listFleetFrames: ({ query }) =>
        query.before === undefined
          ? log([], { next: 900, searchedTo: '2026-01-01T00:00:00Z' })
          : log([REQUEST], { gaps: true }),
    },
  });
  const reached = page.getByText(t('audit:fleetFrames.searchedTo'), { exact: false });
  await sees(reached, t('audit:frame.noMatch'));
  await button('audit:fleetFrames.searchOn').click();
  await sees(page.getByRole('option').filter({ hasText: 'PILE-7' }), t('audit:fleetFrames.gaps'));
  await misses(reached);
});
