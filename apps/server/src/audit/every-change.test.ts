import { ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { ENDPOINT_CASES } from '../testing/contract/endpoint-cases.ts';
import { type Inputs, invoke } from '../testing/invoke.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/** Endpoints that change something without a log entry, and why that is right. */
const NOT_LOGGED: Record<string, string> = {
  'storage.write': 'keys to upload something change nothing until it is attached to a row, which is logged there',
  'firmware.credentials': 'keys to upload a firmware file change nothing until it is registered, which is logged',
  'documents.saveDraft': 'a draft belongs to its author until it is published, which is logged',
  'documents.discardDraft': 'a draft belongs to its author',
  'documents.announceEditing': 'only shows other authors who has the text open',
  'documents.vote': 'a vote belongs to its reader',
};

/** Endpoints that need a file in the store. The tests of uploads check their entry. */
const NEEDS_A_FILE: Record<string, string> = {
  'deviceImages.add': 'fleet/device-care.test.ts',
  'firmware.register': 'transfers/firmware.test.ts',
  'attachments.create': 'attachments/attachments.test.ts',
  'attachments.createMany': 'attachments/attachments.test.ts',
  'attachments.copy': 'attachments/attachments.test.ts',
};

/**
 * Endpoints that need an open link, so a device with an SSH client. Terminals and what is typed are recorded, and requests,
 * connections and file transfers are in the activity of the link; these tests check the records, and the entries of guests,
 * watchers and keys.
 */
const NEEDS_A_LINK: Record<string, string> = {
  'links.openTerminal': 'links/terminal/terminal.test.ts',
  'links.openPages': 'links/web/web.test.ts',
  'links.openAccess': 'links/vpn/vpn.test.ts',
  ...Object.fromEntries(
    ['createFolder', 'renameFile', 'removeFile', 'startDownload', 'startUpload', 'sendUpload', 'cancelTransfer'].map(
      (name) => [`links.${name}`, 'links/files/files.test.ts'],
    ),
  ),
  'links.invitePageGuest': 'links/guests/page-guests.test.ts',
  ...Object.fromEntries(
    ['watchTerminal', 'endTerminal', 'inviteGuest', 'changeGuest', 'removeGuest'].map((name) => [
      `links.${name}`,
      'links/guests/guests.test.ts',
    ]),
  ),
};

/** Preparations for a real change: enabling an enabled object changes nothing and is not logged. */
const BEFORE: Record<string, (inputs: Inputs) => Promise<unknown>> = {
  'devices.enable': (inputs) => disable('devices', idOf(inputs)),
  'sites.enable': (inputs) => disable('sites', idOf(inputs)),
  'customers.enable': (inputs) => disable('customers', idOf(inputs)),
  'users.enable': (inputs) => disable('users', idOf(inputs)),
  'documents.enable': (inputs) => disable('documents', idOf(inputs)),
  'devices.enableMany': (inputs) => disable('devices', idsOf(inputs)),
  'sites.enableMany': (inputs) => disable('sites', idsOf(inputs)),
  'documents.enableMany': (inputs) => disable('documents', idsOf(inputs)),
  'users.enableMany': (inputs) => disable('users', idsOf(inputs)),
  'users.setOwnAvatar': () =>
    server.database.pool.query(`update users set avatar = 'images/customers/1/picture.png' where id = $1`, [
      server.world.users.root,
    ]),
  // The user of the case is already assigned to the site.
  'users.setAssignments': (inputs) =>
    server.database.pool.query('delete from user_sites where user_id = $1', [idOf(inputs)]),
};

const CHANGING = new Set(['create', 'update', 'delete', 'control']);
const changes = (Object.values(ENDPOINTS) as Endpoint[]).filter(
  ({ id, effect }) => CHANGING.has(effect) && !(id in NEEDS_A_FILE) && !(id in NEEDS_A_LINK),
);

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

interface Entry {
  user_id: number;
  user_name: string;
  operation: string;
  object_type: string;
  object_id: string;
  object_name: string;
  before: unknown;
  after: unknown;
  address: string;
}

test.each(changes.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s records who, what, before, after and from where',
  async (id, endpoint) => {
    const ground = { world: server.world, db: server.database.db };
    const inputs = (await ENDPOINT_CASES[id]?.call?.(ground, 'southPark', 'root')) ?? {};
    await BEFORE[id]?.(inputs);
    const { rows: last } = await server.database.pool.query<{ id: number }>(
      'select coalesce(max(id), 0)::int as id from action_logs',
    );
    expect(await invoke(root, endpoint, inputs)).toMatchObject({ code: 0 });
    await ENDPOINT_CASES[id]?.undo?.(ground);
    const { rows } = await server.database.pool.query<Entry>('select * from action_logs where id > $1 order by id', [
      last[0]?.id,
    ]);
    if (id in NOT_LOGGED) {
      expect(rows).toEqual([]);
      return;
    }
    expect(rows).not.toEqual([]);
    for (const row of rows) {
      expect(row).toMatchObject({ user_id: server.world.users.root, user_name: 'root_user', address: '127.0.0.1' });
      expect([row.object_type, row.object_id, row.object_name]).toEqual(Array(3).fill(expect.stringMatching(/\S/)));
      if (row.operation === 'new' || row.operation === 'control') expect(row.after).not.toBeNull();
      else if (row.operation === 'delete') expect(row.before).not.toBeNull();
      else expect(row.before ?? row.after).not.toBeNull();
      expect(secretsIn({ before: row.before, after: row.after })).toEqual([]);
    }
  },
);

/** Facts about charging tokens, which are no secrets. */
const ABOUT_TOKENS: ReadonlySet<string> = new Set(['tokenType', 'tokenPolicy']);

/** Fields with a name like a secret that contain more than whether there is one. */
function secretsIn(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') {
    const name = path.split('.').at(-1) ?? '';
    const named = /password|secret|token|hash|private|credential/i.test(name) && !ABOUT_TOKENS.has(name);
    // The value of a charging token keeps a few characters, by which its holder is found.
    const shown = name === 'tokenValue' ? /•/ : /^•+$/;
    const masked = value === null || typeof value === 'boolean' || shown.test(String(value));
    return named && !masked ? [path] : [];
  }
  return Object.entries(value).flatMap(([name, part]) => secretsIn(part, `${path}.${name}`));
}

async function disable(table: string, ids: number | number[]): Promise<void> {
  await server.database.pool.query(`update ${table} set enabled = false where id = any($1::int[])`, [[ids].flat()]);
}

function idOf({ params }: Inputs): number {
  return params?.id as number;
}

function idsOf({ body }: Inputs): number[] {
  return (body as { ids: number[] }).ids;
}
