import { randomUUID } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import { tokenHash } from '../../platform/token-hash.ts';
import type { Person, SiteName } from '../world.ts';
import { newFile, newFolder } from './attachments.ts';
import { CUSTOMER_OF, type EndpointCase, fresh, type Ground, linkBox } from './ground.ts';
import { newIssue } from './issues/issues.ts';

/** A share of a folder: of users with the lowest level their own, because they do not oversee those of others. */
async function newShare(ground: Ground, site: SiteName, who: Person, more: { locked_at?: Date; kind?: 'upload' } = {}) {
  const token = fresh('token');
  const box = await linkBox(ground.db);
  const row = ground.db.insertInto('shares').values({
    ...{
      kind: 'download',
      sealed_token: box.close(token),
      token_hash: tokenHash(token),
      sealed_code: null,
      attachment_id: null,
      folder_id: await newFolder(ground, site),
    },
    ...{
      customer_id: ground.world.customers[CUSTOMER_OF[site]],
      created_by: ground.world.users[who === 'northReader' ? who : 'root'],
    },
    ...{ expires_at: null, use_limit: null, byte_limit: null, ...more },
  });
  return { ...(await row.returning('id').executeTakeFirstOrThrow()), token };
}

const onShare = (body?: object, more: { locked_at?: Date } = {}): EndpointCase => ({
  call: async (ground, site, who) => ({
    params: { id: (await newShare(ground, site, who, more)).id },
    ...(body && { body }),
  }),
});
const entered = { days: 7, code: true };
const onLink = (inputs: (token: string) => object, anonymous = 0, kind?: 'upload'): EndpointCase => ({
  call: async (ground: Ground, site: SiteName, who: Person) =>
    inputs((await newShare(ground, site, who, kind ? { kind } : {})).token),
  anonymous,
});

/** Shares, and what their visitors call. */
export const SHARE_CASES: Record<string, EndpointCase> = {
  'shares.createForFile': {
    call: async (ground, site) => ({ params: { id: await newFile(ground, site) }, body: entered }),
  },
  'shares.createForFolder': {
    call: async (ground, site) => ({ params: { id: await newFolder(ground, site) }, body: entered }),
  },
  'shares.requestUploads': {
    call: async (ground, site) => ({ params: { id: await newFolder(ground, site) }, body: entered }),
  },
  'shares.createForIssue': {
    call: async (ground, site) => ({
      params: { id: await newIssue(ground, site) },
      body: { ...entered, comments: true },
    }),
  },
  'shares.list': {},
  'shares.read': onShare(),
  'shares.uses': onShare(),
  'shares.update': onShare({ note: 'Changed' }),
  'shares.unlock': onShare(undefined, { locked_at: new Date('2026-01-02T03:04:05Z') }),
  'shares.destroy': onShare(),
  'share.open': onLink((s) => ({ query: { s } })),
  'share.enterCode': onLink((s) => ({ body: { s, accessCode: 'AB23' } })),
  'share.entries': onLink((s) => ({ query: { s } })),
  'share.issue': onLink((s) => ({ query: { s } }), CODES.shareFileGone.code),
  'share.comment': onLink(
    (s) => ({ body: { s, requestKey: randomUUID(), visitorName: 'Guest', comment: 'Hello' } }),
    CODES.shareReadOnly.code,
  ),
  'share.download': onLink((s) => ({ query: { s, fileId: 1 } }), CODES.shareFileGone.code),
  'share.archive': onLink((s) => ({ query: { s } }), CODES.shareArchiveEmpty.code),
  'share.joinTerminal': onLink(
    (s) => ({ body: { s, visitorName: 'Guest', recorded: true } }),
    CODES.shareFileGone.code,
  ),
  'share.joinPage': onLink((s) => ({ body: { s, visitorName: 'Guest', recorded: true } }), CODES.shareFileGone.code),
  'share.startUpload': onLink((s) => ({ body: { s, name: 'photo.png', size: 100 } }), 0, 'upload'),
  'share.readUpload': onLink((s) => ({ params: { id: randomUUID() }, query: { s } }), CODES.notFound.code, 'upload'),
  'share.sendPart': onLink(
    (s) => ({ params: { id: randomUUID() }, query: { s, offset: 0 } }),
    CODES.notFound.code,
    'upload',
  ),
};
