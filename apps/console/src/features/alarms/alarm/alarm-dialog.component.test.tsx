import type { AlarmDetail } from '@chargehand/contract';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { expectConfirmBeforeClosing } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import AlarmDialog from './alarm-dialog.tsx';

const alarm = {
  ...{ id: 3, deviceId: 1, deviceName: 'Pile 1', deviceSn: 'P1', siteId: 1, siteName: 'Quay', customerName: 'North' },
  ...{ deviceModelId: null, deviceModelName: null, connector: 1, protocol: null, code: 'HighTemperature' },
  ...{ nameEn: null, nameZh: null, kind: 'alarm', level: 'MA', info: null, raisedAt: '2026-01-01T00:00:00Z' },
  ...{ lastAt: '2026-01-01T00:00:00Z', repeats: 0, reopened: 0, suppressed: false, clearedAt: null },
  ...{ acknowledgedAt: null, acknowledgedBy: null, acknowledgedNote: null, comments: 0, rule: null, conversation: [] },
} as unknown as AlarmDetail;

function Closable() {
  const [open, setOpen] = useState(true);
  return open && <AlarmDialog id={3} onClose={() => setOpen(false)} />;
}

describe('an alarm', () => {
  test.each(LANGUAGES)('shows how issues of its code ended, also without a document (%s)', async (locale) => {
    const { t, server } = await show(<Closable />, {
      locale,
      answers: {
        readAlarm: alarm,
        explainCodes: { items: [] },
        listIssues: () => sampleList('listIssues', []),
        readIssueEnds: { closed: 3, items: [{ cause: 'wear', remedy: 'replaced', count: 3, texts: [] }] },
      },
    });
    const end = page.getByRole('row').filter({ hasText: t('issues:remedy.replaced') });
    await expect.element(end).toHaveTextContent(`${t('issues:cause.wear')} → ${t('issues:remedy.replaced')}3`);
    expect(server.sent('readIssueEnds').map(({ query }) => query)).toEqual([{ codes: 'HighTemperature' }]);
    await expect
      .element(page.getByRole('link', { name: t('explanations:write') }))
      .toHaveAttribute('href', '/manage/docs/add?type=100&code=HighTemperature');
    await expectAccessible();
  });

  test('has comments, and asks before an unsaved comment is lost', async () => {
    let now = alarm;
    const stored = Promise.withResolvers<void>();
    const stage = await show(<Closable />, {
      answers: {
        readAlarm: () => now,
        listIssues: () => sampleList('listIssues', []),
        commentAlarm: async ({ input }) => {
          await stored.promise;
          const entry = { id: 1, at: '2026-01-01T00:00:00Z', by: 'root_user', text: input.body.comment };
          now = { ...alarm, conversation: [entry] };
          return { id: 1 } as never;
        },
      },
    });
    const comment = stage.field('alarms:comment');
    await comment.fill('Is the fan dirty?');
    await stage.button('alarms:addComment').click();
    // What is typed while a comment is sent is kept.
    await comment.fill('Is it loud?');
    stored.resolve();
    await expect.element(page.getByText('Is the fan dirty?')).toBeVisible();
    await expectAccessible();
    await expect.element(comment).toHaveValue('Is it loud?');
    await comment.fill('It smells of');
    // A click outside the dialog also closes it.
    const around = () => page.elementLocator(document.querySelector<HTMLElement>('.ant-modal-wrap')!);
    await expectConfirmBeforeClosing(stage, comment, () => around().click({ position: { x: 5, y: 5 } }));
  });
});
