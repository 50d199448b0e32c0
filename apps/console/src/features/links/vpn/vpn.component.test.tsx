import { messageOf } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { linkRow } from '../../../testing/links.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { type Answers, Refused } from '../../../testing/stub-server.ts';

const vpn = linkRow({ kind: 'vpn', state: 'open', openedAt: '2026-01-01T00:00:00Z' });
const connection = { number: 1, kind: 'connection', text: '192.0.2.7 → device:22', endedAt: null } as const;

const open = (link: typeof vpn, answers: Answers = {}, options = {}) =>
  showConsole('/manage/device/links?link=3', {
    ...options,
    answers: { readLink: link, listLinkActivity: sampleList('listLinkActivity', [connection]), ...answers },
  });

test.each(LANGUAGES)('the configuration is saved, with commands to copy (%s)', async (locale) => {
  const files = [{ name: 'key', text: 'secret', private: true }];
  const answers = { openLinkAccess: { folder: 'chargehand-3', files } };
  const { t, button, dialog, server } = await open(vpn, answers, { locale, size: [375, 700] });
  await sees(dialog.getByText('ssh -F config root@device', { exact: true }), dialog.getByText(connection.text).last());
  await button('links:vpn.get').click();
  await sees(dialog.getByText(t('links:vpn.saved', { folder: 'chargehand-3' })));
  expect(server.sent('openLinkAccess')[0]).toMatchObject({ params: { id: '3' }, body: {} });
  await expectAccessible();
  expect(tooWide()).toEqual([]);
});

test('the refusal of the server is shown', async () => {
  const openLinkAccess = () => {
    throw new Refused('linkNotOpen');
  };
  const { button, dialog } = await open(vpn, { openLinkAccess });
  await button('links:vpn.get').click();
  await sees(dialog.getByText(messageOf('linkNotOpen', 'en-US')));
});

test('others see the connections, and get no configuration', async () => {
  const ended = { ...connection, number: 2, text: '192.0.2.8 → device:22', endedAt: '2026-01-01T00:00:00Z' };
  const listLinkActivity = sampleList('listLinkActivity', [connection, ended]);
  const { t, button, dialog } = await open(linkRow({ ...vpn, own: false }), { listLinkActivity });
  const connections = dialog.getByRole('region', { name: t('links:vpn.connections') });
  await sees(connections.getByText(connection.text));
  await misses(button('links:vpn.get'));
  await misses(connections.getByText(ended.text));
});
