import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOCALES, linkEndpoints, TOKEN_COOKIE } from '@chargehand/contract';
import { afterAll, beforeAll, expect } from 'vitest';
import { eventually } from '../../apps/server/src/testing/eventually.ts';
import { connectPile, type Pile } from '../../apps/server/src/testing/gateways/pile.ts';
import { type LinkDevice, openLink } from '../../apps/server/src/testing/links/link-device.ts';
import { journey } from '../harness/journey.ts';
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
  pile = await connectPile(server, server.world.devices.northQuay1.sn);
});
afterAll(async () => {
  await device?.stop();
  await pile.cut();
  pages.closeAllConnections();
  pages.close();
});

let calls = 0;

journey(
  chargehand,
  'an engineer opens the web page of a device, and a hostile page cannot affect the console',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, context, t } = visitor;
    const { server, url } = chargehand;
    const root = await server.as('root');
    const { id } = server.world.devices.northQuay1;
    const { port } = pages.address() as AddressInfo;
    const link = await root.data(requestLink, { params: { id }, body: { kind: 'web', reason: 'Journey', port } });
    calls += 1;
    const control = await pile.call(calls);
    pile.answer(control.id, { status: 'Accepted' });
    device = openLink('ssh', JSON.parse(String(control.payload.data)));
    await eventually(
      () => root.data(readLink, { params: { id: link.id } }),
      ({ state }) => state === 'open',
    );

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

    await device.stop();
    await eventually(
      () => root.data(readLink, { params: { id: link.id } }),
      ({ state }) => state === 'ended',
    );
    const response = await tab.goto(`${origin}/`);
    expect(response?.status()).toBe(410);
    await tab.close();
  },
);
