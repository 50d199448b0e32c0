import type { DocumentContent } from '@chargehand/domain';
import type { SiteName } from '../../world.ts';
import { newAlarm } from '../alarms.ts';
import { newExecution } from '../controls.ts';
import {
  CUSTOMER_OF,
  type EndpointCase,
  fresh,
  type Ground,
  newDevice,
  onDevice,
  onSite,
  ownerOf,
  readsDevice,
  readsSite,
} from '../ground.ts';

let number = 1_000;

/** An issue of a site. */
export async function newIssue(ground: Ground, site: SiteName, more: { closed?: boolean; mergedInto?: number } = {}) {
  const { db, world } = ground;
  number += 1;
  const over = more.closed || more.mergedInto !== undefined;
  const row = db.insertInto('issues').values({
    ...{ customer_id: world.customers[CUSTOMER_OF[site]], site_id: world.sites[site], number, title: fresh('Issue') },
    ...{ body: null, type: 1, priority: 1, occurred_at: new Date(), created_by: null, created_by_name: 'case' },
    ...{ customer_name: 'case', site_name: site },
    ...(over ? { status: 'closed' as const, closed_at: new Date() } : {}),
    ...(more.mergedInto === undefined ? {} : { merged_into: more.mergedInto, status_before: 'open' as const }),
  });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

const text: DocumentContent = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'A comment' }] }],
};
const issue = { title: 'Does not start', type: 1 };
const ends = { cause: 'software', remedy: 'updated' };

const onIssue = (body?: object, more: { closed?: boolean } = {}): EndpointCase => ({
  call: async (ground, site) => ({ params: { id: await newIssue(ground, site, more) }, ...(body && { body }) }),
});
const withOther = (more: object = {}): EndpointCase => ({
  call: async (ground, site) => ({
    params: { id: await newIssue(ground, site) },
    body: { issueId: await newIssue(ground, site), ...more },
  }),
});
const onIssues = (body: object): EndpointCase => ({
  call: async (ground, site) => ({ body: { ids: [await newIssue(ground, site)], ...body } }),
});

/** Issues, and their saved views. */
export const ISSUE_CASES: Record<string, EndpointCase> = {
  'issues.list': {},
  'issues.board': {},
  'issues.select': {},
  'issues.export': {},
  'issues.times': {},
  'issues.ends': { call: () => ({ query: { codes: 'GroundFailure' } }) },
  'issues.labels': {},
  'issues.createForCustomer': {
    call: async (ground, site) => ({ ...(await ownerOf(ground, site)), body: issue }),
  },
  'issues.createForSite': { call: (ground, site) => ({ ...onSite(ground, site), body: issue }) },
  'issues.createForDevice': {
    call: (ground, site) => ({ ...onDevice(ground, site), body: issue }),
  },
  'issues.createForAlarm': {
    call: async (ground, site) => ({
      params: { id: await newAlarm(ground, site, await newDevice(ground, site)) },
      body: issue,
    }),
  },
  'issues.createForCommand': {
    call: async (ground, site) => ({ params: { executionId: await newExecution(ground, site) }, body: issue }),
  },
  'issues.read': onIssue(),
  'issues.timeline': onIssue(),
  'issues.evidence': onIssue(),
  'issues.frames': onIssue(),
  'issues.users': onIssue(),
  'issues.usersOfCustomer': { call: ownerOf },
  'issues.usersOfSite': readsSite,
  'issues.usersOfDevice': readsDevice,
  'issues.update': onIssue({ title: 'Changed' }),
  'issues.start': onIssue({}),
  'issues.close': onIssue(ends),
  'issues.reopen': onIssue({}, { closed: true }),
  'issues.comment': onIssue({ body: text }),
  'issues.editComment': {
    call: async (ground, site, who) => {
      const id = await newIssue(ground, site);
      const entry = ground.db.insertInto('issue_entries').values({
        ...{ issue_id: id, event: null, user_id: ground.world.users[who], user_name: 'case', data: null },
        body: JSON.stringify({ type: 'doc', content: [{ type: 'paragraph' }] }),
      });
      const { id: entryId } = await entry.returning('id').executeTakeFirstOrThrow();
      return { params: { id, entryId }, body: { body: text } };
    },
  },
  'issues.commentVersions': {
    call: async (ground, site) => ({ params: { id: await newIssue(ground, site), entryId: 1 } }),
  },
  'issues.watch': onIssue({ watching: true }),
  'issues.link': withOther({ kind: 'cause' }),
  'issues.unlink': {
    call: async (ground, site) => {
      const [id, other] = [await newIssue(ground, site), await newIssue(ground, site)];
      const link = ground.db.insertInto('issue_links').values({ issue_id: id, other_id: other, kind: 'cause' });
      const { id: linkId } = await link.returning('id').executeTakeFirstOrThrow();
      return { params: { id, linkId } };
    },
  },
  'issues.merge': withOther(),
  'issues.unmerge': {
    call: async (ground, site) => ({
      params: { id: await newIssue(ground, site, { mergedInto: await newIssue(ground, site) }) },
      body: {},
    }),
  },
  'issues.updateMany': onIssues({ priority: 2 }),
  'issues.closeMany': onIssues(ends),
  'issueViews.list': {},
  'issueViews.create': { call: () => ({ body: { name: fresh('View'), filters: { mine: true } } }) },
  'issueViews.delete': {
    call: async ({ db, world }, _site, who) => {
      const view = db.insertInto('issue_views').values({
        ...{ user_id: world.users[who], name: fresh('View'), filters: '{}' },
      });
      return { params: { id: (await view.returning('id').executeTakeFirstOrThrow()).id } };
    },
  },
};
