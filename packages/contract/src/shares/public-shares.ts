import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, FileId, Id, Lines, RequestKey } from '../schemas.ts';
import { SharedIssue } from './issue-shares.ts';
import { OpenedShare, SharedFolder, SharedUpload, ShareToken } from './schemas.ts';

const path = '/api/unauth/share';
const open = { route: 'public' } as const;
const UploadParams = Exact({ id: Type.String({ format: 'uuid', maxLength: 36 }) });
const ofShare = Exact({ s: ShareToken });

/**
 * The page of a share, without sign-in. The token of the link is `s`. After the right code, a cookie of this browser
 * opens the share for some hours.
 */
export const publicShareEndpoints = {
  openShare: endpoint({
    id: 'share.open',
    method: 'GET',
    path,
    policy: open,
    effect: 'session',
    summary: 'Get what a link shares, or that it needs a code',
    nameZh: '打开分享链接',
    query: ofShare,
    answer: OpenedShare,
  }),
  enterShareCode: endpoint({
    id: 'share.enterCode',
    method: 'POST',
    path: `${path}/code`,
    policy: open,
    effect: 'session',
    summary: 'Enter the access code of a share. After ten wrong codes the share is locked',
    nameZh: '输入提取码',
    body: Exact({ s: ShareToken, accessCode: Type.String({ maxLength: 40 }) }),
    answer: OpenedShare,
  }),
  listShared: endpoint({
    id: 'share.entries',
    method: 'GET',
    path: `${path}/entries`,
    policy: open,
    effect: 'session',
    summary: 'List a shared folder, or a folder in it',
    nameZh: '查看分享的目录',
    query: Exact({ s: ShareToken, folderId: Type.Optional(Id) }),
    answer: SharedFolder,
  }),
  readSharedIssue: endpoint({
    id: 'share.issue',
    method: 'GET',
    path: `${path}/issue`,
    policy: open,
    effect: 'session',
    summary: 'Get a shared issue with its public comments and their files',
    nameZh: '查看分享的问题',
    query: ofShare,
    answer: SharedIssue,
  }),
  commentSharedIssue: endpoint({
    id: 'share.comment',
    method: 'POST',
    path: `${path}/issue/comments`,
    policy: open,
    effect: 'session',
    summary: 'Comment on a shared issue, if the share allows it. Sending the same comment again adds nothing',
    nameZh: '评论分享的问题',
    body: Exact({
      s: ShareToken,
      /** made by the browser for each comment */
      requestKey: RequestKey,
      visitorName: Type.String({ minLength: 1, maxLength: 100 }),
      comment: Lines({ minLength: 1, maxLength: 5_000 }),
    }),
    answer: SharedIssue,
  }),
  downloadShared: endpoint({
    id: 'share.download',
    method: 'GET',
    path: `${path}/content`,
    policy: open,
    effect: 'session',
    summary: 'Download the shared file, or a file of the shared folder; also in ranges',
    nameZh: '下载分享的文件',
    query: Exact({ s: ShareToken, fileId: Type.Optional(FileId), preview: Type.Optional(Type.Boolean()) }),
    answer: null,
  }),
  downloadSharedArchive: endpoint({
    id: 'share.archive',
    method: 'GET',
    path: `${path}/archive`,
    policy: open,
    effect: 'session',
    summary: 'Download all files of a shared folder as a zip archive',
    nameZh: '打包下载分享的目录',
    query: Exact({ s: ShareToken, folderId: Type.Optional(Id) }),
    answer: null,
  }),
  joinTerminal: endpoint({
    id: 'share.joinTerminal',
    method: 'POST',
    path: `${path}/terminal`,
    policy: open,
    effect: 'session',
    summary: 'Join a terminal as a guest. The answer has the key of its WebSocket',
    nameZh: '访客进入终端',
    body: Exact({
      s: ShareToken,
      visitorName: Type.String({ minLength: 1, maxLength: 100 }),
      /** the guest accepts that the terminal is recorded */
      recorded: Type.Literal(true),
    }),
    answer: Exact({ key: Type.String() }),
  }),
  joinPage: endpoint({
    id: 'share.joinPage',
    method: 'POST',
    path: `${path}/page`,
    policy: open,
    effect: 'session',
    summary:
      'Open the web pages of a device as a guest. The answer has an address for a new tab: it works once, for a minute',
    nameZh: '访客打开设备网页',
    body: Exact({
      s: ShareToken,
      visitorName: Type.String({ minLength: 1, maxLength: 100 }),
      /** the guest accepts that their requests are recorded */
      recorded: Type.Literal(true),
    }),
    answer: Exact({ url: Type.String() }),
  }),
  startSharedUpload: endpoint({
    id: 'share.startUpload',
    method: 'POST',
    path: `${path}/uploads`,
    policy: open,
    effect: 'session',
    summary: 'Announce a file for an upload request',
    nameZh: '开始向分享上传文件',
    body: Exact({
      s: ShareToken,
      name: Type.String({ minLength: 1, maxLength: 255 }),
      size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      uploader: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    answer: SharedUpload,
  }),
  readSharedUpload: endpoint({
    id: 'share.readUpload',
    method: 'GET',
    path: `${path}/uploads/:id`,
    policy: open,
    effect: 'session',
    summary: 'Get how much of an upload was received, to continue it',
    nameZh: '查询向分享上传的进度',
    params: UploadParams,
    query: ofShare,
    answer: SharedUpload,
  }),
  sendSharedPart: endpoint({
    id: 'share.sendPart',
    method: 'PUT',
    path: `${path}/uploads/:id`,
    policy: open,
    effect: 'session',
    summary: 'Send the next part of an upload as application/octet-stream. The last part completes the file',
    nameZh: '向分享上传文件分片',
    params: UploadParams,
    query: Exact({ s: ShareToken, offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
    answer: SharedUpload,
  }),
};
