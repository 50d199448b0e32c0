import type { CodeEntry } from '../operations/message.ts';

export const ATTACHMENT_CODES = {
  attachmentName: {
    code: 11300,
    en: '{field}: the name contains characters that are not allowed: / \\, control characters and marks of the writing direction.',
    zh: '{field}：名称中含有不允许的字符：/ \\、控制字符或书写方向标记。',
  },
  attachmentNameLong: {
    code: 11301,
    en: '{field}: the name is too long, at most {max} bytes.',
    zh: '{field}：名称过长，最多 {max} 字节。',
  },
  attachmentNameTaken: {
    code: 11302,
    en: '{field}: "{name}" already exists in this folder. Choose another name.',
    zh: '{field}：该目录下已有“{name}”，请换一个名称。',
  },
  attachmentLevelBelowFolder: {
    code: 11303,
    en: '{field}: the level must not be lower than level {level} of the folder.',
    zh: '{field}：等级不能低于所在目录的等级 {level}。',
  },
  attachmentLevelExceeds: {
    code: 11304,
    en: '{field}: you cannot set a level that you do not hold.',
    zh: '{field}：不能设置您本人不具备的等级。',
  },
  attachmentFolderUnknown: {
    code: 11305,
    en: '{field}: this folder no longer exists. Choose another one.',
    zh: '{field}：该目录已不存在，请重新选择。',
  },
  attachmentFolderDeep: {
    code: 11306,
    en: 'Folders can be nested {most} levels deep at most.',
    zh: '目录最多 {most} 级。',
  },
  attachmentFolderBelowItself: {
    code: 11307,
    en: '{field}: a folder cannot be moved into itself or into a folder below it.',
    zh: '{field}：不能将目录移动到自身或其下级目录中。',
  },
  attachmentFolderMany: {
    code: 11308,
    en: 'A customer has {most} folders at most. Delete some that are no longer needed.',
    zh: '每个客户最多 {most} 个目录，请先删除不再需要的目录。',
  },
  attachmentOtherCustomer: {
    code: 11309,
    en: '{field}: the folder belongs to another customer. Copy the file instead.',
    zh: '{field}：目标目录属于其他客户，请改用复制。',
  },
  attachmentOtherSite: {
    code: 12080,
    en: '{field}: the folder belongs to another site. Choose a folder that belongs to the same site or to all sites.',
    zh: '{field}：不能将一个站点的文件放入另一个站点的目录，请选择同一站点的目录或面向全部站点的目录。',
  },
  attachmentSiteNeeded: {
    code: 12081,
    en: 'Only users with access to all sites can change files for all sites. Choose a site or a folder that you can access.',
    zh: '面向全部站点的文件只能由可见全部站点的用户更改，请选择您的站点或其目录。',
  },
  attachmentSiteOfDevice: {
    code: 12083,
    en: '{field}: this file belongs to the site of its device or issue.',
    zh: '{field}：该文件属于其设备或问题所在的站点。',
  },
  attachmentSiteUnknown: {
    code: 12082,
    en: '{field}: this site does not belong to the customer of the folder. Choose another one.',
    zh: '{field}：该站点不属于目录所属的客户，请重新选择。',
  },
  attachmentQuota: {
    code: 11310,
    en: 'Not enough storage space: {size} needed, but only {free} of {limit} are free. Delete files and empty the trash.',
    zh: '存储空间不足：需要 {size}，剩余 {free}（共 {limit}）。请删除文件并清空回收站。',
  },
  attachmentManaged: {
    code: 11311,
    en: 'This file belongs to a firmware or to the logs of a device. Change or delete it there.',
    zh: '该文件属于固件或设备日志，请在相应页面修改或删除。',
  },
  attachmentDeleted: {
    code: 11312,
    en: 'This file is in the trash. Restore it first.',
    zh: '该文件在回收站中，请先还原。',
  },
  attachmentInfected: {
    code: 11313,
    en: 'A virus was found in this file: {virus}. It cannot be downloaded.',
    zh: '该文件中发现病毒：{virus}，无法下载。',
  },
  attachmentWaiting: {
    code: 11314,
    en: 'This file is being scanned for viruses. Try again in a moment.',
    zh: '正在对该文件进行病毒扫描，请稍后再试。',
  },
  attachmentGone: {
    code: 11315,
    en: 'The content of this file is no longer in the object store.',
    zh: '该文件的内容已不在对象存储中。',
  },
  attachmentNotDeleted: {
    code: 11316,
    en: 'This is not in the trash.',
    zh: '该项不在回收站中。',
  },
  attachmentFolderProtected: {
    code: 11317,
    en: 'The folder contains files or folders that you may not change.',
    zh: '该目录中有您无权修改的文件或目录。',
  },
  attachmentExtension: {
    code: 11318,
    en: '{field}: the name must keep the extension {ending}.',
    zh: '{field}：名称必须保留扩展名 {ending}。',
  },
  attachmentCopyMany: {
    code: 11319,
    en: 'The folder contains {files} files. At most {most} can be copied at a time: copy its folders one by one.',
    zh: '该目录中有 {files} 个文件，一次最多复制 {most} 个，请逐个复制其下级目录。',
  },
  attachmentLinkInvalid: {
    code: 11320,
    en: 'This download link is not valid. Check that you copied the whole link.',
    zh: '下载链接无效，请检查链接是否复制完整。',
  },
  attachmentLinkExpired: {
    code: 11321,
    en: 'This download link has expired. Sign in and copy a new one.',
    zh: '下载链接已过期，请登录后重新复制。',
  },
  attachmentLinkEnded: {
    code: 11322,
    en: 'This download link no longer works: the file was deleted, or its creator may no longer download it.',
    zh: '下载链接已失效：文件已删除，或链接的创建者不再有权下载。',
  },
} as const satisfies Record<string, CodeEntry>;
