import type { MessageMute, MessageReason } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, pick, sees } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { type Options, show } from '../../../testing/show.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { MuteButton } from './mute-button.tsx';

const HOUR_MS = 3_600_000;
const PILE = { kind: 'device', id: 7, name: 'Pile 7' } as const;
const NOTIFIED: MessageReason = {
  ...sample('explainInbox'),
  ...{ refusal: null, source: 'user', inApp: true, mail: 'digest', mailAt: '2026-01-06T00:00:00.000Z' },
};

/** The button on the page of a device, with a server that keeps the mute. */
async function open({ muted = false, ...options }: Options & { muted?: boolean } = {}) {
  const mute = (until: string): MessageMute => ({ id: 1, deviceId: 7, siteId: null, name: 'Pile 7', until });
  let mutes = muted ? [mute(new Date(Date.now() + HOUR_MS).toISOString())] : [];
  const stage = await show(<MuteButton place={PILE} />, {
    ...options,
    answers: {
      listMessageMutes: () => ({ items: mutes }),
      explainInbox: () => (mutes.length > 0 ? { ...sample('explainInbox'), refusal: 'muted' } : NOTIFIED),
      muteDevice: ({ input }) => {
        mutes = input.body.until === null ? [] : [mute(input.body.until)];
        return null;
      },
      ...options.answers,
    },
  });
  return { ...stage, mutes: () => mutes, sent: () => stage.server.sent('muteDevice').map(({ body }) => body) };
}

describe('the dialog that mutes a device', () => {
  test.each(LANGUAGES)(
    'says whether the user is notified about it, and why not once it is muted (%s)',
    async (locale) => {
      const { t, button, dialog, server, mutes } = await open({ locale });
      await button('messages:mute.do').click();
      const why = dialog.getByRole('region', { name: t('messages:why.device') });
      await sees(why.getByText(t('messages:why.notified'), { exact: true }));
      await sees(why.getByText(t('messages:sends.digest', { time: '2026-01-06 08:00' })));
      await sees(why.getByText(t('messages:sources.user'), { exact: true }));
      await pick(t('messages:why.ofType'), t('messages:types.recovery'));
      const requested = () => server.sent('explainInbox').map(({ query }) => query);
      await expect.poll(requested).toEqual([
        { deviceId: '7', type: 'fault' },
        { deviceId: '7', type: 'recovery' },
      ]);

      const before = Date.now();
      await dialog.getByRole('button', { name: t('messages:mute.hours', { count: 8 }), exact: true }).click();
      await misses(dialog);
      const until = mutes()[0]!.until;
      expect(Math.abs(Date.parse(until) - before - 8 * HOUR_MS)).toBeLessThan(60_000);
      await sees(t('messages:mute.done', { name: 'Pile 7', time: formatTime(until).slice(0, 16) }));
      await button('messages:mute.until', { time: formatTime(until).slice(5, 16) }).click();
      const not = `${t('messages:why.notNotified')} ${t('messages:refusals.muted')}`;
      await sees(why.getByText(not));
      await misses(why.getByText(t('messages:why.notified'), { exact: true }));
    },
  );

  test('mutes until a time that is typed, and not until one that has passed', async () => {
    const { t, button, dialog, sent } = await open();
    await button('messages:mute.do').click();
    const time = dialog.getByRole('textbox', { name: t('messages:mute.time') });
    const ok = dialog.getByRole('button', { name: t('messages:mute.ok'), exact: true });
    await expect.element(ok).toBeDisabled();
    await time.fill('2020-01-01 10:00');
    await userEvent.keyboard('{Enter}');
    await sees(dialog.getByText(t('messages:mute.timePast')));
    await expect.element(ok).toBeDisabled();
    await time.fill('2099-01-01 10:00');
    await userEvent.keyboard('{Enter}');
    await misses(dialog.getByText(t('messages:mute.timePast')));
    await ok.click();
    await expect.poll(sent).toEqual([{ until: '2099-01-01T02:00:00.000Z' }]);
    await misses(dialog);
  });

  test('ends a mute', async () => {
    const { t, button, dialog, sent, mutes } = await open({ muted: true });
    await page
      .getByRole('button', { name: t('messages:mute.until', { time: formatTime(mutes()[0]!.until).slice(5, 16) }) })
      .click();
    await dialog.getByRole('button', { name: t('messages:mute.endNow'), exact: true }).click();
    await sees(t('messages:mute.ended', { name: 'Pile 7' }), button('messages:mute.do'));
    expect(sent()).toEqual([{ until: null }]);
  });

  test('shows why the server refuses, and stays open', async () => {
    const refuse = () => {
      throw new Refused('muteTooLong', { days: 90, field: 'Until' });
    };
    const { t, button, dialog } = await open({ answers: { muteDevice: refuse } });
    await button('messages:mute.do').click();
    const anHour = dialog.getByRole('button', { name: t('messages:mute.hours', { count: 1 }), exact: true });
    await anHour.click();
    await sees(dialog.getByRole('alert').getByText(/90 days at most/));
    await expect.element(anHour).toBeEnabled();
  });

  test('explains nothing to users without messages, and is not offered to those without message settings', async () => {
    const user = { root: false, platformVendor: false };
    const { t, button, dialog, server } = await open({ user: { ...user, keys: ['auth_message_setting'] } });
    await button('messages:mute.do').click();
    await sees(dialog.getByText(t('messages:mute.text', { name: 'Pile 7' })));
    expect(dialog.getByRole('region', { name: t('messages:why.device') }).elements()).toEqual([]);
    expect(server.sent('explainInbox')).toEqual([]);
    const other = await open({ user: { ...user, keys: ['auth_message_list'] } });
    expect(other.server.calls).toEqual([]);
    expect(page.getByRole('main').getByRole('button').elements()).toEqual([]);
  });
});
