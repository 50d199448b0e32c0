import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CODES, LOCALES } from '@chargehand/contract';
import { afterAll, beforeAll, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const run = promisify(execFile);
/** The example of the documentation: curl and openssl. */
const SIGNED_REQUEST = fileURLToPath(new URL('../../docs/open-api/request.sh', import.meta.url));

const chargehand = product({ webhookPrivate: true });
let piles: Piles;
let receiver: Server;
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'APP', devices: 2, site: 'northQuay' });
  receiver = createServer(async (request, response) => {
    const parts = await request.toArray();
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() });
    response.end('thanks');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

interface Secret {
  appId: string;
  appSecret: string;
}

/** Sends a signed request with curl and openssl. */
async function call({ appId, appSecret }: Secret, path: string) {
  const env = { ...process.env, CHARGEHAND_URL: chargehand.server.url, APP_ID: appId, APP_SECRET: appSecret };
  const { stdout } = await run('sh', [SIGNED_REQUEST, 'GET', path], { env });
  return JSON.parse(stdout) as { data?: { items: { sn: string }[] }; code?: number };
}

/** Copies a text that the open dialog shows, as a user does. */
async function copied({ page, t }: Visitor, beginning: string): Promise<string> {
  const text = await page
    .getByRole('dialog')
    .getByText(new RegExp(`^${beginning}`))
    .innerText();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common:copy', { text }), exact: true })
    .click();
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

/** Copies the secret of the open dialog, which is shown once, and closes it. */
async function storeSecret(visitor: Visitor): Promise<Secret> {
  const shown = visitor.page.getByRole('dialog').filter({ hasText: visitor.t('applications:secret.title') });
  await visitor.sees(shown);
  const secret = { appId: await copied(visitor, 'app_'), appSecret: await copied(visitor, 'chs_') };
  await visitor.button(visitor.t('applications:secret.stored')).click();
  await visitor.misses(shown);
  return secret;
}

journey(
  chargehand,
  'an application is added, calls with its secret, gets a second secret and events, and is disabled',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, t, locale } = visitor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const name = `Billing ${locale}`;
    const dialog = page.getByRole('dialog');
    const ok = (key: string) => dialog.getByRole('button', { name: t(key), exact: true });

    await page.goto('/manage/system/application/list');
    await visitor.follow(visitor.link(t('applications:add')), {
      path: '/manage/system/application/add',
      heading: t('routes:applicationAdd'),
    });
    await visitor.main.getByLabel(t('applications:name'), { exact: true }).fill(name);
    // A click while the list is replaced by what was found selects nothing.
    const found = page.waitForResponse((response) => response.url().includes('search=north_admin'));
    await visitor.main.getByRole('combobox', { name: t('applications:boundUser') }).fill('north_admin');
    await found;
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').nth(1).waitFor({ state: 'detached' });
    await page.locator('.ant-select-dropdown:visible').getByText('north_admin', { exact: true }).click();
    await visitor.main.getByRole('checkbox', { name: t('applications:allOperations') }).check();
    await visitor.button(t('common:save')).click();
    const first = await storeSecret(visitor);
    await visitor.arrivesAt({ path: /^\/manage\/system\/application\/detail\/\d+$/, heading: name });

    const devices = '/api/open/v1/devices?limit=200';
    const sns = (await call(first, devices)).data?.items.map(({ sn }) => sn);
    expect(sns).toEqual(expect.arrayContaining(piles.devices.map(({ sn }) => sn)));

    await visitor.button(t('applications:rotate.ok')).click();
    await ok('applications:rotate.ok').click();
    const second = await storeSecret(visitor);
    expect(second.appSecret).not.toBe(first.appSecret);
    for (const secret of [first, second]) expect(await call(secret, devices)).toHaveProperty('data');
    await visitor.button(t('applications:remove.ok')).click();
    await ok('applications:remove.ok').click();
    await visitor.misses(visitor.button(t('applications:remove.ok')).first());
    expect((await call(first, devices)).code).toBe(CODES.signatureWrong.code);

    const path = `/${locale}`;
    const mine = () => received.filter((one) => one.path === path);
    await visitor.button(t('applications:webhook.add')).click();
    await dialog
      .getByLabel(t('applications:webhook.url'), { exact: true })
      .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`);
    await dialog.getByRole('checkbox', { name: t('applications:event.alarmRaised') }).check();
    await ok('common:save').click();
    await visitor.sees(dialog.getByText(t('applications:webhook.secretOnce')));
    const signing = await copied(visitor, 'whsec_');
    await visitor.button(t('applications:secret.stored')).click();

    const { pile } = piles.devices[LOCALES.indexOf(locale)]!;
    pile.fault(1, 'GroundFailure');
    await expect.poll(() => mine().length, { timeout: 30_000 }).toBeGreaterThan(0);
    const [event] = mine();
    expect(JSON.parse(event!.body)).toMatchObject({ type: 'alarm.raised', data: { data: { code: 'GroundFailure' } } });
    expect(event!.headers['webhook-signature']).toBe(signatureOf(event!, signing));

    await visitor.button(t('applications:webhook.deliveries')).click();
    const delivery = dialog.getByRole('listitem').filter({ hasText: t('applications:event.alarmRaised') });
    await expect
      .poll(async () => {
        await ok('applications:webhook.refresh').click();
        return await delivery.getByText(t('applications:webhook.states.sent'), { exact: true }).count();
      })
      .toBe(1);
    await delivery.getByText(t('applications:event.alarmRaised'), { exact: true }).click();
    await visitor.sees(delivery.getByText('thanks'));
    await delivery.getByRole('button', { name: t('applications:webhook.replay'), exact: true }).click();
    await expect.poll(() => mine().length, { timeout: 30_000 }).toBe(2);
    const again = mine()[1]!;
    expect([again.headers['webhook-id'], again.body]).toEqual([event!.headers['webhook-id'], event!.body]);
    await dialog
      .getByRole('button', { name: t('common:close'), exact: true })
      .last()
      .click();
    await dialog.waitFor({ state: 'hidden' });

    await visitor.button(t('applications:actionsOf', { name })).click();
    await page.getByRole('menuitem', { name: t('applications:change.disable.ok'), exact: true }).click();
    const disabled = page.waitForResponse((response) => response.url().endsWith('/disable'));
    await ok('applications:change.disable.ok').click();
    await disabled;
    // The next request is refused at once, so within a second.
    expect((await call(second, devices)).code).toBe(CODES.applicationDisabled.code);
    await visitor.sees(page.getByRole('main').getByText(t('applications:state.disabled'), { exact: true }).first());
    pile.clearFault(1);
  },
);

/** The signature by Standard Webhooks. */
function signatureOf({ headers, body }: (typeof received)[number], secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
