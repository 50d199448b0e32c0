import type { Page } from 'playwright-core';
import type { DemoWorld } from './demo-world.ts';
import type { Words } from './harness/words.ts';
import type { Scene } from './scene.ts';

const opened = (page: Page) => page.getByRole('dialog').last().waitFor();

/** What the shell of the device shows. */
const SHELL = [
  'Linux pile 6.1.0-27-arm64',
  '\u001b[1;32mroot@pile\u001b[0m:~# tail -n 4 /var/log/meter.log',
  '13:02:11 meter 1: \u001b[32m7.36 kW\u001b[0m, 12.480 kWh',
  '13:02:21 meter 1: \u001b[33mno response\u001b[0m (retry 1 of 3)',
  '13:02:31 meter 1: \u001b[31mtimeout on /dev/ttyS2\u001b[0m',
  '13:02:31 电表 1：通信中断',
  '\u001b[1;32mroot@pile\u001b[0m:~# ',
].join('\r\n');

/** The links of the demo: their lists, their dialogs, the rules of a customer, and a terminal. */
export async function linkScenes({ database: { pool } }: DemoWorld): Promise<Scene[]> {
  await pool.query('update roles set remote_access = 1; update device_models set ssh_support = true');
  const { rows: devices } = await pool.query<{ id: number; site_id: number; customer_id: number }>(
    `select id::int, site_id::int, customer_id::int from devices where sn in ('SIM00001', 'SIM00024') order by sn`,
  );
  const [device, silent] = devices;
  const add = async (user: string, values: string) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into links (kind, device_id, device_sn, device_name, customer_id, site_id, port, reason, minutes,
         requested_by, requested_by_name, requested_at, until, state, approval_until, opened_at, ended_at, end_reason,
         end_detail, ended_by_name, address, bytes_in, bytes_out)
       select v.kind, d.id, d.sn, d.name, d.customer_id, d.site_id, 22, v.reason, 60, u.id, u.user_name,
         now() - v.age, now() - v.age + interval '1 hour', v.state, v.approval_until, v.opened_at, v.ended_at,
         v.end_reason, v.detail, v.ended_by, '10.64.3.17', v.bytes_in, v.bytes_out
       from devices d, users u, (select ${values}) v
       where d.sn = 'SIM00001' and u.id = (select id from users where ${user} order by id limit 1)
       returning id::int`,
    );
    return rows[0]!.id;
  };
  const row = (values: Record<string, string>) =>
    Object.entries({
      ...{ kind: `'ssh'`, reason: `''`, age: `interval '20 min'`, state: `'ended'`, ended_by: 'null::text' },
      ...{ approval_until: 'null::timestamptz', opened_at: 'null::timestamptz', ended_at: 'null::timestamptz' },
      ...{ end_reason: 'null::text', detail: 'null::text', bytes_in: '0', bytes_out: '0' },
      ...values,
    })
      .map(([name, value]) => `${value} as ${name}`)
      .join(', ');
  const past = { ended_at: `now() - interval '1 day'`, opened_at: `now() - interval '25 hours'` };
  await add(
    'root',
    row({
      ...past,
      age: `interval '25 hours'`,
      reason: `'Read the charging log after a complaint'`,
      end_reason: `'expired'`,
      bytes_in: '184320',
      bytes_out: '9216',
    }),
  );
  await add(
    'not root',
    row({
      ...past,
      age: `interval '2 days'`,
      reason: `'Check the network settings of the router'`,
      kind: `'vpn'`,
      end_reason: `'destroyed'`,
      ended_by: `'root'`,
      bytes_in: '5242880',
      bytes_out: '262144',
    }),
  );
  const failed = await add(
    'root',
    row({
      age: `interval '3 hours'`,
      reason: `'No meter values since the firmware update'`,
      end_reason: `'vpnError'`,
      detail: `'E-42 tunnel interface busy'`,
      ended_at: `now() - interval '3 hours'`,
    }),
  );
  const waiting = await add(
    `user_name = 'mandy_ho'`,
    row({
      age: `interval '1 min'`,
      reason: `'Replace the expired certificate'`,
      state: `'requested'`,
      approval_until: `now() + interval '14 min'`,
    }),
  );
  const open = await add(
    'root',
    row({
      age: `interval '6 min'`,
      reason: `'No meter values since this morning: look at the serial port of the meter, and restart its service if it hangs'`,
      state: `'open'`,
      opened_at: `now() - interval '5 min'`,
      bytes_in: '48230',
      bytes_out: '3150',
    }),
  );
  const web = await add(
    'root',
    row({
      kind: `'web'`,
      age: `interval '6 min'`,
      reason: `'Show the manufacturer the event log'`,
      state: `'open'`,
      opened_at: `now() - interval '5 min'`,
      bytes_in: '48230',
      bytes_out: '3150',
    }),
  );
  await pool.query(
    `insert into link_activity
       (link_id, number, kind, started_at, ended_at, text, guest, result, status, bytes_in, bytes_out)
     values ($1, 1, 'request', now() - interval '4 min', now(), 'GET /', null, 'done', 200, 18230, 0),
       ($1, 2, 'request', now() - interval '3 min', now(), 'GET /events?from=…', '王工', 'done', 200, 9120, 0),
       ($1, 3, 'request', now() - interval '2 min', now(), 'POST /settings', '王工', 'refused', 403, 0, 0),
       ($1, 4, 'request', now() - interval '1 min', null, 'GET /live', 'Kim Lee (Acme Charging)', null, null, 0, 0)`,
    [web],
  );
  const guests = [
    { id: 1, name: '王工', interactive: false, hostSession: true },
    { id: 2, name: 'Kim Lee (Acme Charging)', interactive: true, hostSession: false },
  ];
  const withGuests = async (shown: Page, t: Words) => {
    await shown.route('**/links/*/guests', (route) =>
      route.fulfill({ json: { code: 0, message: '', data: { items: guests } } }),
    );
    await shown.reload();
    await opened(shown);
    await shown.getByText(t('links:guests.sharesSession')).waitFor();
  };
  const content = {
    ...{ kind: 'page', isFolder: false, name: 'Pile 01 (SIM00001)', size: null, preview: null, unavailable: null },
    ...{ interactive: false, owner: 'Mandy Ho', note: '', expiresAt: '2030-01-02T03:04:05Z', usesLeft: null },
    bytesLeft: null,
  };
  const asGuest = async (shown: Page, t: Words) => {
    const json = (data: object) => ({ json: { code: 0, message: '', data } });
    await shown.route('**/api/unauth/share?*', (route) => route.fulfill(json({ codeNeeded: false, content })));
    await shown.route('**/api/unauth/share/page', (route) => route.fulfill(json({ url: 'about:blank' })));
    await shown.reload();
    await shown.getByLabel(t('share:terminal.name')).waitFor();
  };
  const scene = (name: string, path: string, act?: Scene['act']): Scene => ({
    ...{ name, path, signedIn: true },
    ...(act && { act }),
  });
  const page = (id: number) => `/manage/device/detail/${id}`;
  const request = async (shown: Page, t: Words) => {
    await shown.getByRole('button', { name: t('fleet:remoteLink'), exact: true }).click();
    await opened(shown);
    await shown.getByText(t('links:request.kind'), { exact: true }).waitFor();
  };
  const dialog = async (shown: Page, t: Words) => {
    await opened(shown);
    await shown.getByRole('dialog').getByText(t('links:reason'), { exact: true }).waitFor();
  };
  const list = (id: number) => `/manage/device/links?link=${id}`;
  const terminal = `/manage/device/terminal?link=${open}`;
  const signIn = async (shown: Page, t: Words) => {
    await shown.route('**/links/*/terminals', (route) =>
      route.fulfill({ json: { code: 0, message: '', data: { key: 'k' } } }),
    );
    await shown.routeWebSocket(/\/api\/terminals\//, (socket) => socket.send(Buffer.from(SHELL)));
    await opened(shown);
    await shown.getByLabel(t('links:terminal.userName'), { exact: true }).fill('root');
    await shown.getByLabel(t('links:terminal.password'), { exact: true }).fill('secret');
    await shown.keyboard.press('Enter');
    await shown.locator('.xterm-rows').getByText('ttyS2').first().waitFor();
  };
  return [
    scene('link-request', page(device!.id), request),
    scene('link-request-none', page(silent!.id), request),
    scene('link-open', list(open), dialog),
    scene('link-approval', list(waiting), dialog),
    scene('link-failed', list(failed), dialog),
    scene('link-end', list(open), async (shown, t) => {
      await dialog(shown, t);
      await shown.getByRole('button', { name: t('links:end'), exact: true }).click();
      await shown.getByRole('dialog', { name: t('links:endTitle') }).waitFor();
    }),
    scene('link-web-watched', list(web), withGuests),
    scene('link-web-invite', list(web), async (shown, t) => {
      await opened(shown);
      await shown.getByRole('button', { name: t('links:guests.invite'), exact: true }).click();
      await shown.getByText(t('links:guests.hostSession')).waitFor();
    }),
    { name: 'link-web-guest', path: '/share/file?s=guest', signedIn: false, act: asGuest },
    {
      ...{ name: 'link-web-guest-open', path: '/share/file?s=guest', signedIn: false },
      async act(shown, t) {
        await asGuest(shown, t);
        await shown.getByLabel(t('share:terminal.name')).fill('王工');
        await shown.getByRole('checkbox').check();
        await shown.getByRole('button', { name: t('share:page.join') }).click();
        await shown.getByText(t('share:page.recorded')).waitFor();
      },
    },
    scene('links-of-device', `${page(device!.id)}?tab=links`),
    scene('links-of-site', `/manage/site/detail/${device!.site_id}?tab=links`),
    scene('links-policy', `/manage/customer/detail/${device!.customer_id}?tab=links`),
    scene('link-terminal-sign-in', terminal, opened),
    scene('link-terminal', terminal, signIn),
    scene('link-terminal-paste', terminal, async (shown, t) => {
      await signIn(shown, t);
      await shown.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'cd /var/log\\nsystemctl restart meter\\ntail -f meter.log');
        document.querySelector('.xterm-helper-textarea').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }`);
      await shown.getByRole('dialog', { name: t('links:terminal.pasteTitle') }).waitFor();
    }),
  ];
}
