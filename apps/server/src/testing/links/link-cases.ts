import { CODES } from '@chargehand/contract';
import { sql } from 'kysely';
import { CUSTOMER_OF, type EndpointCase, type Ground, newDevice, ownerOf, readsDevice } from '../cases/ground.ts';
import type { Person, SiteName } from '../world.ts';
import { fileCases } from './file-cases.ts';

/** A connected device with SSH, and no other links. The roles of all users include terminals. */
async function newLinkDevice(ground: Ground, site: SiteName): Promise<number> {
  // A link of an earlier call would end while another call runs, which would count as its write.
  await sql`
    update links set state = 'ended', end_reason = 'destroyed', ended_at = now() where state <> 'ended'`.execute(
    ground.db,
  );
  const id = await newDevice(ground, site);
  await sql`update roles set remote_access = 1`.execute(ground.db);
  await sql`update device_models set ssh_support = true where id = ${ground.world.model}`.execute(ground.db);
  await sql`
    insert into device_states (device_id, connected) values (${id}, true)
    on conflict (device_id) do update set connected = true`.execute(ground.db);
  return id;
}

/** A link of another user, who may use it, that waits for a second person. */
export async function newLink(ground: Ground, site: SiteName, by = requesterOf(site)): Promise<number> {
  const deviceId = await newLinkDevice(ground, site);
  const link = ground.db.insertInto('links').values({
    ...{ kind: 'ssh', device_id: deviceId, device_sn: `LINK-${deviceId}`, device_name: `Device ${deviceId}` },
    ...{ customer_id: ground.world.customers[CUSTOMER_OF[site]], site_id: ground.world.sites[site], issue_id: null },
    ...{ port: 22, reason: 'Case', minutes: 15, requested_by_name: 'somebody', control_level: 4 },
    requested_by: ground.world.users[by],
    ...{ until: sql<Date>`now() + interval '30 min'`, approval_until: sql<Date>`now() + interval '15 min'` },
  });
  return (await link.returning('id').executeTakeFirstOrThrow()).id;
}

function requesterOf(site: SiteName): Person {
  return site === 'southPark' ? 'southAdmin' : 'root';
}

const onRecording: EndpointCase = {
  call: async (ground, site) => {
    const id = await newLink(ground, site);
    const values = { link_id: id, user_name: 'root', cols: 80, rows: 24, started_at: new Date() };
    const recording = ground.db.insertInto('link_recordings').values(values).returning('id');
    return { params: { id, recordingId: (await recording.executeTakeFirstOrThrow()).id } };
  },
};

const onLink: EndpointCase = { call: async (ground, site) => ({ params: { id: await newLink(ground, site) } }) };

const onTerminal = (body?: object): EndpointCase => ({
  call: async (ground, site) => ({ params: { id: await newLink(ground, site), terminalId: 1 }, ...(body && { body }) }),
  everybody: CODES.terminalOver.code,
});
const onGuest = (body?: object): EndpointCase => ({
  call: async (ground, site) => ({ params: { id: await newLink(ground, site), guestId: 1 }, ...(body && { body }) }),
  everybody: CODES.terminalOver.code,
});

/** Links to devices, and the rules of customers for them. */
export const LINK_CASES: Record<string, EndpointCase> = {
  'links.request': {
    call: async (ground, site) => ({
      params: { id: await newLinkDevice(ground, site) },
      body: { kind: 'ssh', reason: 'Check the log' },
    }),
  },
  'links.options': readsDevice,
  'links.list': {},
  'links.read': onLink,
  // Users cannot approve their own links.
  'links.approve': {
    call: async (ground, site, person) => {
      const by = person === requesterOf(site) ? 'vendorStaff' : requesterOf(site);
      return { params: { id: await newLink(ground, site, by) }, body: {} };
    },
  },
  'links.restart': { call: async (ground, site) => ({ body: { id: await newLink(ground, site) } }) },
  'links.destroy': onLink,
  // The link is not open, so only the policy is checked.
  'links.openTerminal': {
    call: async (ground, site) => ({
      params: { id: await newLink(ground, site) },
      body: { userName: 'root', password: 'x', cols: 80, rows: 24 },
    }),
    everybody: CODES.linkNotOpen.code,
  },
  'links.openPages': {
    call: async (ground, site) => ({ params: { id: await newLink(ground, site) }, body: {} }),
    everybody: CODES.linkNotOpen.code,
  },
  // The link is not open, so only the policy is checked.
  'links.openAccess': {
    call: async (ground, site) => ({ params: { id: await newLink(ground, site) }, body: {} }),
    everybody: CODES.linkNotOpen.code,
  },
  ...fileCases(newLink),
  'links.activity': onLink,
  'links.exportActivity': {
    call: async (ground, site) => ({ params: { id: await newLink(ground, site) }, query: { format: 'csv' } }),
  },
  'links.recordings': onLink,
  'links.checkRecording': onRecording,
  'links.recording': onRecording,
  'links.recordedInput': onRecording,
  'links.terminals': onLink,
  // The link has no terminals, so only the policy is checked.
  'links.watchTerminal': onTerminal({}),
  'links.endTerminal': onTerminal(),
  'links.inviteGuest': onTerminal({ interactive: false, minutes: 5 }),
  'links.pageGuests': onLink,
  // The link is not open, so only the policy is checked.
  'links.invitePageGuest': {
    call: async (ground, site) => ({
      params: { id: await newLink(ground, site) },
      body: { interactive: false, hostSession: false, minutes: 5 },
    }),
    everybody: CODES.linkNotOpen.code,
  },
  'links.changeGuest': onGuest({ interactive: true }),
  'links.removeGuest': onGuest(),
  'linkPolicies.read': { call: ownerOf },
  'linkPolicies.set': {
    call: async (ground, site) => ({
      ...(await ownerOf(ground, site)),
      body: { secondPerson: false, hours: null, web: true },
    }),
  },
};
