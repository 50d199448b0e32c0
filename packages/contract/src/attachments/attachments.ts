import { ATTACHMENT_TYPES } from '@chargehand/domain';
import { Type } from 'typebox';
import { BULK_LIMIT, BULK_SLICE, SIGNED_URL_SECONDS } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { BulkAnswer, MatchingRows } from '../lists.ts';
import { forEachRow } from '../policy/policy.ts';
import { Exact, FileId, FileParams, Id, Paging, SeenRevision, Time, Words } from '../schemas.ts';
import {
  AttachmentDetail,
  AttachmentPage,
  AttachmentQuota,
  FileDescription,
  FileName,
  FileSite,
  levelFields,
  NullableFolderId,
} from './schemas.ts';

export * from './schemas.ts';

const path = '/api/auth/sys/attachments';
const route = { keys: ['auth_attach'] } as const;
/** The menus of files, and of what has files: documents, devices and issues. */
const OPENS = [
  'auth_attach',
  'auth_docs_detail',
  'auth_docs_content_edit',
  'auth_issue_detail',
  'auth_issue_add',
  'auth_device_detail',
  'auth_device_info',
  'auth_device_edit',
] as const;
const row = { object: 'attachment', from: 'params.id' } as const;
const reads = { route, row, level: { own: 'read' } } as const;
const writes = { route, row, level: { own: 'write' } } as const;
const Ids = Type.Array(FileId, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true });
const attachmentFilters = {
  search: Type.Optional(Type.String({ maxLength: 100 })),
  type: Type.Optional(Words(ATTACHMENT_TYPES)),
  /** only files in this folder */
  folderId: Type.Optional(Id),
  /** with a folder: also in the folders below it; without one: in all folders. Otherwise only outside of folders */
  below: Type.Optional(Type.Boolean()),
  customerId: Type.Optional(Id),
  /** a part of the name of the user who uploaded it */
  uploadedBy: Type.Optional(Type.String({ maxLength: 64 })),
  deviceId: Type.Optional(Id),
  documentId: Type.Optional(Id),
  issueId: Type.Optional(Id),
  /** the files in the trash instead of the others */
  trash: Type.Optional(Type.Boolean()),
};

export const attachmentEndpoints = {
  listAttachments: endpoint({
    id: 'attachments.list',
    method: 'GET',
    path,
    policy: { route, row: 'scope' },
    effect: 'list',
    summary: 'List the files that the caller may see, including device logs and firmware',
    nameZh: '查询附件列表',
    query: Exact({
      ...Paging(['name', 'size', 'type', 'uploadedBy', 'createdAt', 'deletedAt']),
      ...attachmentFilters,
    }),
    answer: AttachmentPage,
  }),
  selectAttachments: endpoint({
    id: 'attachments.select',
    method: 'GET',
    path: `${path}/selection`,
    policy: { route, row: 'scope' },
    effect: 'list',
    summary:
      'List the IDs and names of all files that match the filters and that the caller may change, at most 10,000',
    nameZh: '按筛选条件选择附件',
    query: Exact(attachmentFilters),
    answer: MatchingRows,
  }),
  readAttachment: endpoint({
    id: 'attachments.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: reads,
    effect: 'read',
    summary: 'Get a file with its folders and the objects that use it',
    nameZh: '查看附件',
    params: FileParams,
    answer: AttachmentDetail,
  }),
  registerAttachment: endpoint({
    id: 'attachments.create',
    method: 'POST',
    path,
    policy: {
      // Authors of documents and of new issues, and readers of issues, add files without the list of attachments.
      route: { keys: ['auth_attach', 'auth_docs_content_edit', 'auth_issue_add', 'auth_issue_detail'] },
      row: { object: 'folder', from: 'body.folderId', optional: true },
      level: { own: 'write' },
    },
    effect: 'create',
    summary:
      'Add an upload of the caller to the files. A name that exists gets a counter. With a document or an issue, its readers may read the file',
    nameZh: '新增附件',
    body: Exact({
      /** of the upload in the incoming area (`storage.write`) */
      key: Type.String({ minLength: 1, maxLength: 512 }),
      name: FileName,
      description: Type.Optional(FileDescription),
      folderId: Type.Optional(NullableFolderId),
      /** without a folder: the customer of the file, the caller's own by default; null: of the platform */
      customerId: Type.Optional(Type.Union([Id, Type.Null()])),
      /** a document that the caller may change, and that uses the file */
      documentId: Type.Optional(Id),
      /** a device that the caller may change, and that the file is about */
      deviceId: Type.Optional(Id),
      /** an issue that the caller sees: the file belongs to its customer and site */
      issueId: Type.Optional(Id),
      /**
       * for the form of a new issue: it is not listed, and deleted after a day unless a text of an issue names it. It
       * has no other place
       */
      draft: Type.Optional(Type.Boolean()),
      type: Type.Optional(Words(ATTACHMENT_TYPES)),
      ...levelFields,
    }),
    answer: Exact({ id: FileId, name: Type.String() }),
  }),
  registerAttachments: endpoint({
    id: 'attachments.createMany',
    method: 'POST',
    path: `${path}/batch`,
    policy: {
      route: { keys: ['auth_attach'] },
      row: { object: 'folder', from: 'body.folderId', optional: true },
      level: { own: 'write' },
    },
    effect: 'create',
    summary:
      'Add uploads of the caller to a folder. Each has its own result, and is checked and logged like a single one',
    nameZh: '批量新增附件',
    body: Exact({
      files: Type.Array(Exact({ key: Type.String({ minLength: 1, maxLength: 512 }), name: FileName }), {
        ...{ minItems: 1, maxItems: BULK_SLICE },
      }),
      folderId: Type.Optional(NullableFolderId),
      type: Type.Optional(Words(ATTACHMENT_TYPES)),
    }),
    answer: Exact({
      /** in the order of the files; `name` is the one that the file got, or the one that was sent when it was refused */
      results: Type.Array(Exact({ code: Type.Integer(), message: Type.String(), name: Type.String() })),
    }),
  }),
  updateAttachment: endpoint({
    id: 'attachments.update',
    method: 'PATCH',
    path: `${path}/:id`,
    policy: writes,
    effect: 'update',
    summary:
      "Rename a file or change its description, type, site and levels. Its levels are not lower than its folder's",
    nameZh: '编辑附件',
    params: FileParams,
    body: Exact({
      name: Type.Optional(FileName),
      description: Type.Optional(FileDescription),
      type: Type.Optional(Words(ATTACHMENT_TYPES)),
      /** the site whose users see it: that of its folder, device or issue if they have one; null: all sites */
      siteId: Type.Optional(FileSite),
      ...levelFields,
      revision: SeenRevision,
    }),
    answer: Type.Null(),
  }),
  moveAttachment: endpoint({
    id: 'attachments.move',
    method: 'POST',
    path: `${path}/:id/move`,
    policy: writes,
    effect: 'update',
    summary:
      'Move a file to another folder of its customer. Its levels are raised to those of the folder, whose site it gets',
    nameZh: '移动附件',
    params: FileParams,
    body: Exact({ folderId: NullableFolderId }),
    answer: Exact({ name: Type.String() }),
  }),
  copyAttachment: endpoint({
    id: 'attachments.copy',
    method: 'POST',
    path: `${path}/:id/copy`,
    policy: { route, row, level: { own: 'download' } },
    effect: 'create',
    summary: 'Copy a file to a folder. The levels of the copy are at least those of the file and of the folder',
    nameZh: '复制附件',
    params: FileParams,
    body: Exact({ folderId: NullableFolderId }),
    answer: Exact({ id: FileId, name: Type.String() }),
  }),
  deleteAttachment: endpoint({
    id: 'attachments.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: writes,
    effect: 'delete',
    summary: 'Move a file to the trash, where it can be restored for 30 days',
    nameZh: '删除附件',
    params: FileParams,
    answer: Type.Null(),
  }),
  restoreAttachment: endpoint({
    id: 'attachments.restore',
    method: 'POST',
    path: `${path}/:id/restore`,
    policy: writes,
    effect: 'update',
    summary: 'Restore a file from the trash to its folder, or outside of folders if that is deleted',
    nameZh: '还原附件',
    params: FileParams,
    body: Exact({}),
    answer: Exact({ folderId: NullableFolderId, name: Type.String() }),
  }),
  emptyTrash: endpoint({
    id: 'attachments.emptyTrash',
    method: 'POST',
    path: `${path}/trash/empty`,
    policy: { route, row: 'scope' },
    effect: 'delete',
    summary:
      "Delete the files and folders in the trash of a customer that the caller may change, for good; by default the caller's own, null for those of the platform",
    nameZh: '清空附件回收站',
    body: Exact({ customerId: Type.Optional(Type.Union([Id, Type.Null()])) }),
    answer: Exact({ files: Type.Integer(), folders: Type.Integer() }),
  }),
  deleteAttachments: endpoint({
    id: 'attachments.deleteMany',
    method: 'POST',
    path: `${path}/delete`,
    policy: forEachRow(writes),
    effect: 'delete',
    summary: 'Move files to the trash. Each row has its own result',
    nameZh: '批量删除附件',
    body: Exact({ ids: Ids }),
    answer: BulkAnswer,
  }),
  restoreAttachments: endpoint({
    id: 'attachments.restoreMany',
    method: 'POST',
    path: `${path}/restore`,
    policy: forEachRow(writes),
    effect: 'update',
    summary: 'Restore files from the trash. Each row has its own result',
    nameZh: '批量还原附件',
    body: Exact({ ids: Ids }),
    answer: BulkAnswer,
  }),
  moveAttachments: endpoint({
    id: 'attachments.moveMany',
    method: 'POST',
    path: `${path}/move`,
    policy: forEachRow(writes),
    effect: 'update',
    summary: 'Move files to a folder. Each row has its own result',
    nameZh: '批量移动附件',
    body: Exact({ ids: Ids, folderId: NullableFolderId }),
    answer: BulkAnswer,
  }),
  readQuota: endpoint({
    id: 'attachments.quota',
    method: 'GET',
    path: `${path}/quota`,
    policy: { route, row: { object: 'customer', from: 'query.customerId', optional: true } },
    effect: 'read',
    summary: "Get the space that the files of a customer use; the caller's own by default",
    nameZh: '查看附件空间',
    query: Exact({
      customerId: Type.Optional(Id),
      /** of the files for all customers instead; platform vendor only */
      platform: Type.Optional(Type.Boolean()),
    }),
    answer: AttachmentQuota,
  }),
  setQuota: endpoint({
    id: 'attachments.setQuota',
    method: 'PUT',
    path: `${path}/quota`,
    policy: {
      route,
      who: 'vendor',
      row: { object: 'customer', from: 'body.customerId' },
      level: [{ area: 'attachment', verb: 'write', level: 1 }],
    },
    effect: 'update',
    summary: 'Set the space for the files of a customer; platform vendor only',
    nameZh: '设置附件空间',
    body: Exact({ customerId: Id, bytes: Type.Integer({ minimum: 0, maximum: 2 ** 50 }) }),
    answer: Type.Null(),
  }),
  attachmentContent: endpoint({
    id: 'attachments.content',
    method: 'GET',
    path: `${path}/:id/content`,
    policy: { route: { keys: OPENS }, row: { object: 'attachmentContent', from: 'params.id' }, level: { own: 'read' } },
    effect: 'export',
    summary:
      'Get the content of a file, also as a reader of a document, a device or an issue that uses it. Supports ranges. Images, PDF, text and video are displayed; everything else is downloaded and needs the download level',
    nameZh: '预览或下载附件',
    params: FileParams,
    query: Exact({ download: Type.Optional(Type.Boolean()) }),
    answer: null,
  }),
  linkAttachment: endpoint({
    id: 'attachments.link',
    method: 'GET',
    path: `${path}/:id/link`,
    policy: { route: { keys: OPENS }, row: { object: 'attachmentContent', from: 'params.id' }, level: { own: 'read' } },
    effect: 'export',
    summary:
      'Get a signed link that downloads a file without a session, for at most an hour and as long as the caller may download the file; needs the download level',
    nameZh: '获取附件下载链接',
    params: FileParams,
    query: Exact({
      /** how long the link is valid */
      seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: SIGNED_URL_SECONDS })),
    }),
    answer: Exact({
      /** a path on this server */
      url: Type.String(),
      expiresAt: Time,
    }),
  }),
  linkedContent: endpoint({
    id: 'attachments.linkedContent',
    method: 'GET',
    path: '/api/unauth/attachments/content',
    policy: { route: 'public' },
    effect: 'export',
    summary: 'Download a file by a signed link, also in ranges',
    nameZh: '通过链接下载附件',
    query: Exact({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    answer: null,
  }),
};
