import { ENDPOINTS } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { visit } from './harness/journey.ts';
import { product } from './harness/product.ts';
import { type Delivery, measureDelivery } from './harness/wire.ts';

const chargehand = product({ captcha: true });

/** The budget of a first visit: headers and data in bytes, and the number of requests. */
const PAGES = [
  { name: 'the sign-in page', as: undefined, path: () => '/login', bytes: 101_000, requests: 20 },
  { name: 'the page of a share', as: undefined, path: () => '/share/file?s=x', bytes: 150_000, requests: 20 },
  { name: 'the device list', as: 'vendorStaff', path: () => '/manage/device/list', bytes: 305_000, requests: 44 },
  { name: 'Home', as: 'vendorStaff', path: () => '/manage/home', bytes: 319_500, requests: 60 },
  { name: 'a device', as: 'vendorStaff', path: deviceTab('monitor'), bytes: 365_000, requests: 80 },
  { name: 'the charts of a device', as: 'vendorStaff', path: deviceTab('charts'), bytes: 365_000, requests: 80 },
] as const;

test.each(PAGES)('$name arrives compressed and within its budget', async ({ as, path, bytes, requests }) => {
  const visitor = await visit(chargehand, 'zh-CN', as ? { as } : {});
  try {
    const delivery = await measureDelivery(visitor.page, path());
    expect(delivery.uncompressed).toEqual([]);
    expect(delivery.bytes, describeDelivery(delivery)).toBeLessThan(bytes);
    expect(delivery.requests.length, describeDelivery(delivery)).toBeLessThan(requests);
    if (as) expect(delivery.requests.filter(({ url }) => url.endsWith('/api/unauth/info'))).toHaveLength(1);
    const info = delivery.requests.findIndex(({ url }) => url.endsWith('/api/unauth/info'));
    const lastScript = delivery.requests.findLastIndex(({ url }) => url.endsWith('.js'));
    // The page contains the script that sends it; a content security policy without its hash would block that.
    expect(info).toBeLessThan(5);
    expect(
      delivery.requests.filter(({ url }) => /entry-[^/]+\.css$|favicon|start\.js|more-endpoints/.test(url)),
    ).toEqual([]);
    expect(info).toBeLessThan(lastScript);
  } finally {
    await visitor.context.close();
  }
});

test.each([
  { name: 'the device list', path: () => '/manage/device/list', code: /device-list-[^/]+\.js$/, data: '/sys/devices?' },
  { name: 'Home', path: () => '/manage/home', code: /home-page-[^/]+\.js$/, data: '/sys/sites/states' },
  { name: 'a device', path: deviceTab('details'), code: /device-detail-[^/]+\.js$/, data: '/runtime' },
])('$name requests its data while its code is loading', async ({ path, code, data }) => {
  const { context, page } = await visit(chargehand, 'en-US', { as: 'vendorStaff' });
  try {
    const requested = page.waitForRequest((request) => request.url().includes(data));
    await page.route(code, async (route) => {
      await requested;
      await route.continue();
    });
    await page.goto(path());
    await page.locator('main h1').waitFor();
  } finally {
    await context.close();
  }
});

test.each([
  ['Home', () => '/manage/home'],
  ['the device list', () => '/manage/device/list'],
  ['a device', deviceTab('monitor')],
  ['the details of a device', deviceTab('details')],
  ['the alarms', () => '/manage/device/alarms'],
  ['the sites', () => '/manage/site/list'],
])('%s requests its first data once', async (_, path) => {
  const { context, page } = await visit(chargehand, 'en-US', { as: 'vendorStaff' });
  try {
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}${search}`);
    });
    await page.goto(path());
    await page.locator('main h1').waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    // What would be fetched again after the start of the stream is requested before this.
    await page.evaluate(() => fetch('/readyz'));
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((request, index) => requests.indexOf(request) !== index)).toEqual([]);
  } finally {
    await context.close();
  }
});

test('a change between the data of a page and the start of its stream is displayed', async () => {
  const { server } = chargehand;
  const { context, page } = await visit(chargehand, 'en-US', { as: 'vendorStaff' });
  try {
    const changed = Promise.withResolvers<void>();
    await page.route(`**${ENDPOINTS.stream.path}*`, async (route) => {
      await changed.promise;
      await route.continue();
    });
    await page.goto('/manage/device/list');
    await page.getByText(server.world.devices.northQuay1.sn).first().waitFor();
    const root = await server.as('root');
    const params = { id: server.world.devices.northQuay1.id };
    const position = async () => (await root.data(ENDPOINTS.info, { body: {} })).livePosition;
    const before = await position();
    await root.data(ENDPOINTS.updateDevice, { params, body: { name: 'Renamed in between' } });
    // Events are collected for a short time before they are published.
    await expect.poll(position).not.toBe(before);
    changed.resolve();
    await page.getByText('Renamed in between').first().waitFor();
  } finally {
    await context.close();
  }
});

test('the console is loaded while the user types on the sign-in page', async () => {
  const { context, page } = await visit(chargehand, 'en-US');
  try {
    await page.goto('/login');
    const loaded = page.waitForResponse((response) => /home-page-[^/]+\.js$/.test(response.url()));
    await page.locator('input[type=password]').fill('x');
    await loaded;
  } finally {
    await context.close();
  }
});

/** The page's 700 bytes of security headers are of no use to scripts, and there are dozens of them. */
test('scripts and responses of the API have few headers', async () => {
  const { context, page } = await visit(chargehand, 'en-US', { as: 'vendorStaff' });
  try {
    const sizes: [url: string, bytes: number][] = [];
    page.on('response', async (response) => {
      if (!/\.js$|\/sys\/devices\?/.test(response.url())) return;
      const headers = await response.headersArray();
      sizes.push([response.url(), headers.reduce((sum, { name, value }) => sum + name.length + value.length + 4, 0)]);
    });
    await page.goto('/manage/device/list');
    await page.waitForLoadState('networkidle');
    expect(sizes.length).toBeGreaterThan(10);
    expect(sizes.some(([url]) => url.includes('/sys/devices?'))).toBe(true);
    expect(sizes.filter(([, bytes]) => bytes > 400)).toEqual([]);
  } finally {
    await context.close();
  }
});

function deviceTab(tab: string): () => string {
  return () => `/manage/device/detail/${chargehand.server.world.devices.northQuay1.id}?tab=${tab}`;
}

function describeDelivery({ bytes, requests }: Delivery): string {
  const largest = requests.toSorted((a, b) => b.bytes - a.bytes).slice(0, 12);
  return [`${bytes} bytes in ${requests.length} requests`, ...largest.map((one) => `${one.bytes} ${one.url}`)].join(
    '\n',
  );
}
