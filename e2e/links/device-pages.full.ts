import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOCALES, linkEndpoints, TOKEN_COOKIE } from '@chargehand/contract';
import { afterAll, beforeAll, expect } from 'vitest';
import { eventually } from '../../apps/server/src/testing/eventually.ts';
import { connectPile, type Pile } from '../../apps/server/src/testing/gateways/pile.ts';
import { type LinkDevice, openLink } from '../../apps/server/src/testing/links/link-device.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const { requestLink, readLink } = linkEndpoints;
const chargehand = product();

/** A page that tries to reach the console at the address in its query. Its title is `done` after the attempts. */
const HOSTILE = `<!doctype html><title>hostile</title><script type="module">
const consoleUrl = new URL(location).searchParams.get('console');
const results = {};
const attempt = async (name, work) => {
  try { results[name] = await work(); } catch (error) { results[name] = 'refused'; }
};
for (const name of ['x-auth-token', 'x-csrf'])
  for (const domain of ['', '; domain=localhost', '; domain=127.0.0.1'])
    document.cookie = name + '=overwritten; path=/' + domain;
await attempt('cookies', () => document.cookie.includes('chargehand-page'));
await attempt('opener', () => window.opener === null ? 'refused' : 'open');
await attempt('fetch', async () => (await fetch(consoleUrl + '/api/auth/user', { credentials: 'include' })).status);
await attempt('post', async () => (await fetch(consoleUrl + '/api/unauth/login', { method: 'POST', credentials: 'include' })).status);
await attempt('worker', async () => { await navigator.serviceWorker.register('/worker.js'); return 'registered'; });
await attempt('frame', () => new Promise((resolve) => {
  const frame = Object.assign(document.createElement('iframe'), { src: consoleUrl + '/manage' });
  frame.onload = () => {
    try { resolve(frame.contentDocument ? 'read' : 'refused'); } catch { resolve('refused'); }
  };
  document.body.append(frame);
}));
const popup = window.open(consoleUrl + '/manage');
popup?.postMessage({ type: 'signOut' }, '*');
// Until the console is loaded, the window belongs to this page. The console may cut the connection to it.
await attempt('popup', async () => {
  while (popup.location.href === 'about:blank' && !popup.closed) await new Promise((next) => setTimeout(next, 20));
  return popup.closed ? 'refused' : popup.document.cookie;
});
popup?.close();
window.results = results;
document.title = 'done';
</script>`;

let pages: Server;
let pile: Pile;
let device: LinkDevice | undefined;

beforeAll(async () => {
  pages = createServer((request, response) => {
    const url = request.url ?? '';
    if (url === '/worker.js') response.setHeader('content-type', 'text/javascript').end('');
    else if (url.startsWith('/to-console'))
      response.writeHead(302, { location: url.slice(url.indexOf('=') + 1) }).end();
    else {
      response.setHeader('content-type', 'text/html');
      response.setHeader('set-cookie', ['x-auth-token=overwritten; Domain=localhost', 'x-csrf=overwritten; Path=/']);
      response.setHeader('clear-site-data', '"cookies", "storage"');
      response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
      response.end(url === '/' ? '<title>Pile</title><h1>Pile 1</h1>' : HOSTILE);
    }
  }).listen(0, '127.0.0.1');
  const { server } = chargehand;
  await server.database.pool.query('update device_models set web_support = true');
  await server.database.pool.query('update roles set remote_access = 1');
  pile = await connectPile(server, server.world.devices.northQuay1.sn);
});
afterAll(async () => {
  await device?.stop();
  await pile.cut();
  pages.closeAllConnections();
  pages.close();
});

let calls = 0;

/** Opens a link of a person to the web pages of the device. */
async function openPagesLink(person: 'root' | 'northAdmin') {
  const { server } = chargehand;
  const user = await server.as(person);
  const { port } = pages.address() as AddressInfo;
  const body = { kind: 'web', reason: 'Journey', port } as const;
  const link = await user.data(requestLink, { params: { id: server.world.devices.northQuay1.id }, body });
  const state = () => user.data(readLink, { params: { id: link.id } }).then((now) => now.state);
  for (;;) {
    calls += 1;
    const { id, payload } = await pile.call(calls);
    pile.answer(id, { status: 'Accepted' });
    if (payload.messageId !== 'startVpn') continue;
    device = openLink('ssh', JSON.parse(String(payload.data)));
    await eventually(state, (now) => now === 'open');
    return { id: link.id, state };
  }
}

journey(
  chargehand,
  'an engineer opens the web page of a device, and a hostile page cannot affect the console',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, context, t } = visitor;
    const { url } = chargehand;
    const link = await openPagesLink('root');

    await page.goto(`/manage/device/links?link=${link.id}`);
    // The same session at the name of which the pages are subdomains.
    const parent = url.replace('127.0.0.1', 'localhost');
    const own = await context.cookies(url);
    await context.addCookies(own.map(({ name, value, httpOnly }) => ({ name, value, httpOnly, url: parent })));
    const before = await context.cookies([url, parent]);
    const opening = context.waitForEvent('page');
    await visitor.button(t('links:web.open')).click();
    const tab = await opening;
    await tab.getByRole('heading', { name: 'Pile 1' }).waitFor();
    const origin = new URL(tab.url()).origin;
    expect(tab.url()).toBe(`${origin}/`);

    for (const address of [url, parent]) {
      await tab.goto(`${origin}/hostile?console=${encodeURIComponent(address)}`);
      await expect.poll(() => tab.title()).toBe('done');
      expect(await tab.evaluate('window.results')).toEqual({
        ...{ cookies: false, opener: 'refused', fetch: 'refused', post: 'refused', worker: 'refused' },
        ...{ frame: 'refused', popup: 'refused' },
      });
      expect(await context.cookies([url, parent])).toEqual(before);
    }
    expect(before.map(({ name }) => name)).toContain(TOKEN_COOKIE);
    await page.reload();
    await page.getByText('GET /hostile?console=…').first().waitFor();
    await page.getByText('GET /worker.js').first().waitFor();

    await device?.stop();
    await eventually(link.state, (now) => now === 'ended');
    const response = await tab.goto(`${origin}/`);
    expect(response?.status()).toBe(410);
    await tab.close();
  },
);

journey(
  chargehand,
  'a guest without an account reads the pages of a device, and a colleague watches the requests and ends the link',
  { as: 'northAdmin', locales: ['zh-CN'] },
  async (visitor) => {
    const { page, t } = visitor;
    const link = await openPagesLink('northAdmin');
    await page.goto(`/manage/device/links?link=${link.id}`);
    await visitor.button(t('links:guests.invite')).click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByText(t('links:guests.hostSession')).click();
    await dialog.getByRole('button', { name: t('links:guests.create'), exact: true }).click();
    const code = await dialog
      .getByText(/^[A-Z2-9]{4}$/)
      .first()
      .textContent();
    const address = await dialog
      .getByText(/\/share\/file\?s=/)
      .first()
      .textContent();
    await dialog
      .getByRole('button', { name: t('common:close'), exact: true })
      .last()
      .click();
    const guest = await visit(chargehand, 'zh-CN', { size: { width: 390, height: 844 } });
    const colleague = await visit(chargehand, 'zh-CN', { as: 'root' });
    try {
      await guest.page.goto(new URL(address!).pathname + new URL(address!).search);
      await guest.page.getByLabel(t('share:code.label')).fill(code!);
      await guest.page.keyboard.press('Enter');
      await guest.page.getByLabel(t('share:terminal.name')).fill('王工');
      await guest.page.getByRole('checkbox').check();
      const opening = guest.context.waitForEvent('page');
      await guest.page.getByRole('button', { name: t('share:page.join') }).click();
      const tab = await opening;
      await tab.getByRole('heading', { name: 'Pile 1' }).waitFor();
      await guest.sees(t('share:page.recorded'));
      await page
        .getByText(t('links:guests.guest', { name: '王工' }))
        .first()
        .waitFor();

      await colleague.page.goto(`/manage/device/links?link=${link.id}`);
      await colleague.sees(t('links:web.live'));
      expect(await tab.evaluate(`fetch('/settings', { method: 'POST' }).then(({ status }) => status)`)).toBe(403);
      await colleague.sees('POST /settings');
      await colleague.button(t('links:end')).click();
      await colleague.page
        .getByRole('dialog')
        .last()
        .getByRole('button', { name: t('links:end') })
        .click();
      await eventually(link.state, (now) => now === 'ended');
      expect((await tab.reload())?.status()).toBe(410);
    } finally {
      await guest.context.close();
      await colleague.context.close();
      await device?.stop();
    }
    await visitor.sees(t('links:states.ended'));
  },
);
