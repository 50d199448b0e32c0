import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../../shared/api/query.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { sees } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const WEBHOOK = {
  ...{ id: 5, customerId: 2, customerName: 'North', name: 'Control room', webhookUrl: 'https://example.com/secret' },
  ...{
    format: 'standard' as const,
    types: [],
    siteIds: [],
    sites: [],
    locale: 'en-US' as const,
    enabled: true,
    signed: true,
  },
};

describe('the page of message channels', () => {
  test.each(LANGUAGES)('lists webhooks without the path of their URL (%s)', async (locale) => {
    const { t } = await showConsole('/manage/message/channels', {
      locale,
      answers: { listWebhooks: () => sampleList('listWebhooks', [WEBHOOK]) },
    });
    await sees(page.getByText('Control room'), page.getByText('example.com', { exact: true }), t('channels:neverSent'));
  });

  test('names every site of a webhook, and says which ones were deleted', async () => {
    const sites = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `Site ${index + 1}` }));
    const webhook = { ...WEBHOOK, siteIds: [59, 60, 99], sites: sites.slice(58) };
    const { t } = await showConsole('/manage/message/channels', {
      answers: {
        listWebhooks: () => sampleList('listWebhooks', [webhook]),
        listSites: () => sampleList('listSites', sites.slice(0, 50)),
      },
    });
    await page.getByText('Control room').click();
    const dialog = page.getByRole('dialog');
    await sees(dialog.getByText('Site 59'), dialog.getByText('Site 60'), dialog.getByText(t('common:siteDeleted')));
  });

  test('shows a replaced secret once', async () => {
    const { t, server } = await showConsole('/manage/message/channels', {
      answers: {
        listWebhooks: () => sampleList('listWebhooks', [WEBHOOK]),
        rotateWebhookSecret: { id: 5, secret: 'whsec_new' },
      },
    });
    await page.getByRole('button', { name: t('channels:actionsOf', { name: 'Control room' }) }).click();
    await page.getByRole('menuitem', { name: t('channels:rotate.do') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('channels:rotate.do') })
      .click();
    await sees(page.getByText('whsec_new'), t('channels:secret.once'));
    expect(server.sent('rotateWebhookSecret')).toHaveLength(1);
  });

  test('sends a failed message again, and says that accepted is not read', async () => {
    const send = {
      ...{ id: 9, channel: 'webhook' as const, receiver: 'Control room', type: 'fault' as const, subject: 'Fault' },
      ...{ state: 'failed' as const, attemptCount: 2 },
      attempts: [{ at: '2026-01-05T09:00:00.000Z', status: 500, answer: 'Internal error' }],
    };
    const { t, server } = await showConsole('/manage/message/channels?tab=sends', {
      answers: { listSends: () => ({ ...sampleList('listSends', [send]), next: null }), sendAgain: null },
    });
    await sees(page.getByText('Internal error', { exact: false }));
    await page.getByRole('button', { name: t('channels:again.of', { receiver: 'Control room' }) }).click();
    await expect.poll(() => server.sent('sendAgain').length).toBe(1);
  });

  test('previews a template with the latest event', async () => {
    const template = { type: 'fault' as const, channel: 'email' as const, locale: 'en-US' as const, changed: true };
    let failing = false;
    const { t, server } = await showConsole('/manage/message/channels?tab=templates', {
      answers: {
        listTemplates: () =>
          failing
            ? new Response('', { status: 500 })
            : { items: [{ ...template, subject: '{title}', body: 'At {site}' }], placeholders: ['title', 'site'] },
        previewTemplate: { ...sample('previewTemplate'), subject: 'Ground fault', body: 'At North quay' },
        resetTemplate: null,
      },
    });
    await page
      .getByRole('button', { name: t('channels:template.editOf', { type: t('messages:types.fault') }) })
      .click();
    await sees(page.getByText('At North quay'), t('channels:template.example'));
    // Reading the list again in the background fails, and the dialog stays.
    failing = true;
    await queryClient.refetchQueries({ queryKey: ['listTemplates'] });
    expect(queryClient.getQueriesData({ queryKey: ['listTemplates'] })).toHaveLength(1);
    await sees(page.getByText('At North quay'));
    await page.getByRole('button', { name: t('channels:template.reset') }).click();
    await expect.poll(() => server.sent('resetTemplate').length).toBe(1);
  });
});
