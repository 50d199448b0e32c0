import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, pick, sees } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { NotifiedButton } from './notified-button.tsx';

const SITE = { kind: 'site', id: 7, name: 'North Quay' } as const;
const ISSUE = { kind: 'issue', id: 9, name: 'HVC-12 No power' } as const;
const NOTIFIED = { refusal: null, source: 'default', inApp: true } as const;

describe.each(LANGUAGES)('the explanation of messages (%s)', (locale) => {
  test('about a site says whether the user is notified, and what connects them with it', async () => {
    const { t, button, dialog, server } = await show(<NotifiedButton of={SITE} />, {
      locale,
      answers: {
        explainSite: ({ input }) =>
          input.query.type === 'fault'
            ? sample('explainSite', { ...NOTIFIED, source: 'siteReceiver', ties: ['assigned', 'receiver'] })
            : sample('explainSite', { refusal: 'muted', ties: [] }),
      },
    });
    await button('messages:why.site').click();
    await sees(dialog.getByText('North Quay'), dialog.getByText(t('messages:why.notified'), { exact: true }));
    const ties = ['assigned', 'receiver'].map((tie) => t(`messages:ties.${tie as 'assigned'}`));
    await sees(dialog.getByText(ties.join(t('messages:ties.separator')), { exact: true }));
    await pick(t('messages:why.ofType'), t('messages:types.recovery'));
    await sees(dialog.getByText(`${t('messages:why.notNotified')} ${t('messages:refusals.muted')}`));
    await sees(dialog.getByText(t('messages:ties.noneOfSite'), { exact: true }));
    await misses(dialog.getByText(t('messages:why.notified'), { exact: true }));
    expect(server.sent('explainSite').map(({ params, query }) => ({ ...params, ...query }))).toEqual([
      { id: '7', type: 'fault' },
      { id: '7', type: 'recovery' },
    ]);
  });

  test('about an issue tells those who take no part how to be notified', async () => {
    const { t, button, dialog, server } = await show(<NotifiedButton of={ISSUE} />, {
      locale,
      answers: {
        explainIssue: ({ input }) =>
          input.query.type === 'issueAnswered'
            ? sample('explainIssue', { refusal: 'notNamed', ties: [] })
            : sample('explainIssue', { ...NOTIFIED, ties: ['assignee'] }),
      },
    });
    await button('messages:why.issue').click();
    await sees(dialog.getByText(`${t('messages:why.notNotified')} ${t('messages:refusals.notNamed')}`));
    await sees(dialog.getByText(t('messages:ties.noneOfIssue'), { exact: true }));
    await pick(t('messages:why.ofType'), t('messages:types.issueDue'));
    await sees(dialog.getByText(t('messages:ties.assignee'), { exact: true }));
    await sees(dialog.getByText(t('messages:why.notified'), { exact: true }));
    expect(server.sent('explainIssue').map(({ params, query }) => ({ ...params, ...query }))).toEqual([
      { id: '9', type: 'issueAnswered' },
      { id: '9', type: 'issueDue' },
    ]);
  });
});

test('users without messages are not offered it', async () => {
  const user = { root: false, platformVendor: false, keys: ['auth_message_setting' as const] };
  const { server } = await show(<NotifiedButton of={SITE} />, { user });
  expect(server.calls).toEqual([]);
  expect(page.getByRole('main').getByRole('button').elements()).toEqual([]);
});
