import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, FileId, FileParams, Id, IdParams, Keyset, Paging } from '../schemas.ts';
import {
  ByteLimit,
  MayComment,
  NewIssueShare,
  NewShare,
  NewUploadRequest,
  ShareFields,
  ShareKindWord,
  SharePage,
  ShareRow,
  ShareUse,
  UseLimit,
  Validity,
} from './schemas.ts';

export * from './schemas.ts';

const path = '/api/auth/sys/shares';
const KEYS = ['auth_attach'] as const;
/** Who shares issues works with their shares too. */
const ALL_KEYS = ['auth_attach', 'auth_issue_edit'] as const;
const ofShare = { route: { keys: ALL_KEYS }, row: { object: 'share', from: 'params.id' } } as const;
const ofFolder = { object: 'folder', from: 'params.id' } as const;
/** Nobody shares more than they may download, or requests files where they may not add any. */
const downloads = { own: 'download' } as const;
const writes = { own: 'write' } as const;

/** Shares and upload requests of users. Visitors use `publicShareEndpoints`. */
export const shareEndpoints = {
  shareFile: endpoint({
    id: 'shares.createForFile',
    method: 'POST',
    path: '/api/auth/sys/attachments/:id/shares',
    policy: { route: { keys: KEYS }, row: { object: 'attachment', from: 'params.id' }, level: downloads },
    effect: 'create',
    summary: 'Share a file by a link',
    nameZh: '分享附件',
    params: FileParams,
    body: NewShare,
    answer: ShareRow,
  }),
  shareFolder: endpoint({
    id: 'shares.createForFolder',
    method: 'POST',
    path: '/api/auth/sys/attachment-folders/:id/shares',
    policy: { route: { keys: KEYS }, row: ofFolder, level: downloads },
    effect: 'create',
    summary: 'Share a folder by a link, with the files in it that the caller may download',
    nameZh: '分享附件目录',
    params: IdParams,
    body: NewShare,
    answer: ShareRow,
  }),
  requestUploads: endpoint({
    id: 'shares.requestUploads',
    method: 'POST',
    path: '/api/auth/sys/attachment-folders/:id/upload-requests',
    policy: { route: { keys: KEYS }, row: ofFolder, level: writes },
    effect: 'create',
    summary: 'Ask for files by a link: anyone who has it can upload files into a folder',
    nameZh: '创建上传链接',
    params: IdParams,
    body: NewUploadRequest,
    answer: ShareRow,
  }),
  shareIssue: endpoint({
    id: 'shares.createForIssue',
    method: 'POST',
    path: '/api/auth/sys/issues/:id/shares',
    policy: { route: { keys: ['auth_issue_edit'] }, row: { object: 'issue', from: 'params.id' } },
    effect: 'create',
    summary: 'Share an issue by a link, without its internal comments and its evidence',
    nameZh: '分享问题',
    params: IdParams,
    body: NewIssueShare,
    answer: ShareRow,
  }),
  listShares: endpoint({
    id: 'shares.list',
    method: 'GET',
    path,
    policy: { route: { keys: ALL_KEYS }, row: 'scope' },
    effect: 'list',
    summary: 'List the shares of the caller; administrators also see those of others in their customers',
    nameZh: '查询分享列表',
    query: Exact({
      ...Paging(['createdAt', 'expiresAt', 'uses']),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      kind: Type.Optional(ShareKindWord),
      /** those that were destroyed or have expired, instead of the others */
      ended: Type.Optional(Type.Boolean()),
      /** only shares of the caller */
      own: Type.Optional(Type.Boolean()),
      attachmentId: Type.Optional(FileId),
      folderId: Type.Optional(Id),
      issueId: Type.Optional(Id),
    }),
    answer: Exact({
      ...SharePage.properties,
      /** the caller also sees the shares of others */
      oversees: Type.Boolean(),
    }),
  }),
  readShare: endpoint({
    id: 'shares.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: ofShare,
    effect: 'read',
    summary: 'Get a share; the link and the code only for its creator',
    nameZh: '查看分享',
    params: IdParams,
    answer: ShareRow,
  }),
  listShareUses: endpoint({
    id: 'shares.uses',
    method: 'GET',
    path: `${path}/:id/uses`,
    policy: ofShare,
    effect: 'list',
    summary: 'List the downloads or uploads of a share, newest first',
    nameZh: '查询分享的使用记录',
    params: IdParams,
    query: Exact({ before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })) }),
    answer: Keyset(ShareUse),
  }),
  updateShare: endpoint({
    id: 'shares.update',
    method: 'PATCH',
    path: `${path}/:id`,
    policy: ofShare,
    effect: 'update',
    summary: 'Change the validity (from now), the limits or the notes of a share',
    nameZh: '编辑分享',
    params: IdParams,
    body: Exact({
      days: Type.Optional(Validity),
      useLimit: Type.Optional(UseLimit),
      byteLimit: Type.Optional(ByteLimit),
      /** of an issue */
      comments: Type.Optional(MayComment),
      recipient: Type.Optional(ShareFields.recipient),
      note: Type.Optional(ShareFields.note),
    }),
    answer: ShareRow,
  }),
  unlockShare: endpoint({
    id: 'shares.unlock',
    method: 'POST',
    path: `${path}/:id/unlock`,
    policy: ofShare,
    effect: 'update',
    summary: 'Unlock a share after too many wrong codes; it gets a new code',
    nameZh: '解锁分享',
    params: IdParams,
    answer: ShareRow,
  }),
  destroyShare: endpoint({
    id: 'shares.destroy',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: ofShare,
    effect: 'delete',
    summary: 'End a share now, including its running downloads and uploads',
    nameZh: '取消分享',
    params: IdParams,
    answer: Type.Null(),
  }),
};
