import { randomUUID } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import { type Level, nameKey } from '@chargehand/domain';
import { linkTokens } from '../../attachments/links/link-tokens.ts';
import type { SiteName } from '../world.ts';
import { CUSTOMER_OF, type EndpointCase, fresh, type Ground } from './ground.ts';

/** The levels of new rows; `expected.ts` has them. */
const levels = { read_level: 5, write_level: 3, download_level: 5 } as const;
const ownerOf = ({ world }: Ground, site: SiteName) => world.customers[CUSTOMER_OF[site]];
const placeOf = (ground: Ground, site: SiteName) => ({
  customer_id: ownerOf(ground, site),
  site_id: ground.world.sites[site],
});

export async function newFolder(
  ground: Ground,
  site: SiteName,
  more: { deleted_at?: Date; write_level?: Level } = {},
): Promise<number> {
  const name = fresh('Folder');
  const row = ground.db.insertInto('folders').values({
    ...{ name, name_key: nameKey(name), ...placeOf(ground, site), parent_id: null, ...levels },
    ...{ created_by: null, created_by_name: 'case', deleted_at: null, deleted_by_name: null, ...more },
  });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

/** A file without its object, which is not needed for checking access. */
export async function newFile(ground: Ground, site: SiteName, more: { deleted_at?: Date } = {}): Promise<number> {
  const name = `${fresh('file')}.txt`;
  const row = ground.db.insertInto('attachments').values({
    ...{ name, name_key: nameKey(name), ...placeOf(ground, site), folder_id: null, ...levels },
    ...{
      size: 4,
      media_type: 'text/plain',
      type: 'normal',
      bucket: 'main',
      object_key: `attachments/${randomUUID()}.txt`,
    },
    ...{ etag: '0'.repeat(32), virus: null, firmware_id: null, device_log_id: null },
    ...{ uploaded_by: null, uploaded_by_name: 'case', deleted_at: null, deleted_by_name: null, ...more },
  });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

const TRASHED = { deleted_at: new Date('2026-01-02T03:04:05Z') };
const onFile = (body?: object): EndpointCase => ({
  call: async (ground, site) => ({ params: { id: await newFile(ground, site) }, ...(body && { body }) }),
});
const onFolder = (body?: object): EndpointCase => ({
  call: async (ground, site) => ({ params: { id: await newFolder(ground, site) }, ...(body && { body }) }),
});

/** Files and folders. */
export const ATTACHMENT_CASES: Record<string, EndpointCase> = {
  'attachments.list': {},
  'attachments.select': {},
  'attachments.read': onFile(),
  'attachments.create': {
    call: async (ground, site) => ({
      body: { key: `document/incoming/u1/${randomUUID()}.txt`, name: 'a.txt', folderId: await newFolder(ground, site) },
    }),
    // Every allowed caller gets the problem that there is no such upload.
    everybody: CODES.fileUnknown.code,
  },
  // Each file has its own result.
  'attachments.createMany': {
    call: async (ground, site) => ({
      body: {
        files: [{ key: `document/incoming/u1/${randomUUID()}.txt`, name: 'a.txt' }],
        folderId: await newFolder(ground, site),
      },
    }),
  },
  'attachments.update': onFile({ description: 'Changed' }),
  'attachments.move': {
    call: async (ground, site) => ({
      params: { id: await newFile(ground, site) },
      body: { folderId: await newFolder(ground, site) },
    }),
  },
  'attachments.copy': {
    call: async (ground, site) => ({
      params: { id: await newFile(ground, site) },
      body: { folderId: await newFolder(ground, site, { write_level: 5 }) },
    }),
  },
  'attachments.delete': onFile(),
  'attachments.restore': {
    call: async (ground, site) => ({ params: { id: await newFile(ground, site, TRASHED) }, body: {} }),
  },
  'attachments.emptyTrash': {
    call: async (ground, site) => {
      await newFile(ground, site, TRASHED);
      await newFolder(ground, site, TRASHED);
      return { body: { customerId: ownerOf(ground, site) } };
    },
  },
  'attachments.deleteMany': {
    call: async (ground, site) => ({ body: { ids: [await newFile(ground, site)] } }),
  },
  'attachments.restoreMany': {
    call: async (ground, site) => ({ body: { ids: [await newFile(ground, site, TRASHED)] } }),
  },
  'attachments.moveMany': {
    call: async (ground, site) => ({
      body: { ids: [await newFile(ground, site)], folderId: await newFolder(ground, site) },
    }),
  },
  'attachments.quota': { call: (ground, site) => ({ query: { customerId: ownerOf(ground, site) } }) },
  'attachments.setQuota': {
    call: (ground, site) => ({
      body: { customerId: ownerOf(ground, site), bytes: 1024 ** 3 + Math.floor(Math.random() * 1024 ** 2) },
    }),
  },
  'attachments.content': { ...onFile(), everybody: CODES.attachmentGone.code },
  'attachments.link': onFile(),
  'attachments.linkedContent': {
    call: async (ground, site) => {
      const secrets = ground.db.selectFrom('server_secrets').select('value').where('name', '=', 'download-link-key');
      const { value: key } = await secrets.executeTakeFirstOrThrow();
      const [fileId, userId] = [await newFile(ground, site), ground.world.users.northAdmin];
      const until = new Date(Date.now() + 600_000);
      return { query: { token: linkTokens(key).make({ fileId, userId, until }) } };
    },
    anonymous: CODES.attachmentGone.code,
  },
  'attachmentFolders.list': {},
  'attachmentFolders.create': {
    call: async (ground, site) => ({ body: { name: fresh('Folder'), folderId: await newFolder(ground, site) } }),
  },
  'attachmentFolders.update': onFolder({ description: 'Changed' }),
  'attachmentFolders.move': {
    call: async (ground, site) => ({
      params: { id: await newFolder(ground, site) },
      body: { folderId: await newFolder(ground, site) },
    }),
  },
  'attachmentFolders.copy': {
    call: async (ground, site) => {
      const id = await newFolder(ground, site);
      return { params: { id }, body: { folderId: await newFolder(ground, site, { write_level: 5 }) } };
    },
  },
  'attachmentFolders.delete': onFolder(),
  'attachmentFolders.restore': {
    call: async (ground, site) => ({ params: { id: await newFolder(ground, site, TRASHED) }, body: {} }),
  },
};
