import { randomUUID } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import { reportTokens } from '../../../issues/index.ts';
import { tokenHash } from '../../../platform/token-hash.ts';
import type { SiteName } from '../../world.ts';
import { type EndpointCase, fresh, type Ground, linkBox } from '../ground.ts';
import { newIssue } from './issues.ts';

/** The token of a report of an issue of a site. */
async function newReport(ground: Ground, site: SiteName): Promise<string> {
  const { db } = ground;
  const token = fresh('token');
  const row = db.insertInto('issue_reports').values({
    ...{ sealed_follow_token: (await linkBox(db)).close(token), follow_token_hash: tokenHash(token) },
    ...{ issue_id: await newIssue(ground, site), request_key: randomUUID(), device_id: null, site_id: null },
    ...{
      site_name: null,
      device_name: null,
      connector: null,
      type: 1,
      description: fresh('Report'),
      sn: '',
      place: '',
    },
    ...{ locale: 'en-US' as const, contact: null, had_contact: false, notify: false, joined: false },
  });
  await row.execute();
  return token;
}

async function linkOf({ db, world }: Ground, site: SiteName): Promise<string> {
  const id = world.sites[site];
  return (await reportTokens(db, await linkBox(db), 'site_id', [id])).get(id)!;
}

const onReport = (inputs: (f: string) => object, anonymous = 0): EndpointCase => ({
  call: async (ground, site) => inputs(await newReport(ground, site)),
  anonymous,
});
const onSite: EndpointCase = { call: ({ world }, site) => ({ params: { id: world.sites[site] } }) };
const onDevice: EndpointCase = { call: ({ world }, site) => ({ params: { id: world.devices[`${site}1`].id } }) };

/** Reports of people without an account, and the links to them. */
export const REPORT_CASES: Record<string, EndpointCase> = {
  'report.open': { call: async (ground, site) => ({ query: { s: await linkOf(ground, site) } }), anonymous: 0 },
  'report.send': {
    call: async (ground, site) => ({
      body: {
        ...{ requestKey: randomUUID(), s: await linkOf(ground, site), type: 1, problem: 'Does not start' },
        ...{ locale: 'en-US', captchaId: 'not.from.here' },
      },
    }),
    anonymous: CODES.captchaWrong.code,
  },
  'report.follow': onReport((f) => ({ query: { f } })),
  'report.reply': onReport((f) => ({ body: { f, requestKey: randomUUID(), message: 'Still broken' } })),
  'report.notify': onReport((f) => ({ body: { f, notify: false } })),
  'report.showUnsubscribe': onReport((f) => ({ query: { f } })),
  'report.unsubscribe': onReport((f) => ({ query: { f } })),
  'report.startUpload': onReport((f) => ({ body: { f, requestKey: randomUUID(), name: 'photo.png', size: 100 } })),
  'report.readUpload': onReport((f) => ({ params: { id: randomUUID() }, query: { f } }), CODES.notFound.code),
  'report.sendPart': onReport((f) => ({ params: { id: randomUUID() }, query: { f, offset: 0 } }), CODES.notFound.code),
  'reportLinks.readOfSite': onSite,
  'reportLinks.renewOfSite': onSite,
  'reportLinks.readOfDevice': onDevice,
  'reportLinks.renewOfDevice': onDevice,
};
