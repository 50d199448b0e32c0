import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '../../../shared/api/client.ts';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { documentDetail, documentRow, translations } from '../../../testing/documents.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample, sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';

const figures: Answer<'readCodeStatistics'> = {
  ...{ days: 90, alarms: 12, open: 2, devices: 5, lastAt: '2026-01-01T00:00:00Z' },
  models: [{ name: 'Fast 120', count: 9 }],
  firmware: [{ name: '1.4.2', count: 12 }],
  commands: [{ kind: 'softReset', count: 6, resolved: 4 }],
};
const ends: Answer<'readIssueEnds'> = {
  closed: 3,
  items: [{ cause: 'wear', remedy: 'replaced', count: 3, texts: [{ cause: 'Water', remedy: 'New cable' }] }],
};
const READER = { root: false, platformVendor: false, keys: ['auth_docs', 'auth_docs_detail'] as const };
const reader = { ...READER, keys: [...READER.keys] };

describe('a document', () => {
  test('has its outline, text, codes and what happened in the fleet', async () => {
    const { t } = await showConsole('/manage/docs/detail/7', {
      answers: { readDocument: documentDetail(), readCodeStatistics: figures, readIssueEnds: ends },
    });
    await sees(page.getByRole('heading', { level: 1, name: 'Ground failure' }), 'Water in the cable.');
    await sees('Stop charging and call an electrician.', t('documents:figures.alarms', { count: 12 }));
    const outline = page.getByRole('navigation', { name: t('documents:reader.outline') });
    await expect
      .element(outline.getByRole('link', { name: 'Repair' }))
      .toHaveAttribute('href', '/manage/docs/detail/7#repair');
    await expect
      .element(page.getByRole('link', { name: 'GroundFailure', exact: true }))
      .toHaveAttribute('href', '/manage/device/alarms?code=GroundFailure');
    await page.getByText(t('documents:figures.more')).click();
    const command = page.getByRole('row').filter({ hasText: t('operations:kinds.softReset.do') });
    expect([...command.element().querySelectorAll('td')].map((cell) => cell.textContent)).toEqual(['6', '4']);
    await sees('Fast 120', '1.4.2');
    const end = page.getByRole('row').filter({ hasText: t('issues:remedy.replaced') });
    await expect.element(end.getByRole('cell')).toHaveTextContent('3');
    await expect
      .element(end.getByRole('rowheader'))
      .toHaveTextContent(`${t('issues:cause.wear')} → ${t('issues:remedy.replaced')} · Water → New cable`);
    await expect
      .element(page.getByRole('link', { name: t('explanations:ends.issuesOf', { code: 'GroundFailure' }) }))
      .toHaveAttribute('href', '/manage/issue/list?tab=closed&search=GroundFailure');
    await expectAccessible();
  });

  test('is voted for once, and the vote can be withdrawn without reading the document again', async () => {
    const { t, server, settled } = await showConsole('/manage/docs/detail/7', {
      answers: {
        readDocument: documentDetail(),
        readCodeStatistics: figures,
        voteDocument: ({ input }) => ({ helped: input.body.helped ? 4 : 3, notHelped: 1, own: input.body.helped }),
      },
    });
    await sees('Water in the cable.');
    await settled();
    const reads = server.sent('readDocument').length;
    const helped = (count: number) => page.getByRole('button', { name: t('documents:votes.helped', { count }) });
    await helped(3).click();
    await expect.element(helped(4)).toHaveAttribute('aria-pressed', 'true');
    await helped(4).click();
    await expect.element(helped(3)).toHaveAttribute('aria-pressed', 'false');
    expect(server.sent('voteDocument').map(({ body }) => body)).toEqual([{ helped: true }, { helped: null }]);
    expect(server.sent('readDocument').length).toBe(reads);
  });

  test('changes its language, and says which one is outdated', async () => {
    const { t, path, server } = await showConsole('/manage/docs/detail/7', {
      answers: {
        readCodeStatistics: figures,
        readDocument: ({ query }) =>
          query.locale === 'zh-CN'
            ? documentDetail({
                ...{ locale: 'zh-CN', title: '接地故障', translations: translations('outdated', 'current') },
              })
            : documentDetail({ translations: translations('outdated', 'current') }),
      },
    });
    const names = { language: t('documents:language.en-US'), other: t('documents:language.zh-CN') };
    await sees(page.getByText(t('documents:reader.outdated', names), { exact: false }));
    const languages = page.getByRole('radiogroup', { name: t('documents:reader.language') });
    await sees(languages.getByText(t('documents:translation.outdatedOf', { language: names.language })));
    await page.getByText(t('documents:language.zh-CN'), { exact: true }).click();
    await expect.poll(path).toBe('/manage/docs/detail/7?locale=zh-CN');
    await sees(page.getByRole('heading', { level: 1, name: '接地故障' }));
    expect(server.sent('readDocument').at(-1)?.query).toEqual({ id: '7', locale: 'zh-CN' });
  });

  test('in the other language only is marked as such', async () => {
    const { t } = await showConsole('/manage/docs/detail/7', {
      answers: {
        readDocument: documentDetail({ locale: 'zh-CN', translations: translations('missing', 'current') }),
        readCodeStatistics: figures,
      },
    });
    await sees(t('documents:reader.otherLanguage', { language: t('documents:language.zh-CN') }));
  });

  test('can be edited only where the server allows it', async () => {
    const { t } = await showConsole('/manage/docs/detail/7', {
      user: reader,
      answers: { readDocument: documentDetail({ may: { edit: false } }), readCodeStatistics: figures },
    });
    await sees('Water in the cable.');
    await misses(page.getByRole('link', { name: t('documents:editProperties') }));
    await misses(page.getByRole('link', { name: t('documents:properties') }));
  });

  test('is chosen from a list when the URL has none', async () => {
    const { t, path } = await showConsole('/manage/docs/detail', {
      answers: {
        listDocuments: sampleList('listDocuments', [documentRow()]),
        readDocument: documentDetail(),
        readCodeStatistics: figures,
      },
    });
    await sees(t('documents:choose.title'));
    await page.getByRole('link', { name: 'Ground failure' }).click();
    await expect.poll(path).toBe('/manage/docs/detail/7');
  });

  test.each(['en-US', 'zh-CN'] as const)('fits a phone (%s)', async (locale) => {
    await showConsole('/manage/docs/detail/7', {
      ...{ locale, size: [390, 844] },
      answers: { readDocument: documentDetail(), readCodeStatistics: figures },
    });
    await sees('Water in the cable.');
    expect(tooWide()).toEqual([]);
  });
});

describe('a code', () => {
  test('opens its document for the device model', async () => {
    const { server } = await showConsole('/manage/docs/detail/type/100?code=GroundFailure&deviceModelId=3', {
      answers: { readDocument: documentDetail(), readCodeStatistics: figures },
    });
    await sees('Water in the cable.');
    expect(server.sent('readDocument')[0]?.query).toEqual({ type: '100', code: 'GroundFailure', deviceModelId: '3' });
  });

  test('without a document is offered to authors, and shows how its issues ended', async () => {
    const { t, server } = await showConsole('/manage/docs/detail/type/100?code=E42&deviceModelId=3', {
      answers: {
        readIssueEnds: ends,
        readDocument: () => {
          throw new Refused('notFound', { object: 'document' });
        },
      },
    });
    await sees(t('documents:code.missing', { code: 'E42' }));
    await expect
      .element(page.getByRole('link', { name: t('documents:code.write') }))
      .toHaveAttribute('href', '/manage/docs/add?type=100&code=E42&deviceModelId=3');
    const end = page.getByRole('row').filter({ hasText: t('issues:remedy.replaced') });
    await expect
      .element(end.getByRole('rowheader'))
      .toHaveTextContent(`${t('issues:cause.wear')} → ${t('issues:remedy.replaced')} · Water → New cable`);
    expect(server.sent('readIssueEnds')[0]?.query).toEqual({ codes: 'E42' });
    await expectAccessible();
  });

  test('without a document tells readers whom to ask', async () => {
    const { t } = await showConsole('/manage/docs/detail/type/100?code=E42', {
      user: reader,
      answers: {
        readDocument: () => {
          throw new Refused('notFound', { object: 'document' });
        },
      },
    });
    await sees(t('documents:code.missingForReaders', { code: 'E42' }));
    await misses(page.getByRole('link', { name: t('documents:code.write') }));
  });

  test('is entered when the URL has none', async () => {
    const { t, path } = await showConsole('/manage/docs/detail/type', {
      answers: { readDocument: documentDetail(), readCodeStatistics: sample('readCodeStatistics') },
    });
    await page.getByRole('textbox', { name: t('documents:code.label') }).fill('GroundFailure');
    await page.getByRole('button', { name: t('documents:code.open') }).click();
    await expect.poll(path).toBe('/manage/docs/detail/type/100?code=GroundFailure');
    await sees(t('documents:figures.never', { days: 0 }));
  });
});
