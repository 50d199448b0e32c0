import { ENDPOINTS, type LinkRow, TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import type { LinkKind } from '@chargehand/domain';
import { type Client, client, openSession } from '../apps/server/src/testing/client.ts';
import { openStream } from '../apps/server/src/testing/event-stream.ts';
import { eventually } from '../apps/server/src/testing/eventually.ts';
import { openTerminalSocket, type TerminalSocket } from '../apps/server/src/testing/links/open-terminals.ts';
import { openPageBrowser } from '../apps/server/src/testing/links/page-browser.ts';
import type { DemoWorld } from './demo-world.ts';

/** The invitation of a guest: the token of the address, and the code. */
export interface Invitation {
  token: string;
  code: string;
}

/** The links that the scenes show. Those that are open have a simulated device behind a real `ssh`. */
export interface DemoLinks {
  /** open links of the user of the scenes. Those of web pages have guests */
  open: Record<LinkKind, number>;
  /** open web pages of another user */
  otherPages: number;
  /** more of them for terminals, because a link takes ten, and a page that was left keeps its terminal for a minute */
  terminals: number[];
  /** with terminals of another user, with guests */
  watched: number;
  /** waits for the approval of a second person: requested by another user, and by the user of the scenes */
  approval: { other: number; own: number };
  /** the device has not connected */
  waiting: number;
  /** refused by the device */
  failed: number;
  /** past links for an issue: a terminal with recordings and transfers, and web pages with requests */
  past: { ssh: number; web: number };
  /** one for each browser at a time */
  invitations: Invitation[];
  /** to the web pages of an open link, one for each browser at a time */
  pageInvitations: Invitation[];
  issueId: number;
  /** a device with all kinds, one that is offline, and one whose customer has rules */
  devices: Record<'all' | 'offline' | 'guarded', { id: number; siteId: number; customerId: number }>;
}

const INVITATIONS = 4;
const FOLLOWED = 6;
const SIZE = { cols: 100, rows: 26 };
const SESSION = ['id', 'cat readme.txt', 'status', 'tail /var/log/charger.log', 'cat /etc/charger.conf', 'echo 完成'];

/** Opens links to devices of the running fleet, and uses and ends some of them. */
export async function addLinks(world: DemoWorld, issue: { issueId: number; deviceId: number }): Promise<DemoLinks> {
  const { url, database } = world;
  const one = async (text: string, values: unknown[] = []) =>
    (await database.pool.query<{ id: number; siteId: number; customerId: number }>(text, values)).rows[0]!;
  const deviceOf = (where: string) =>
    one(
      `select d.id::int, d.site_id::int as "siteId", d.customer_id::int as "customerId"
         from devices d join device_states s on s.device_id = d.id where ${where} order by d.sn limit 1`,
    );
  await database.pool.query('update roles set remote_access = 1');
  const all = await deviceOf(`d.sn = 'SIM00001'`);
  const guarded = await deviceOf(`d.sn like 'SIM0%' and s.connected and d.customer_id <> ${all.customerId}`);
  const offline = await deviceOf(`d.sn like 'SIM0%' and not s.connected`);
  const sign = async (where: string) => {
    const { id } = await one(`select id::int from users where ${where} order by id limit 1`);
    const session = await openSession(database.db, id);
    return { ...client(url, session), cookie: `${TOKEN_COOKIE}=${session.token}` };
  };
  await database.pool.query(
    `insert into privacy_acceptances (user_id, version) select u.id, p.version from users u, privacy_policies p
      where u.user_name = 'mandy_ho' on conflict do nothing`,
  );
  const [root, mandy] = [await sign('root'), await sign(`user_name = 'mandy_ho'`)];

  const request = (person: Client, id: number, kind: LinkKind, reason: string, more: { issueId?: number } = {}) =>
    person.data(ENDPOINTS.requestLink, { params: { id }, body: { kind, reason, minutes: 120, ...more } });
  const reaches = (id: number, state: LinkRow['state']) =>
    eventually(
      () => root.data(ENDPOINTS.readLink, { params: { id } }),
      (link) => link.state === state,
      { what: `link ${id} to be ${state}` },
    );
  const open = async (...[person, deviceId, ...more]: Parameters<typeof request>) => {
    const { id } = await request(person, deviceId, ...more);
    await reaches(id, 'open');
    return id;
  };
  const terminal = async (person: typeof root, id: number): Promise<TerminalSocket & { id: number; key: string }> => {
    const opened = await person.data(ENDPOINTS.openTerminal, { params: { id }, body: SIZE });
    return { ...openTerminalSocket({ url }, TERMINAL_PATH, opened.key, { cookie: person.cookie }), ...opened };
  };
  /** Types lines, each after the prompt of the one before. */
  const type = async ({ text, say }: TerminalSocket, lines: string[]) => {
    const prompts = () => text().split('$ ').length - 1;
    for (const [index, line] of lines.entries()) {
      await eventually(prompts, (count) => count > index, { what: 'a prompt' });
      say(`${line}\r`);
    }
    await eventually(prompts, (count) => count > lines.length, { what: 'the last prompt' });
  };
  const end = async (id: number) => {
    await root.data(ENDPOINTS.destroyLink, { params: { id } });
    await reaches(id, 'ended');
  };

  const past = {
    ssh: await open(root, issue.deviceId, 'ssh', 'Read the log after the fault', { issueId: issue.issueId }),
    web: await open(root, issue.deviceId, 'web', 'Compare the settings 核对设置', { issueId: issue.issueId }),
  };
  const used = await terminal(root, past.ssh);
  await type(used, SESSION);
  // A recording of some seconds.
  const lines = () => used.text().split(' info ').length;
  const before = lines();
  used.say('tail -f /var/log/charger.log\r');
  await eventually(lines, (count) => count >= before + FOLLOWED, { what: 'the log' });
  used.say('\u0003');
  await eventually(used.text, (text) => text.includes('^C'), { what: 'the end of the log' });
  const file = { key: used.key, path: '/home/settings.csv' };
  const content = Buffer.from('name,value\ncurrent,32\n');
  const params = { id: past.ssh };
  const upload = await root.data(ENDPOINTS.startUpload, { params, body: { ...file, size: content.length } });
  await root.fetch(`/api/auth/sys/links/${past.ssh}/files/uploads/${upload.id}?key=${used.key}&offset=0`, {
    ...{ method: 'PUT', body: content, headers: { 'content-type': 'application/octet-stream' } },
  });
  const download = await root.data(ENDPOINTS.startDownload, {
    ...{ params, body: { key: used.key, path: '/var/log/charger.log' } },
  });
  await (await root.fetch(`/api/auth/sys/links/${past.ssh}/files/downloads/${download.id}?key=${used.key}`)).text();
  const pages = await openPageBrowser(
    (await root.data(ENDPOINTS.openPages, { params: { id: past.web }, body: {} })).url,
  );
  for (const path of ['/', '/style.css', '/status?code=4711', '/设置/保存']) await pages.get(encodeURI(path));
  await end(past.ssh);
  await end(past.web);

  const { id: failed } = await root.data(ENDPOINTS.requestLink, {
    params: { id: all.id },
    body: { kind: 'ssh', reason: 'No meter values since the firmware update', port: 2022 },
  });
  await reaches(failed, 'ended');
  const kinds = {
    ssh: await open(
      root,
      all.id,
      'ssh',
      'No meter values since this morning: look at the serial port of the meter, and restart its service if it hangs',
    ),
    web: await open(root, all.id, 'web', '检查屏幕亮度设置'),
    vpn: await open(root, all.id, 'vpn', 'Update the certificate of the router'),
  };
  const terminals = [kinds.ssh];
  for (const reason of ['Read the log of the night 查看夜间日志', '更换电表通信模块后检查']) {
    terminals.push(await open(root, all.id, 'ssh', reason));
  }
  const watched = await open(mandy, all.id, 'ssh', 'Replace the expired certificate');
  const shown = await terminal(mandy, watched);
  await type(shown, ['status']);
  const invitations: Invitation[] = [];
  for (let count = 0; count < INVITATIONS; count += 1) {
    const { token, code } = await mandy.data(ENDPOINTS.inviteGuest, {
      params: { id: watched, terminalId: shown.id },
      body: { interactive: count % 2 === 0, minutes: 60, recipient: 'HarbourVolt 港电' },
    });
    invitations.push({ token: token!, code: code! });
  }
  // Guests stay while a console of their host is open.
  for (const person of [root, mandy]) await openStream(person, ENDPOINTS.stream.path);
  const invitePage = async (person: typeof root, id: number, interactive: boolean, hostSession: boolean) => {
    const body = { interactive, hostSession, minutes: 60, recipient: 'HarbourVolt 港电' };
    const { token, code } = await person.data(ENDPOINTS.invitePageGuest, { params: { id }, body });
    return { token: token!, code: code! };
  };
  const visit = async (path: string, cookie: string, body: object) => {
    const headers = { 'content-type': 'application/json', cookie };
    return await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  /** Enters the web pages of a link as a guest. */
  const joinPage = async ({ token: s, code: accessCode }: Invitation, visitorName: string) => {
    const entered = await visit(ENDPOINTS.enterShareCode.path, '', { s, accessCode });
    const cookie = (entered.headers.getSetCookie()[0] ?? '').split(';', 1)[0]!;
    const joined = await visit(ENDPOINTS.joinPage.path, cookie, { s, visitorName, recorded: true });
    return await openPageBrowser(((await joined.json()) as { data: { url: string } }).data.url);
  };
  const reader = await joinPage(await invitePage(root, kinds.web, false, true), '王工');
  await reader.get('/');
  await reader.get('/label', { method: 'POST', body: 'label=A' });
  await (await joinPage(await invitePage(root, kinds.web, true, false), 'Kim Lee (HarbourVolt)')).get('/');
  const otherPages = await open(mandy, all.id, 'web', 'Show the manufacturer the event log');
  const pageInvitations: Invitation[] = [];
  for (let count = 0; count < INVITATIONS; count += 1)
    pageInvitations.push(await invitePage(mandy, otherPages, count % 2 === 0, false));
  await root.data(ENDPOINTS.setLinkPolicy, {
    params: { id: guarded.customerId },
    body: { secondPerson: true, hours: { from: '06:00', until: '22:30' }, web: false },
  });
  /** A link in a state in which it would not stay. */
  const add = async (device: { id: number }, user: string, reason: string, ...more: [state: string, until: string]) => {
    const [state, until] = more;
    const added = await one(
      `insert into links (kind, device_id, device_sn, device_name, customer_id, site_id, port, reason, minutes,
         requested_by, requested_by_name, requested_at, until, state, ${until}, bytes_in, bytes_out)
       select 'ssh', d.id, d.sn, d.name, d.customer_id, d.site_id, 22, $1, 60, u.id, u.user_name,
         now() - interval '1 min', now() + interval '1 day', $2, now() + interval '1 day', 0, 0
       from devices d, users u where d.id = $3 and ${user} returning id::int`,
      [reason, state, device.id],
    );
    return added.id;
  };
  return {
    ...{ open: kinds, terminals, watched, failed, past, invitations, issueId: issue.issueId },
    ...{ otherPages, pageInvitations },
    approval: {
      other: await add(
        guarded,
        `u.user_name = 'mandy_ho'`,
        'Replace the expired certificate',
        'requested',
        'approval_until',
      ),
      own: await add(guarded, 'u.root', 'Read the meter', 'requested', 'approval_until'),
    },
    waiting: await add(all, 'u.root', 'Restart the payment terminal', 'waiting', 'ticket_until'),
    devices: { all, offline, guarded },
  };
}
