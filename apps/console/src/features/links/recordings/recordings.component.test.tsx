import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { HOSTILE_OUTPUT } from '../../../testing/inputs/hostile-output.ts';
import { linkRow } from '../../../testing/links.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { type Answers, HttpFailure } from '../../../testing/stub-server.ts';

const PAST = linkRow({
  ...{ state: 'ended', end: 'expired', openedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T01:00:00Z' },
});
const cast = (...events: unknown[]) =>
  new Response([{ version: 2, width: 60, height: 10 }, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: {
      'content-type': 'application/x-asciicast',
      'content-disposition': 'attachment; filename="a.cast"',
    },
  });
const OUTPUT = () =>
  cast([0.1, 'o', `${HOSTILE_OUTPUT} ready\r\n`], [600, 'o', 'alarm 17\r\n'], [601, 'o', 'done 完成']);

const answers: Answers = {
  readLink: PAST,
  listLinkActivity: { items: [], next: null },
  listRecordings: sampleList('listRecordings', [{ id: 5, userName: 'admin', cols: 60, rows: 10, bytes: 2_048 }]),
  readRecording: OUTPUT,
  checkRecording: { seal: 'unchanged' },
  readRecordedInput: () => cast([1, 'i', 'su\r'], [3, 'i', 'sec'], [4, 'i', 'ret\r\u0003']),
};
const show = (options: Parameters<typeof showConsole>[1] = {}) =>
  showConsole('/manage/device/links?link=3', { ...options, answers: { ...answers, ...options.answers } });
const screen = () => expect.poll(() => document.querySelector('.xterm-rows')?.textContent);

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [375, 700]],
] as const)('a recording is played, searched and shown as text (%s)', async (locale, size) => {
  const opened = vi.spyOn(globalThis, 'open').mockReturnValue(null);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { t, button, server } = await show({ locale, size });
  await button('links:recordings.watch').click();
  const position = page.getByRole('slider', { name: t('links:recordings.position') });
  await expect
    .element(position)
    .toHaveAttribute('aria-valuetext', t('links:recordings.time', { at: '0:00', of: '0:03' }));
  await expectAccessible();
  expect(tooWide()).toEqual([]);
  await button('links:recordings.play').click();
  await screen().toContain('done 完成');
  await sees(button('links:recordings.play'));
  expect(document.title).not.toContain('owned');
  expect([opened.mock.calls, copied.mock.calls]).toEqual([[], []]);
  expect(document.querySelector('.xterm-screen :is(img, canvas, a)')).toBeNull();
  await page.getByRole('checkbox', { name: t('links:recordings.skipPauses') }).click();
  await expect
    .element(position)
    .toHaveAttribute('aria-valuetext', t('links:recordings.time', { at: '10:01', of: '10:01' }));
  await page.getByRole('textbox', { name: t('links:terminal.searchField') }).fill('ALARM 17');
  await sees(t('links:recordings.matches', { count: 1 }));
  await userEvent.keyboard('{Enter}');
  await expect
    .element(position)
    .toHaveAttribute('aria-valuetext', t('links:recordings.time', { at: '10:00', of: '10:01' }));
  await screen().not.toContain('done');
  await button('links:recordings.copy').click();
  expect(copied.mock.calls).toEqual([['clickshown ready\nalarm 17']]);
  await button('links:recordings.asText').click();
  await sees(page.getByText('done 完成', { exact: false }).last());
  await expectAccessible();
  expect(server.sent('readRecording')).toHaveLength(1);
});

test.each([
  ['unchanged', PAST, 'unchanged'],
  ['changed', PAST, 'changed'],
  ['running', { ...PAST, state: 'open', endedAt: null, end: null }, 'unchanged'],
] as const)('a recording shows its seal: %s', async (shown, readLink, seal) => {
  const { t, button, dialog, server } = await show({ answers: { readLink, checkRecording: { seal } } });
  expect(server.sent('checkRecording')).toEqual([]);
  await button('links:recordings.watch').click();
  await sees(
    dialog.getByText(t(`links:recordings.seals.${shown}`), { exact: true }),
    dialog.getByText(t(`links:recordings.sealTexts.${shown}`)),
  );
  expect(server.sent('checkRecording')[0]?.params).toEqual({ id: '3', recordingId: '5' });
  await expectAccessible();
});

test('a seal that cannot be checked can be checked again', async () => {
  const state = { fails: true };
  const { t, button, dialog } = await show({
    answers: {
      checkRecording: () => {
        if (state.fails) throw new HttpFailure(503);
        return { seal: 'unchanged' };
      },
    },
  });
  await button('links:recordings.watch').click();
  await sees(dialog.getByText(t('links:recordings.sealFailed')));
  state.fails = false;
  await button('common:error.retry').click();
  await sees(dialog.getByText(t('links:recordings.sealTexts.unchanged')));
});

test('the seek bar moves with the keyboard, also back', async () => {
  const { t, button } = await show();
  await button('links:recordings.watch').click();
  const position = page.getByRole('slider', { name: t('links:recordings.position') });
  await sees(position);
  (position.element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await screen().toContain('done');
  await userEvent.keyboard('{Home}');
  await screen().not.toContain('ready');
});

test('what was typed is shown to root accounts after a confirmation', async () => {
  const { t, button, dialog, server } = await show();
  await button('links:recordings.input').click();
  await sees(dialog.getByText(t('links:recordings.inputText')));
  expect(server.sent('readRecordedInput')).toEqual([]);
  await button('links:recordings.inputOk').click();
  await sees(page.getByText('secret', { exact: true }), page.getByText('^C', { exact: true }));
  await expectAccessible();
});

test('other accounts are not offered what was typed', async () => {
  const { button } = await show({ user: { root: false } });
  await sees(button('links:recordings.watch'));
  await misses(button('links:recordings.input'));
});

test('a recording that cannot be loaded can be loaded again', async () => {
  let failed = false;
  const { button } = await show({
    answers: {
      readRecording: () => {
        if (failed) return OUTPUT();
        failed = true;
        throw new HttpFailure(503);
      },
    },
  });
  await button('links:recordings.watch').click();
  await button('common:error.retry').click();
  await sees(button('links:recordings.play'));
});
