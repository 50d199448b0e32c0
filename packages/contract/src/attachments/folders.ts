import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, SeenRevision } from '../schemas.ts';
import { FileDescription, FileName, FileSite, FolderRow, levelFields, NullableFolderId } from './schemas.ts';

const path = '/api/auth/sys/attachment-folders';
const route = { keys: ['auth_attach_tree'] } as const;
const row = { object: 'folder', from: 'params.id' } as const;
const writes = { route, row, level: { own: 'write' } } as const;

export const folderEndpoints = {
  listFolders: endpoint({
    id: 'attachmentFolders.list',
    method: 'GET',
    path,
    policy: { route: { keys: ['auth_attach', 'auth_attach_tree'] }, row: 'scope' },
    effect: 'list',
    summary: 'List all folders that the caller may see, in natural order',
    nameZh: '查询附件目录',
    query: Exact({
      customerId: Type.Optional(Id),
      /** the folders in the trash instead of the others */
      trash: Type.Optional(Type.Boolean()),
    }),
    answer: Exact({ items: Type.Array(FolderRow) }),
  }),
  createFolder: endpoint({
    id: 'attachmentFolders.create',
    method: 'POST',
    path,
    policy: { route, row: { object: 'folder', from: 'body.folderId', optional: true }, level: { own: 'write' } },
    effect: 'create',
    summary: 'Add a folder. Its levels are not lower than those of the folder that contains it, whose site it has',
    nameZh: '新增附件目录',
    body: Exact({
      name: FileName,
      description: Type.Optional(FileDescription),
      /** the folder that contains it */
      folderId: Type.Optional(NullableFolderId),
      /** outside of folders: its customer, the caller's own by default; null: of the platform */
      customerId: Type.Optional(Type.Union([Id, Type.Null()])),
      /** the site whose users see it, by default that of the folder that contains it; null: all sites */
      siteId: Type.Optional(FileSite),
      ...levelFields,
    }),
    answer: Exact({ id: Id }),
  }),
  updateFolder: endpoint({
    id: 'attachmentFolders.update',
    method: 'PATCH',
    path: `${path}/:id`,
    policy: writes,
    effect: 'update',
    summary:
      'Rename a folder or change its description, site and levels. The site and higher levels are applied to everything in it',
    nameZh: '编辑附件目录',
    params: IdParams,
    body: Exact({
      name: Type.Optional(FileName),
      description: Type.Optional(FileDescription),
      /** the site whose users see it with everything in it; null: all sites of the customer */
      siteId: Type.Optional(FileSite),
      ...levelFields,
      revision: SeenRevision,
    }),
    answer: Type.Null(),
  }),
  moveFolder: endpoint({
    id: 'attachmentFolders.move',
    method: 'POST',
    path: `${path}/:id/move`,
    policy: writes,
    effect: 'update',
    summary: 'Move a folder with everything in it to another folder of its customer',
    nameZh: '移动附件目录',
    params: IdParams,
    body: Exact({ folderId: NullableFolderId }),
    answer: Type.Null(),
  }),
  copyFolder: endpoint({
    id: 'attachmentFolders.copy',
    method: 'POST',
    path: `${path}/:id/copy`,
    policy: { route, row, level: { own: 'download' } },
    effect: 'create',
    summary:
      'Copy a folder with everything in it that the caller may download. The levels of the copies are at least those of the originals and of the folder. A name that exists gets a counter',
    nameZh: '复制附件目录',
    params: IdParams,
    body: Exact({
      /** where the copy goes, also of another customer; null: outside of folders, of the same customer */
      folderId: NullableFolderId,
    }),
    answer: Exact({
      id: Id,
      name: Type.String(),
      /** copied folders, including the folder itself */
      folders: Type.Integer({ minimum: 1 }),
      files: Type.Integer({ minimum: 0 }),
      /** files and folders that the caller sees and that were not copied: not downloadable for them, or infected */
      skipped: Type.Integer({ minimum: 0 }),
    }),
  }),
  deleteFolder: endpoint({
    id: 'attachmentFolders.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: writes,
    effect: 'delete',
    summary: 'Move a folder with everything in it to the trash, where it can be restored for 30 days',
    nameZh: '删除附件目录',
    params: IdParams,
    answer: Type.Null(),
  }),
  restoreFolder: endpoint({
    id: 'attachmentFolders.restore',
    method: 'POST',
    path: `${path}/:id/restore`,
    policy: writes,
    effect: 'update',
    summary: 'Restore a folder from the trash with everything that was deleted with it',
    nameZh: '还原附件目录',
    params: IdParams,
    body: Exact({}),
    answer: Exact({ folderId: NullableFolderId, name: Type.String() }),
  }),
};
