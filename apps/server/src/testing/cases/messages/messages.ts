import { sql } from 'kysely';
import { type Person, type SiteName, userNameOf } from '../../world.ts';
import { type EndpointCase, type Ground, onDevice, onSite } from '../ground.ts';
import { newIssue } from '../issues/issues.ts';

const until = () => new Date(Date.now() + 3_600_000).toISOString();

/** A message of the calling user. */
const onMessage = async ({ world, db }: Ground, site: SiteName, who: Person) => {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into incidents (type, cause, customer_id, site_id, subject_kind, subject_id, data, devices, members, open,
                             opened_at, last_at, alerted_at, waiting_since)
      select 'fault', 'Fan', customer_id, id, 'site', id::text, '{}', '{}', 1, 1, now(), now(), now(), now()
        from sites where id = ${world.sites[site]}
      returning id
    )
    insert into messages (user_id, incident_id)
    select u.id, made.id from made, users u where u.user_name = ${userNameOf(who)} returning id`.execute(db);
  return { params: { id: rows[0]?.id ?? 1 } };
};

export const MESSAGE_CASES: Record<string, EndpointCase> = {
  'inbox.list': {},
  'inbox.select': {},
  'inbox.count': {},
  'inbox.mark': { call: () => ({ body: { read: true } }) },
  'inbox.explain': {
    call: ({ world }, site) => ({ query: { deviceId: world.devices[`${site}1`].id, type: 'fault' } }),
  },
  'inbox.explainSite': { call: (ground, site) => ({ ...onSite(ground, site), query: { type: 'recovery' } }) },
  'inbox.explainIssue': {
    call: async (ground, site) => ({ params: { id: await newIssue(ground, site) }, query: { type: 'issueAnswered' } }),
  },
  'inbox.reason': { call: onMessage },
  'messageSettings.read': {},
  'messageSettings.save': {
    call: () => ({
      body: {
        types: [{ type: 'fault', inApp: true, email: true, push: false, delayed: false }],
        quiet: { from: 1_320, to: 360 },
        digestAt: 480,
      },
    }),
  },
  'messageMutes.list': {},
  'messageMutes.device': { call: (ground, site) => ({ ...onDevice(ground, site), body: { until: until() } }) },
  'messageMutes.site': { call: (ground, site) => ({ ...onSite(ground, site), body: { until: until() } }) },
};
