import type { AttachmentRow } from '@chargehand/contract';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { file, open } from '../../../testing/attachments.ts';
import { misses, pick, sees } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import type { Answers } from '../../../testing/stub-server.ts';

describe('a file', () => {
  const detail = (values: Partial<AttachmentRow>) => ({
    ...file(values),
    ...{ etag: 'e', path: [], usedBy: [{ kind: 'device' as const, id: 5, name: 'SN5' }], revision: '1' },
  });

  test('is shown with its data and what uses it', async () => {
    const { t, dialog } = await open(
      { readAttachment: detail({ name: 'plan.zip', shown: false, uses: 2 }) },
      {},
      '?file=1',
    );
    await sees(dialog.getByText(t('attachments:preview.none')), dialog.getByRole('link', { name: 'SN5' }));
    await sees(dialog.getByText(t('attachments:usedElsewhere', { count: 1 })));
    await expectAccessible();
  });

  test('leads to the pages of the objects that use it', async () => {
    const usedBy = [
      { kind: 'document' as const, id: 4, name: 'Manual' },
      { kind: 'device' as const, id: 5, name: 'SN5' },
      { kind: 'issue' as const, id: 6, name: 'No power' },
    ];
    const { dialog } = await open({ readAttachment: { ...detail({ uses: 3 }), usedBy } }, {}, '?file=1');
    for (const [name, path] of [
      ['Manual', '/manage/docs/detail/4'],
      ['SN5', '/manage/device/detail/5'],
      ['No power', '/manage/issue/detail/6'],
    ] as const) {
      await expect.element(dialog.getByRole('link', { name })).toHaveAttribute('href', path);
    }
  });

  test('as a text is loaded in parts and searched', async () => {
    const line = 'boot ok\n'.repeat(131_072);
    const text = new TextEncoder().encode(`${line}relay stuck\n`);
    const { t, dialog, server } = await open(
      {
        readAttachment: detail({ name: 'pile.log', size: text.length }),
        attachmentContent: () => {
          const from = server.sent('attachmentContent').length === 1 ? 0 : 1_048_576;
          const part = text.slice(from, from + 1_048_576);
          return new Response(part, {
            status: 206,
            headers: { 'content-range': `bytes ${from}-${from + part.length - 1}/${text.length}` },
          });
        },
      } as Answers,
      {},
      '?file=1',
    );
    await sees(dialog.getByRole('region', { name: 'pile.log' }));
    await dialog.getByRole('searchbox', { name: t('files:text.search') }).fill('STUCK');
    await sees(dialog.getByText(t('files:text.foundLoaded'), { exact: false }));
    await dialog.getByRole('button', { name: t('files:text.more') }).click();
    await sees(dialog.getByText(t('files:text.found', { count: 1 })));
    await misses(dialog.getByRole('button', { name: t('files:text.more') }));
  });

  test('as a workbook is shown in tables, with what is left out', async () => {
    const rows = Array.from({ length: 600 }, (_, row) => `<row r="${row + 1}"><c><v>${row + 7_000}</v></c></row>`);
    const sheet = (data: string) => strToU8(`<worksheet><sheetData>${data}</sheetData></worksheet>`);
    const relation = (id: string) => `<Relationship Id="${id}" Type="x/worksheet" Target="${id}.xml"/>`;
    const book = zipSync({
      'xl/workbook.xml': strToU8(
        '<workbook xmlns:r="r"><sheets><sheet name="Sites" r:id="a"/><sheet name="Notes" r:id="b"/></sheets></workbook>',
      ),
      'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${relation('a')}${relation('b')}</Relationships>`),
      'xl/a.xml': sheet(rows.join('')),
      'xl/b.xml': sheet('<row><c t="str"><v>&lt;b&gt;plug</v></c></row>'),
    });
    const { t, dialog } = await open(office('sites.xlsx', book), {}, '?file=1');
    await sees(dialog.getByRole('cell', { name: '7000' }));
    await sees(t('attachments:preview.office.firstRows', { count: 500, total: 600 }));
    await expectAccessible();
    await dialog.getByText('Notes').click();
    await sees(dialog.getByRole('cell', { name: '<b>plug' }));
  });

  test('as a Word document is shown without its scripts and links', async () => {
    const types = '<Default Extension="xml" ContentType="application/xml"/>';
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const link = (id: string) => `<w:hyperlink r:id="${id}"><w:r><w:t>link ${id}</w:t></w:r></w:hyperlink>`;
    const related = (id: string, type: string, target: string, more = '') =>
      `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}" ${more}/>`;
    const packageOf = (name: string, content: string) =>
      strToU8(`<${name} xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</${name}>`);
    const words = zipSync({
      '[Content_Types].xml': strToU8(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types}</Types>`,
      ),
      '_rels/.rels': packageOf('Relationships', related('d', 'officeDocument', 'word/document.xml')),
      'word/_rels/document.xml.rels': packageOf(
        'Relationships',
        related('r1', 'hyperlink', 'javascript:top.broken=1', 'TargetMode="External"') +
          related('r2', 'hyperlink', 'https://example.com/?a=1', 'TargetMode="External"'),
      ),
      'word/document.xml': strToU8(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${relations}">` +
          `<w:body><w:p><w:r><w:t>&lt;script&gt;top.broken=1&lt;/script&gt;relay</w:t></w:r>${link('r1')}${link('r2')}` +
          '</w:p></w:body></w:document>',
      ),
    });
    const { t, dialog } = await open(office('guide.docx', words), {}, '?file=1');
    await sees(t('attachments:preview.office.simplified'));
    const frame = dialog.getByTitle('guide.docx', { exact: true }).element() as HTMLIFrameElement;
    expect(frame.getAttribute('sandbox')).toBe('');
    expect(frame.srcdoc).toContain('&lt;script&gt;top.broken=1&lt;/script&gt;relay');
    expect(frame.srcdoc).toContain('link r2 (https://example.com/?a=1)');
    expect(frame.srcdoc).not.toMatch(/javascript:|<script|href=/i);
    await expectAccessible();
  });

  test.each([
    ['broken.docx', strToU8('PK\u0003\u0004 and nothing else'), 'preview.office.unreadable'],
    ['bomb.xlsx', zipSync({ 'xl/a.xml': new Uint8Array(70 * 1024 * 1024) }, { level: 1 }), 'preview.office.inflates'],
  ] as const)('that is %s is not shown, with the reason', async (name, content, key) => {
    const { t } = await open(office(name, content), {}, '?file=1');
    await sees(t(`attachments:${key}`));
  });

  test('that is a large office file is not loaded', async () => {
    const large = detail({ name: 'a.docx', shown: false, size: 30 * 1024 * 1024 });
    const { t, server } = await open({ readAttachment: large }, {}, '?file=1');
    await sees(t('attachments:preview.tooLarge', { limit: '20 MB' }));
    expect(server.sent('attachmentContent')).toEqual([]);
  });

  test('that is an office file needs the download level', async () => {
    const barred = detail({ name: 'a.docx', shown: false, may: { write: false, download: false } });
    const { t, server } = await open({ readAttachment: barred }, {}, '?file=1');
    await sees(page.getByText(t('attachments:preview.noDownload'), { exact: false }));
    expect(server.sent('attachmentContent')).toEqual([]);
  });

  test('is added to an issue from its preview', async () => {
    const { t, dialog, server } = await open(
      {
        readAttachment: detail({ id: 1, name: 'plan.zip', shown: false }),
        listIssues: sampleList('listIssues', [{ id: 8, key: 'HVC-3', title: 'Plug melts' }]),
        commentIssue: { id: 1 },
      },
      {},
      '?file=1',
    );
    await dialog.getByRole('button', { name: t('common:issue.add'), exact: true }).click();
    await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
    await page.getByRole('button', { name: t('issue-files:add'), exact: true }).click();
    await sees(t('issue-files:added', { issue: 'HVC-3' }));
    expect(server.sent('commentIssue')[0]?.body).toMatchObject({
      body: { content: [{ type: 'attachment', attrs: { file: '1', name: 'plan.zip' } }] },
    });
  });

  /** An office file with this content. */
  const office = (name: string, content: Uint8Array<ArrayBuffer>): Answers =>
    ({
      readAttachment: detail({ name, shown: false, size: content.length }),
      attachmentContent: () =>
        new Response(content, {
          status: 206,
          headers: { 'content-range': `bytes 0-${content.length - 1}/${content.length}` },
        }),
    }) as Answers;
});
