import type { OpenTerminal, TerminalPeople } from '@chargehand/contract';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { FakeSocket } from '../../../testing/fake-socket.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { linkRow } from '../../../testing/links.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sampleRow } from '../../../testing/sample.ts';
import { atEnd, show } from '../../../testing/show.tsx';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { TerminalPeople as People } from './terminal-people.tsx';

const TERMINAL: OpenTerminal = {
  ...{ id: 5, userName: 'admin', host: 'li', hostConnected: true, cols: 80, rows: 24, typed: null },
  ...{ startedAt: '2026-01-02T03:04:05Z', people: { watchers: [], guests: [] } },
};
const PEOPLE: TerminalPeople = {
  watchers: ['chen'],
  guests: [{ id: 9, name: 'Wang', interactive: false, connected: true }],
};

function stubSocket() {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  atEnd(() => vi.unstubAllGlobals());
}

test.each(LANGUAGES)('a terminal of another user is watched and ended (%s)', async (locale) => {
  stubSocket();
  const { t, server } = await showConsole('/manage/device/terminal?link=3', {
    locale,
    answers: {
      readLink: linkRow({ state: 'open', own: false }),
      listTerminals: { items: [TERMINAL] },
      watchTerminal: { key: 'k1' },
      endTerminal: null,
    },
  });
  await page.getByRole('button', { name: t('links:guests.watchOf', { name: 'li' }) }).click();
  await expect.poll(() => FakeSocket.all.length).toBe(1);
  const socket = FakeSocket.all[0]!;
  expect(socket.url).toMatch(/\/api\/terminals\/k1$/);
  socket.open();
  socket.onmessage({ data: '{"screen":{"cols":100,"rows":30}}' });
  socket.output('ready 中文');
  await expect.poll(() => document.querySelector('.xterm-rows')?.textContent).toContain('ready 中文');
  socket.onmessage({ data: '{"typed":"li"}' });
  await sees(t('links:guests.typing', { name: 'li' }), t('links:guests.size', { cols: 100, rows: 30 }));
  await expectAccessible();
  await page.getByRole('button', { name: t('links:guests.endNow') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('links:guests.endNow') })
    .click();
  await expect.poll(() => server.sent('endTerminal')[0]?.params).toEqual({ id: '3', terminalId: '5' });
  socket.onmessage({ data: '{"end":"ended"}' });
  await sees(t('links:guests.ends.ended'));
  expect(socket.sent).toEqual([]);
});

test.each(LANGUAGES)('the user of a terminal sees and changes who sees it (%s)', async (locale) => {
  const share = sampleRow('listShares', { kind: 'terminal', token: 'tok', code: 'AB23', hasCode: true, own: true });
  const { t, server } = await show(<People linkId={3} terminalId={5} people={PEOPLE} ended={false} />, {
    locale,
    answers: { changeGuest: null, removeGuest: null, inviteGuest: share },
  });
  await sees(t('links:guests.watching', { count: 1, names: 'chen' }), t('links:guests.guest', { name: 'Wang' }));
  await page.getByRole('checkbox', { name: t('links:guests.mayTypeOf', { name: 'Wang' }) }).click();
  await expect.poll(() => server.sent('changeGuest')[0]?.body).toEqual({ interactive: true });
  await page.getByRole('button', { name: t('links:guests.removeOf', { name: 'Wang' }) }).click();
  await expect.poll(() => server.sent('removeGuest')[0]?.params).toEqual({ id: '3', guestId: '9' });
  await page.getByRole('button', { name: t('links:guests.invite'), exact: true }).click();
  await expectAccessible();
  await page.getByRole('button', { name: t('links:guests.create') }).click();
  await sees('AB23');
  expect(server.sent('inviteGuest')[0]?.body).toEqual({ interactive: false, minutes: 30, recipient: '' });
});

test('an invitation that is refused says why', async () => {
  const { t } = await show(<People linkId={3} terminalId={5} people={PEOPLE} ended={false} />, {
    answers: {
      inviteGuest: () => {
        throw new Refused('guestNotOwn');
      },
    },
  });
  await page.getByRole('button', { name: t('links:guests.invite'), exact: true }).click();
  await page.getByRole('button', { name: t('links:guests.create') }).click();
  await sees(page.getByRole('alert'));
  await misses(page.getByText(t('shares:copyBoth')));
});
