import type { ShareRow, ShareUse } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { expectShortNames, LONG_NAME, misses, rowWith, sees } from '../../testing/on-screen.ts';
import { sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';
import { type Answers, Refused } from '../../testing/stub-server.ts';

const share = (values: Partial<ShareRow> = {}): ShareRow =>
  sampleRow('listShares', {
    ...{ id: 3, kind: 'download', object: { kind: 'folder', id: 7, name: 'Manuals' }, state: 'open', own: true },
    ...{ createdBy: 'root_user', token: 'secret-link', code: 'AB23', hasCode: true, useLimit: 10, uses: 4, ...values },
  });
const use = (values: Partial<ShareUse>): ShareUse => ({
  ...{ id: 1, at: '2026-01-02T03:04:05.000Z', endedAt: '2026-01-02T03:04:06.000Z', address: '203.0.113.5' },
  ...{ kind: 'file', name: 'a.pdf', size: 2_048, moved: 2_048, state: 'complete', ...values },
});

/** Opens the drawer of a share whose row the answers may change. */
async function open(first: ShareRow, more: Answers = {}) {
  const state = { share: first };
  const stage = await showConsole('/manage/attach/shares?share=3', {
    answers: {
      listShares: () => ({ items: [state.share], total: 1, oversees: false }),
      readShare: () => state.share,
      listShareUses: { items: [], next: null },
      ...more,
    },
  });
  await sees(stage.dialog.getByRole('heading', { name: stage.t('shares:log') }));
  return { ...stage, state };
}

describe('a share', () => {
  test('of a file with a long name is a low row, and so is each entry of its log', async () => {
    const object = { kind: 'attachment', id: 7, name: LONG_NAME } as const;
    const { dialog } = await open(share({ object }), {
      listShareUses: { items: [use({ name: LONG_NAME })], next: null },
    });
    await expectShortNames(dialog, 1);
    await expectShortNames(page.getByRole('table', { name: 'Shares' }), 1);
  });

  test('shows its link, its code and its log, the older part on request', async () => {
    const { t, server, dialog } = await open(share(), {
      listShareUses: ({ query }) =>
        query.before === undefined
          ? {
              items: [
                use({ id: 9, name: 'Manuals.zip', kind: 'archive', state: 'running', moved: 1_024 }),
                use({ id: 8, name: 'plan.pdf', state: 'brokenOff', moved: 1_024 }),
              ],
              next: 8,
            }
          : { items: [use({ id: 2, name: 'first.pdf' })], next: null },
    });
    await sees(dialog.getByText(/secret-link/).first(), dialog.getByText('AB23').first());
    await sees(dialog.getByText(t('shares:usesOf', { uses: 4, limit: 10 })));
    const running = rowWith('Manuals.zip');
    await sees(
      running.getByText(new RegExp(t('shares:useStates.running'))),
      running.getByText(t('shares:useKinds.archive')),
    );
    await sees(rowWith('plan.pdf').getByText(t('shares:moved', { moved: '1 KB', size: '2 KB' })));
    await expectAccessible();
    await dialog.getByRole('button', { name: t('shares:more') }).click();
    await sees(rowWith('first.pdf').getByText(new RegExp(t('shares:useStates.complete'))), running);
    expect(server.sent('listShareUses').at(-1)?.query).toEqual({ before: '8' });
    await misses(dialog.getByRole('button', { name: t('shares:more') }));
  });

  test('of another user shows neither link nor code', async () => {
    const { t, dialog } = await open(share({ own: false, token: null, code: null }));
    await sees(dialog.getByText(t('shares:linkHidden')), dialog.getByText(t('shares:logEmpty')));
    await misses(dialog.getByText('AB23'));
  });

  test('gets other limits; what is not changed is not sent', async () => {
    const { t, server, state, field } = await open(share(), {
      updateShare: ({ body }) => {
        state.share = share(body as Partial<ShareRow>);
        return state.share;
      },
    });
    const change = page.getByRole('button', { name: t('shares:change') });
    await change.click();
    await field('shares:downloadLimit').fill('25');
    await expectAccessible();
    await page.getByRole('button', { name: t('common:save') }).click();
    await sees(t('shares:changed'), t('shares:usesOf', { uses: 4, limit: 25 }));
    await change.click();
    await field('shares:downloadLimit').fill('');
    await page.getByRole('radio', { name: t('shares:days', { count: 30 }) }).click();
    await page.getByRole('button', { name: t('common:save') }).click();
    await expect
      .poll(() => server.sent('updateShare').map(({ body }) => body))
      .toEqual([{ useLimit: 25 }, { days: 30, useLimit: null }]);
  });

  test('that asks for files has a limit for their size as well', async () => {
    const asks = share({ kind: 'upload', useLimit: null, bytes: 1024 ** 2, byteLimit: 10 * 1024 ** 2 });
    const { t, server, dialog, field } = await open(asks, { updateShare: asks });
    await sees(dialog.getByText(t('shares:usesOf', { uses: '1 MB', limit: '10 MB' })));
    await page.getByRole('button', { name: t('shares:change') }).click();
    await field('shares:sizeLimit').fill('20');
    await field('shares:fileLimit').fill('5');
    await page.getByRole('button', { name: t('common:save') }).click();
    await expect.poll(() => server.sent('updateShare')[0]?.body).toEqual({ useLimit: 5, byteLimit: 20 * 1024 ** 2 });
  });

  test('that was locked is unlocked with a new code, or says why not', async () => {
    let refused = true;
    const { t, state, dialog } = await open(share({ state: 'locked', wrongCodes: 10 }), {
      unlockShare: () => {
        if (refused) throw new Refused('shareOver');
        state.share = share({ code: 'XY45' });
        return state.share;
      },
    });
    await sees(dialog.getByText(t('shares:lockedNote')));
    const unlock = dialog.getByRole('button', { name: t('shares:unlock') });
    await unlock.click();
    await sees(dialog.getByRole('alert'));
    refused = false;
    await unlock.click();
    await sees(t('shares:unlocked'), dialog.getByText('XY45').first());
    await misses(unlock);
  });

  test('is ended after a confirmation', async () => {
    const { t, server, dialog, path } = await open(share(), { destroyShare: null });
    await dialog.getByRole('button', { name: t('shares:destroy') }).click();
    await sees(t('shares:destroyText'));
    expect(server.sent('destroyShare')).toHaveLength(0);
    await page
      .getByRole('dialog', { name: t('shares:destroyTitle', { name: 'Manuals' }) })
      .getByRole('button', { name: t('shares:destroy') })
      .click();
    await sees(t('shares:destroyed'));
    expect(server.sent('destroyShare')[0]?.params).toEqual({ id: '3' });
    await expect.poll(path).toBe('/manage/attach/shares');
  });
});
