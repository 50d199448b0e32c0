import type { OpenedShare } from '@chargehand/contract';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/accessibility.ts';
import { FakeSocket } from '../../../../testing/fake-socket.ts';
import { HOSTILE_OUTPUT, QUERIES } from '../../../../testing/inputs/hostile-output.ts';
import { LANGUAGES } from '../../../../testing/languages.ts';
import { sees, tooWide } from '../../../../testing/on-screen.ts';
import { atEnd, show } from '../../../../testing/show.tsx';
import { Refused } from '../../../../testing/stub-server.ts';
import SharePage from '../share-page.tsx';

const SHARE: OpenedShare = {
  codeNeeded: false,
  content: {
    ...{ kind: 'terminal', isFolder: false, name: 'Pile 7 (SN7)', size: null, preview: null, owner: 'Ms Li', note: '' },
    ...{ unavailable: null, expiresAt: '2030-03-04T05:06:00Z', usesLeft: null, bytesLeft: null, interactive: true },
  },
};

test.each(LANGUAGES)('a guest joins after accepting the recording, and types (%s)', async (locale) => {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  atEnd(() => vi.unstubAllGlobals());
  const { t, server } = await show(<SharePage />, {
    ...{ path: '/share/file?s=tok', user: null, size: [390, 844], locale },
    answers: { openShare: SHARE, joinTerminal: { key: 'k1' } },
  });
  const join = page.getByRole('button', { name: t('share:terminal.join') });
  await page.getByLabelText(t('share:terminal.name')).fill('Wang');
  await join.click();
  await sees(t('share:terminal.acceptMissing'));
  expect(server.sent('joinTerminal')).toEqual([]);
  await page.getByRole('checkbox').click();
  await expectAccessible();
  await join.click();
  await expect.poll(() => FakeSocket.all.length).toBe(1);
  expect(server.sent('joinTerminal')[0]?.body).toEqual({ s: 'tok', visitorName: 'Wang', recorded: true });
  const socket = FakeSocket.all[0]!;
  expect(socket.url).toMatch(/\/api\/unauth\/share\/terminals\/k1$/);
  socket.open();
  for (const message of [
    { screen: { cols: 120, rows: 24 } },
    { host: { name: 'li', connected: true } },
    { interactive: true },
  ]) {
    socket.onmessage({ data: JSON.stringify(message) });
  }
  await sees(t('share:terminal.recorded'));
  await expect.poll(() => document.activeElement?.className).toBe('xterm-helper-textarea');
  await userEvent.keyboard('ls{Enter}');
  await expect.poll(() => socket.input()).toBe('ls\r');
  const title = document.title;
  // The terminal of the user answers, not that of the guest.
  socket.output(`${QUERIES}${HOSTILE_OUTPUT}`);
  await expect.poll(() => document.querySelector('.xterm-rows')?.textContent).toContain('clickshown');
  expect(document.title).toBe(title);
  expect(socket.input()).toBe('ls\r');
  expect(tooWide()).toEqual([]);
  await expectAccessible();
  socket.onmessage({ data: '{"host":{"name":"li","connected":false}}' });
  await sees(t('share:terminal.hostAway'));
  await userEvent.keyboard('no');
  socket.onmessage({ data: '{"end":"removed"}' });
  await sees(t('share:terminal.ends.removed'));
  expect(socket.input()).toBe('ls\r');
});

test.each(LANGUAGES)('a guest opens web pages after accepting the recording (%s)', async (locale) => {
  const opened: unknown[] = [];
  window.open = (...values: unknown[]) => {
    opened.push(values);
    return null;
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  atEnd(() => vi.useRealTimers());
  const state = { ended: false };
  const { t, server } = await show(<SharePage />, {
    ...{ path: '/share/file?s=tok', user: null, size: [390, 844], locale },
    answers: {
      openShare: () => {
        if (state.ended) throw new Refused('shareDestroyed');
        return { ...SHARE, content: { ...SHARE.content!, kind: 'page', interactive: false } };
      },
      joinPage: { url: 'http://label.localhost/code' },
    },
  });
  await sees(t('share:page.title', { name: 'Pile 7 (SN7)' }), t('share:page.readOnly'));
  await page.getByLabelText(t('share:terminal.name')).fill('Wang');
  await page.getByRole('checkbox', { name: t('share:page.accept') }).click();
  await expectAccessible();
  await page.getByRole('button', { name: t('share:page.join') }).click();
  await sees(t('share:page.opened'), t('share:page.recorded'));
  expect(server.sent('joinPage')[0]?.body).toEqual({ s: 'tok', visitorName: 'Wang', recorded: true });
  expect(opened).toEqual([['http://label.localhost/code', '_blank', 'noopener,noreferrer']]);
  await expectAccessible();
  await page.getByRole('button', { name: t('share:page.again') }).click();
  await expect.poll(() => opened.length).toBe(2);
  state.ended = true;
  vi.advanceTimersByTime(10_000);
  await sees(t('share:end.destroyed'));
});
