import { FILE_UNKNOWN_CODE } from '../constants.ts';
import type { CodeEntry } from '../operations/message.ts';

export const FILE_CODES = {
  fileUnknown: {
    code: FILE_UNKNOWN_CODE,
    en: '{field}: the uploaded file no longer exists. Upload it again.',
    zh: '{field}：上传的文件已不存在，请重新上传。',
  },
  fileNameless: {
    code: 10802,
    en: '{field}: the file name must have an extension.',
    zh: '{field}：文件名必须带有扩展名。',
  },
  fileType: {
    code: 10803,
    en: '{field}: unsupported file type. Accepted: {types}.',
    zh: '{field}：仅支持以下类型：{types}。',
  },
  fileIncomplete: {
    code: 12084,
    en: '{field}: the file is incomplete or damaged: its end is missing. Open it on your device to check it, and send it again.',
    zh: '{field}：文件不完整或已损坏（缺少结尾）。请先在本机打开确认，再重新上传。',
  },
  fileContent: {
    code: 10804,
    en: '{field}: the file content does not match its extension. Accepted: {types}.',
    zh: '{field}：文件内容与扩展名不符，仅支持：{types}。',
  },
  fileTooLarge: {
    code: 10805,
    en: '{field}: the file is too large, at most {limit}.',
    zh: '{field}：文件过大，最大 {limit}。',
  },
  deviceLogGone: {
    code: 10807,
    en: 'The file of this log is no longer in the object store.',
    zh: '该日志的文件已不在对象存储中。',
  },
  fileEmpty: { code: 10806, en: '{field}: the file is empty.', zh: '{field}：文件为空。' },
} as const satisfies Record<string, CodeEntry>;

/** Shares of files and folders, as their visitors and creators read them. */
export const SHARE_CODES = {
  shareUnknown: {
    code: 11350,
    en: 'There is no share at this link. Check that you copied the whole link.',
    zh: '分享链接不存在，请检查链接是否复制完整。',
  },
  shareDestroyed: {
    code: 11351,
    en: 'This share was ended. Ask the person who sent you the link for a new one.',
    zh: '该分享已被取消，请向发送者索取新的链接。',
  },
  shareExpired: {
    code: 11352,
    en: 'This share has expired. Ask the person who sent you the link for a new one.',
    zh: '该分享已过期，请向发送者索取新的链接。',
  },
  shareWithdrawn: {
    code: 11353,
    en: 'This share is no longer available. Ask the person who sent you the link for a new one.',
    zh: '该分享已不可用，请向发送者索取新的链接。',
  },
  shareLocked: {
    code: 11354,
    en: 'This share is locked, because a wrong code was entered too often. The person who sent you the link was notified and can unlock it.',
    zh: '因多次输入错误的提取码，该分享已锁定。系统已通知发送者，由其解锁后方可访问。',
  },
  shareUsedUp: {
    code: 11355,
    en: 'This share has been used as often as allowed. Ask the person who sent you the link for a new one.',
    zh: '该分享的使用次数已达上限，请向发送者索取新的链接。',
  },
  shareCodeWrong: {
    code: 11356,
    en: 'This code is wrong. Codes have 4 characters and contain no 0, O, 1, I or L.',
    zh: '提取码错误。提取码为 4 位，不含 0、O、1、I、L。',
  },
  shareCodeNeeded: {
    code: 11357,
    en: 'Enter the code of this share first.',
    zh: '请先输入该分享的提取码。',
  },
  shareFileGone: {
    code: 11358,
    en: 'This file or folder is no longer part of the share.',
    zh: '该文件或目录已不在此分享中。',
  },
  shareBusy: {
    code: 11359,
    en: 'Too many downloads of this share are running. Try again in a few minutes.',
    zh: '该分享的同时下载数过多，请几分钟后重试。',
  },
  sharePreviewRefused: {
    code: 11360,
    en: 'This file has no preview. Download it instead.',
    zh: '该文件不支持预览，请下载后查看。',
  },
  shareArchiveEmpty: {
    code: 11361,
    en: 'There are no files to download in this folder.',
    zh: '该目录中没有可下载的文件。',
  },
  shareArchiveLarge: {
    code: 11362,
    en: 'This folder has more than {most} files. Download its subfolders one by one.',
    zh: '该目录中的文件超过 {most} 个，请逐个下载子目录。',
  },
  shareUploadsFull: {
    code: 11363,
    en: 'This upload request takes {left} more at most. Send a smaller file, or ask the person who sent you the link.',
    zh: '该上传链接最多还可接收 {left}，请上传较小的文件，或联系发送者。',
  },
  shareSpaceFull: {
    code: 11364,
    en: 'There is not enough space for this file: it has {size}, and only {free} are free. Ask the sender of the link to make space.',
    zh: '接收方的存储空间不足：该文件大小为 {size}，剩余空间仅 {free}。请联系向您发送链接的人清理空间。',
  },
  shareUploadPart: {
    code: 11365,
    en: 'This part does not continue the upload, or is too large. Continue at the position that the server reports.',
    zh: '该分片与已上传内容不连续或过大，请从服务器返回的位置继续上传。',
  },
  shareUploadOnly: {
    code: 11366,
    en: 'This link takes files, it does not give any.',
    zh: '该链接仅用于上传文件，不提供下载。',
  },
  shareDownloadOnly: {
    code: 11367,
    en: 'This link gives files, it does not take any.',
    zh: '该链接仅用于下载文件，不接收上传。',
  },
  shareNotLocked: {
    code: 11368,
    en: 'This share is not locked.',
    zh: '该分享未被锁定。',
  },
  shareOver: {
    code: 11369,
    en: 'This share was ended and cannot be changed. Create a new one.',
    zh: '该分享已被取消，无法修改，请重新创建。',
  },
  shareReadOnly: {
    code: 11370,
    en: 'This link does not take comments.',
    zh: '该链接不支持评论。',
  },
  shareCommentsFull: {
    code: 11371,
    en: 'This link takes no more than {most} comments. Ask the person who sent you the link for a new one.',
    zh: '该链接最多可发表 {most} 条评论，请联系发送者获取新的链接。',
  },
} as const satisfies Record<string, CodeEntry>;
