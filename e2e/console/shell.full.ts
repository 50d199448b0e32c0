import { describe, expect, test } from 'vitest';
import { userNameOf } from '../../apps/server/src/testing/world.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product({ languageSwitch: true });

const tabs = (visitor: Visitor) => visitor.page.getByRole('navigation', { name: visitor.t('common:shell.history') });
const sidebar = (visitor: Visitor) =>
  visitor.page.getByRole('navigation', { name: visitor.t('common:shell.navigation') });

test.each([
  ['/', 200, 'text/html; charset=utf-8'],
  ['/manage/home', 200, 'text/html; charset=utf-8'],
  ['/assets/', 404, 'application/json; charset=utf-8'],
])('%s is also sent uncompressed to clients that do not accept compression', async (path, status, type) => {
  const response = await fetch(`${chargehand.url}${path}`, { headers: { 'accept-encoding': 'identity' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
});

journey(chargehand, 'a style sheet with global names only is part of the build', { as: 'root' }, async (visitor) => {
  await visitor.page.goto('/manage/welcome');
  await visitor.sees(visitor.heading(visitor.t('welcome:title', { name: userNameOf('root') })));
  expect(await visitor.page.evaluate(`getComputedStyle(document.querySelector('.welcome')).paddingLeft`)).toBe('24px');
});

describe('network problems', () => {
  journey(chargehand, 'an unreachable server is shown, and the console reconnects', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/welcome');
    await visitor.sees(t('common:live.on'));
    visitor.expects(/ERR_/);
    chargehand.network.cut();
    await visitor.sees(page.locator('.live-indicator[data-state="down"]'));
    chargehand.network.restore();
    await visitor.sees(t('common:live.on'));
  });

  journey(
    chargehand,
    'an open dialog keeps its text while everything is loaded again',
    { as: 'root' },
    async (visitor) => {
      const { page, t } = visitor;
      const name = page.getByRole('dialog').getByRole('textbox', { name: t('attachments:name') });
      await page.goto('/manage/attach/list');
      await visitor.sees(t('common:live.on'));
      await visitor.button(t('attachments:folder.new')).click();
      await name.fill('Entered before');
      visitor.expects(/ERR_/);
      chargehand.network.cut();
      await visitor.sees(page.locator('.live-indicator[data-state="down"]'));
      const loaded = page.waitForResponse((response) => response.url().includes('attachment-folders') && response.ok());
      chargehand.network.restore();
      await loaded;
      await visitor.sees(t('common:live.on'));
      expect(await name.inputValue()).toBe('Entered before');
    },
  );

  journey(chargehand, 'a missing chunk of the console offers a reload', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    visitor.expects(/welcome-page|ChunkLoadError|404/);
    await page.goto('/manage/home');
    await visitor.sees(tabs(visitor));
    await page.route('**/assets/welcome-page*', (route) => route.fulfill({ status: 404, body: '' }));
    await page.evaluate(`history.pushState({}, '', '/manage/welcome'); dispatchEvent(new PopStateEvent('popstate'))`);
    await visitor.sees(visitor.heading(t('common:error.chunkTitle')), sidebar(visitor));
    await page.unroute('**/assets/welcome-page*');
    await visitor.button(t('common:error.reload')).click();
    await visitor.sees(visitor.heading(t('welcome:title', { name: userNameOf('root') })));
  });
});
