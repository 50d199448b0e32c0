import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../../testing/languages.ts';
import { expectConfirmBeforeClosing, option, pick, sees } from '../../../../testing/on-screen.ts';
import { sampleList } from '../../../../testing/sample.ts';
import { show } from '../../../../testing/show.tsx';
import { type Answers, Refused } from '../../../../testing/stub-server.ts';
import { stubUploads, UPLOAD_CREDENTIAL } from '../../../../testing/stub-uploads.ts';
import { AddToIssue } from './add-to-issue.tsx';
import type { AddToIssueProps } from './add-to-issue-dialog.tsx';
import { storedFileNode, uploadedFileNode } from './issue-nodes.ts';

const issue = { id: 8, key: 'HVC-3', title: 'Plug melts', deviceId: 5 };
const answers: Answers = {
  listIssues: ({ query }) => sampleList('listIssues', query.deviceId === '6' ? [] : [issue]),
  commentIssue: { id: 1 },
  createDeviceIssue: { id: 9, key: 'HVC-4', existing: false },
};
const photo = storedFileNode({ id: 70, name: 'plug.png', size: 9 });

/** The dialog for a file, until it is closed. */
function Opened(props: Partial<AddToIssueProps>) {
  const [open, setOpen] = useState(true);
  const prepare = async () => [photo];
  return (
    open && <AddToIssue name="plug.png" deviceId={5} prepare={prepare} {...props} onClose={() => setOpen(false)} />
  );
}

describe('the dialog that adds something to an issue', () => {
  test.each(LANGUAGES)('adds a file with a note to an open issue of the device (%s)', async (locale) => {
    const { t, server, button, field, dialog } = await show(<Opened />, { answers, locale });
    await sees(dialog.getByText('plug.png', { exact: true }));
    await expect.element(button('issue-files:add')).toBeDisabled();
    await expectAccessible();
    await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
    await field('issue-files:note').fill('After an hour\nof charging');
    await button('issue-files:add').click();
    await sees(t('issue-files:added', { issue: 'HVC-3' }));
    await expect.element(dialog).not.toBeInTheDocument();
    expect(server.sent('listIssues')[0]?.query).toMatchObject({ tab: 'open', deviceId: '5' });
    const line = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
    expect(server.sent('commentIssue')).toMatchObject([
      {
        params: { id: '8' },
        body: { body: { type: 'doc', content: [line('After an hour'), line('of charging'), photo] }, internal: true },
      },
    ]);
  });

  test('finds issues of other devices, also when the device has none', async () => {
    const { t, server } = await show(<Opened deviceId={6} />, { answers });
    await page.getByRole('combobox', { name: t('issue-files:issue') }).click();
    await sees(option('HVC-3 Plug melts'));
    await page.getByRole('combobox', { name: t('issue-files:issue') }).fill('melts');
    await expect.poll(() => server.sent('listIssues').at(-1)?.query).toMatchObject({ search: 'melts', tab: 'open' });
    expect(server.sent('listIssues').at(-1)?.query).not.toHaveProperty('deviceId');
  });

  test('reports a new issue of the device, once, also when the comment is refused first', async () => {
    let refuses = true;
    const prepare = vi.fn(async (_issueId: number, _signal: AbortSignal) => [photo]);
    const { t, server, button, field, text } = await show(<Opened prepare={prepare} />, {
      answers: {
        ...answers,
        commentIssue: () => {
          if (refuses) throw new Refused('attachmentQuota', { size: '1 KB', free: '0 Bytes', limit: '1 GB' });
          return { id: 1 };
        },
      },
    });
    await text('issue-files:new').click();
    await expect.element(button('issue-files:add')).toBeDisabled();
    await field('issue-files:newTitle').fill('Smells of smoke ');
    await button('issue-files:add').click();
    await sees(page.getByRole('alert'));
    refuses = false;
    await button('issue-files:add').click();
    await sees(t('issue-files:added', { issue: 'HVC-4' }));
    expect(server.sent('createDeviceIssue')).toMatchObject([
      { params: { id: '5' }, body: { title: 'Smells of smoke', type: 1 } },
    ]);
    expect(prepare.mock.calls.map(([issueId]) => issueId)).toEqual([9]);
    expect(server.sent('commentIssue').map(({ params }) => params.id)).toEqual(['9', '9']);
  });

  test('offers no new issue to users who may not report one', async () => {
    const { t } = await show(<Opened />, {
      answers,
      user: { root: false, platformVendor: false, keys: ['auth_issue_list', 'auth_issue_detail'] },
    });
    await sees(page.getByRole('combobox', { name: t('issue-files:issue') }));
    expect(page.getByText(t('issue-files:new'), { exact: true }).elements()).toEqual([]);
  });

  test('uploads files for the chosen issue', async () => {
    const received = stubUploads();
    const prepare = async (issueId: number, signal: AbortSignal) => [
      await uploadedFileNode(issueId, new File(['[]'], 'frames.json'), signal),
    ];
    const { t, server, button } = await show(<Opened prepare={prepare} />, {
      answers: { ...answers, writeCredentials: UPLOAD_CREDENTIAL, registerAttachment: { id: 71, name: 'frames.json' } },
    });
    await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
    await button('issue-files:add').click();
    await sees(t('issue-files:added', { issue: 'HVC-3' }));
    expect(received).toHaveLength(1);
    expect(server.sent('registerAttachment')).toMatchObject([{ body: { name: 'frames.json', issueId: 8 } }]);
    expect(server.sent('commentIssue')[0]?.body).toMatchObject({
      body: { content: [{ type: 'attachment', attrs: { file: '71', name: 'frames.json' } }] },
    });
  });

  test('says why a file cannot be uploaded, and sends no comment', async () => {
    const prepare = async (issueId: number, signal: AbortSignal) => [
      await uploadedFileNode(issueId, new File(['MZ'], 'tool.exe'), signal),
    ];
    const { t, server, button } = await show(<Opened prepare={prepare} />, { answers });
    await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
    await button('issue-files:add').click();
    await sees(page.getByRole('alert'));
    expect(page.getByRole('alert').element().textContent).toContain('plug.png: ');
    expect(server.sent('commentIssue')).toEqual([]);
  });

  test('asks before a note is lost', async () => {
    const stage = await show(<Opened />, { answers });
    await stage.field('issue-files:note').fill('After an hour');
    await expectConfirmBeforeClosing(stage, stage.field('issue-files:note'));
  });
});
