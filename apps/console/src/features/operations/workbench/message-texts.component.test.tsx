import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { pick, sees } from '../../../testing/on-screen.ts';
import { sampleList, sampleRow } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { stubUploads, UPLOAD_CREDENTIAL } from '../../../testing/stub-uploads.ts';
import { MessageTexts } from './message-texts.tsx';

/** Adds a message and its response to an issue. Returns what was sent. */
async function added(payload: object, answer: object) {
  const execution = sampleRow('listExecutions', {
    ...{ kind: 'sendMessage', state: 'ended', params: { action: 'GetLog', payload } },
  });
  const { t, server, button } = await show(<MessageTexts deviceId={7} execution={execution} />, {
    answers: {
      readExecution: { ...execution, answer },
      listIssues: sampleList('listIssues', [{ id: 8, key: 'HVC-3', title: 'Plug melts', deviceId: 7 }]),
      writeCredentials: UPLOAD_CREDENTIAL,
      registerAttachment: { id: 71, name: 'GetLog.txt' },
      commentIssue: { id: 1 },
    },
  });
  await sees(page.getByText('"status"', { exact: false }));
  await page.getByRole('button', { name: t('common:issue.addOf', { name: 'GetLog' }) }).click();
  await pick(t('issue-files:issue'), 'HVC-3 Plug melts');
  await button('issue-files:add').click();
  await sees(t('issue-files:added', { issue: 'HVC-3' }));
  return server.sent('commentIssue')[0]?.body as { body: { content: { type: string }[] } };
}

test('a message and its response are added to an issue', async () => {
  const { body } = await added({ logType: 'DiagnosticsLog' }, { status: 'Accepted' });
  expect(body.content.map(({ type }) => type)).toEqual(['paragraph', 'codeBlock', 'paragraph', 'codeBlock']);
  expect(JSON.stringify(body)).toContain('DiagnosticsLog');
  expect(JSON.stringify(body)).toContain('Accepted');
});

test('a long response is added as a file', async () => {
  const received = stubUploads();
  const { body } = await added({}, { status: 'Accepted', text: 'x'.repeat(600_000) });
  expect(body.content.map(({ type }) => type)).toEqual(['attachment']);
  expect(await received[0]?.text()).toContain('Accepted');
});
