import { messageOf } from '@chargehand/contract';
import { expect, test, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { FakeSocket } from '../../../testing/fake-socket.ts';
import { HOSTILE_OUTPUT } from '../../../testing/inputs/hostile-output.ts';
import { publicKeyAnswer } from '../../../testing/inputs/public-key.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { linkRow } from '../../../testing/links.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { atEnd } from '../../../testing/show.tsx';
import { showConsole } from '../../../testing/show-console.tsx';
import { type Answers, Refused } from '../../../testing/stub-server.ts';

const LINK = linkRow({ state: 'open' });

/** Opens the page of the terminals of a link, and enters user name and password. */
async function signIn(answers: Answers = {}, options: Parameters<typeof showConsole>[1] = {}) {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  atEnd(() => vi.unstubAllGlobals());
  let keys = 0;
  const stage = await showConsole('/manage/device/terminal?link=3', {
    ...options,
    answers: {
      readLink: LINK,
      publicKey: publicKeyAnswer,
      openTerminal: () => {
        keys += 1;
        return { key: `k${keys}`, id: keys };
      },
      ...answers,
    },
  });
  await stage.field('links:terminal.userName').fill('root');
  await stage.field('links:terminal.password').fill('secret');
  return stage;
}

/** Signs in and opens the connection. */
async function open(options: Parameters<typeof showConsole>[1] = {}) {
  const stage = await signIn({}, options);
  await stage.button('links:terminal.open').click();
  const socket = await connected(1);
  await expect.poll(() => document.activeElement?.className).toBe('xterm-helper-textarea');
  return { ...stage, socket };
}

/** The connection with this number, opened. */
async function connected(number: number): Promise<FakeSocket> {
  await expect.poll(() => FakeSocket.all.length).toBe(number);
  const socket = FakeSocket.all[number - 1]!;
  socket.open();
  return socket;
}

const output = () =>
  expect.poll(() => document.querySelector('[role=tabpanel]:not([hidden]) .xterm-rows')?.textContent);

test.each(LANGUAGES)('a terminal shows output and sends input (%s)', async (locale) => {
  const { t, server, socket } = await open({ locale });
  expect(server.sent('openTerminal')[0]).toMatchObject({ params: { id: '3' }, body: { userName: 'root' } });
  expect(JSON.stringify(server.calls)).not.toContain('secret');
  await sees(page.getByText(LINK.reason), page.getByText(t('links:until'), { exact: false }));
  await sees(page.getByRole('link', { name: t('links:terminal.details') }));
  await expect.poll(() => document.title).toContain(LINK.device.name);
  expect(document.title).not.toContain(t('links:terminal.of', { name: LINK.device.name }));
  expect(socket.sent.map(String)).toContainEqual(expect.stringMatching(/^\{"size":\{"cols":\d+,"rows":\d+\}\}$/));
  socket.output('ready 中文\r\n');
  await output().toContain('ready 中文');
  await expect
    .poll(() => socket.sent)
    .toContainEqual(JSON.stringify({ ack: new TextEncoder().encode('ready 中文\r\n').length }));
  await userEvent.keyboard('ls{Enter}');
  await expect.poll(() => socket.input()).toBe('ls\r');
  await expectAccessible();
  socket.onmessage({ data: '{"end":"exited"}' });
  await sees(t('links:terminal.ends.exited'), page.getByRole('button', { name: t('links:terminal.again') }));
});

test('the dialog for user name and password shows why the device refused them', async () => {
  const stage = await signIn({
    openTerminal: () => {
      throw new Refused('terminalSignIn');
    },
  });
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await sees(stage.dialog.getByText(messageOf('terminalSignIn', 'en-US')));
  await expect.element(stage.field('links:terminal.userName')).toHaveValue('root');
  expect(FakeSocket.all).toEqual([]);
});

test('a device that accepts the key of the link needs no password', async () => {
  const LINK_WITH_KEY = linkRow({ state: 'open', shellUser: 'root' });
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  atEnd(() => vi.unstubAllGlobals());
  let refuses = false;
  const stage = await showConsole('/manage/device/terminal?link=3', {
    answers: {
      readLink: LINK_WITH_KEY,
      openTerminal: () => {
        if (refuses) throw new Refused('terminalKeyRefused', { user: 'root' });
        return { key: 'k1', id: 1 };
      },
    },
  });
  (await connected(1)).output('# ');
  await output().toContain('# ');
  expect(stage.server.sent('openTerminal')).toMatchObject([{ body: { cols: 80, rows: 24 } }]);
  await misses(stage.dialog);
  refuses = true;
  await stage.button('links:terminal.new').click();
  await sees(stage.dialog.getByText(messageOf('terminalKeyRefused', 'en-US', { user: 'root' })));
  await expect.element(stage.field('links:terminal.userName')).toHaveValue('');
});

test('text that is composed with an input method is sent once', async () => {
  const { socket } = await open();
  const keyboard = cdp() as unknown as { send(method: string, params: object): Promise<unknown> };
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  for (const [typed, text, all] of [
    ['du qu', '读取', '读取'],
    ['ri zhi', '日志', '读取日志'],
  ] as const) {
    for (const length of [1, 2, typed.length]) await compose(typed.slice(0, length));
    await expect.poll(() => document.querySelector('.composition-view')?.textContent).toContain(typed);
    await keyboard.send('Input.insertText', { text });
    await expect.poll(() => socket.input()).toBe(all);
  }
  // Cancelled.
  await compose('shan');
  await compose('');
  await userEvent.keyboard('ls{Enter}');
  await expect.poll(() => socket.input()).toBe('读取日志ls\r');
});

test('a terminal continues after a lost connection', async () => {
  const { t, socket } = await open();
  socket.output('before ');
  socket.fail();
  await sees(t('links:terminal.lost'));
  const next = await connected(2);
  expect(next.url).toMatch(/\/k1\?from=7$/);
  next.output('after');
  await output().toContain('before after');
  await misses(page.getByText(t('links:terminal.lost')));
});

test('several lines are pasted after a confirmation, one line at once', async () => {
  const { t, dialog, socket } = await open();
  const paste = (text: string) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  };
  paste('uptime');
  await expect.poll(() => socket.input()).toBe('uptime');
  paste('cd /\nls');
  await sees(dialog.getByText(t('links:terminal.pasteText', { count: 2 })));
  expect(socket.input()).toBe('uptime');
  await expectAccessible();
  await dialog.getByRole('button', { name: t('links:terminal.paste'), exact: true }).click();
  await expect.poll(() => socket.input()).toBe('uptimecd /\rls');
});

test('titles, links, clipboard texts, images and repeated strings of a device have no effect', async () => {
  const opened = vi.spyOn(globalThis, 'open').mockReturnValue(null);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const read = vi.spyOn(navigator.clipboard, 'readText').mockResolvedValue('secret');
  const { socket } = await open();
  const title = document.title;
  socket.output(HOSTILE_OUTPUT);
  await output().toContain('clickshown');
  await page.elementLocator(document.querySelector('.xterm-screen')!).click({ position: { x: 12, y: 8 } });
  expect(document.title).toBe(title);
  for (const spy of [opened, copied, read]) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
  expect(document.querySelector('.xterm-screen :is(img, canvas, a)')).toBeNull();
  // Terminals may answer, but with nothing that the device has chosen.
  expect(socket.input()).not.toMatch(/owned|secret|6f776e6564|[\r\n]/);
});

test('several terminals are open at a time, and leaving the page asks first', async () => {
  const stage = await open();
  const { t, socket } = stage;
  socket.output('first');
  await stage.button('links:terminal.new').click();
  await expect.element(stage.field('links:terminal.userName')).toHaveValue('root');
  await stage.field('links:terminal.password').fill('secret');
  await stage.button('links:terminal.open').click();
  const second = await connected(2);
  second.output('second');
  await output().toContain('second');
  await page.getByRole('tab', { name: t('links:terminal.tab', { number: 1 }) }).click();
  await output().toContain('first');
  void stage.go('/manage/home');
  await sees(t('links:terminal.leaveText'));
  await stage.button('links:terminal.stay').click();
  await stage.button('links:terminal.close').click();
  expect(socket.sent.at(-1)).toBe(JSON.stringify({ close: true }));
  await output().toContain('second');
});

test('on a phone, buttons replace missing keys', async () => {
  const { t, socket } = await open({ size: [375, 700] });
  const keys = page.getByRole('toolbar', { name: t('links:terminal.keys') });
  await keys.getByRole('button', { name: t('links:terminal.key.up') }).click();
  await keys.getByRole('button', { name: 'Ctrl' }).click();
  await userEvent.keyboard('c');
  await expect.poll(() => socket.input()).toBe('\u001b[A\u0003');
  expect(tooWide()).toEqual([]);
  await expectAccessible();
});

test('output is searched', async () => {
  const stage = await open();
  stage.socket.output('alpha beta gamma');
  await output().toContain('gamma');
  await stage.button('links:terminal.search').click();
  const field = stage.field('links:terminal.searchField');
  await field.fill('delta');
  await userEvent.keyboard('{Enter}');
  await sees(stage.text('links:terminal.noMatch'));
  await field.fill('beta');
  await userEvent.keyboard('{Enter}');
  await misses(stage.text('links:terminal.noMatch'));
  await expect.element(stage.button('links:terminal.copy')).toBeEnabled();
});

test.each([
  ['notOpen', { state: 'ended', end: 'expired' }],
  ['notOwn', { state: 'open', own: false }],
  ['notSsh', { state: 'open', kind: 'vpn' }],
] as const)('a link without terminals says why: %s', async (reason, values) => {
  const { t, button } = await showConsole('/manage/device/terminal?link=3', { answers: { readLink: linkRow(values) } });
  await sees(page.getByText(t(`links:terminal.${reason}`), { exact: false }));
  await misses(button('links:terminal.new'));
  if (reason === 'notOwn') await sees(page.getByRole('main').getByText('root_user', { exact: false }).first());
});

test('without a link, the open ones of the user are listed', async () => {
  const items = [LINK, linkRow({ id: 4, own: false, state: 'open', device: { id: 8, sn: 'PILE-8', name: 'Pile 8' } })];
  await showConsole('/manage/device/terminal', { answers: { listLinks: { items, next: null } } });
  await expect
    .element(page.getByRole('link', { name: 'Pile 7' }))
    .toHaveAttribute('href', '/manage/device/terminal?link=3');
  await misses(page.getByRole('link', { name: 'Pile 8' }));
});
