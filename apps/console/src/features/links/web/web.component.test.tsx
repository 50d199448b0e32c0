import { expect, test } from 'vitest';
import { linkRow } from '../../../testing/links.ts';
import { sees } from '../../../testing/on-screen.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';

const open = linkRow({ kind: 'web', state: 'open', openedAt: new Date().toISOString(), port: 80 });
const show = (answers: object, locale: 'en-US' | 'zh-CN' = 'en-US') =>
  showConsole('/manage/device/links?link=3', { locale, answers: { readLink: open, ...answers } });

test('web pages open in a new tab without a way back to the console', async () => {
  const opened: unknown[] = [];
  window.open = (...values: unknown[]) => {
    opened.push(values);
    return null;
  };
  const state = { refused: true };
  const url = 'http://label.localhost/';
  const { button, dialog, t } = await show({
    openPages: () => {
      if (state.refused) throw new Refused('linkNotOpen');
      return { url };
    },
  });
  await button('links:web.open').click();
  await sees(dialog.getByText('The link is not open.'));
  state.refused = false;
  await button('links:web.open').click();
  await sees(dialog.getByText(t('links:web.opened')));
  expect(opened).toEqual([[url, '_blank', 'noopener,noreferrer']]);
});
