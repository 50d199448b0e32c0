import type { CodeEntry } from '../operations/message.ts';

export const DOCUMENT_CODES = {
  documentNameTaken: {
    code: 11201,
    en: 'Another document already has this name. Choose another name.',
    zh: '已有同名文档，请换一个名称。',
  },
  documentLevelExceeds: {
    code: 11202,
    en: '{field}: you cannot give a document a level that you do not hold.',
    zh: '{field}：不能设置高于您本人权限的等级。',
  },
  documentBindings: {
    code: 11203,
    en: 'Choose the type of the document before you choose what it explains.',
    zh: '请先选择文档类型，再选择其说明的对象。',
  },
  documentBindingTaken: {
    code: 11204,
    en: '{key} is already explained by the document "{name}" for the same device model.',
    zh: '同一设备型号的 {key} 已由文档“{name}”说明。',
  },
  documentBindingHidden: {
    code: 11220,
    en: '{key} is already explained for the same device model by a document that you cannot read.',
    zh: '同一设备型号的 {key} 已由您无权阅读的文档说明。',
  },
  documentCategoryUnknown: {
    code: 11205,
    en: '{field}: this category no longer exists. Choose another one.',
    zh: '{field}：该分类已不存在，请重新选择。',
  },
  documentCategoryUsed: {
    code: 11206,
    en: 'The category contains documents or other categories. Move or delete them first.',
    zh: '该分类下仍有文档或子分类，请先移走或删除。',
  },
  documentCategoryTaken: {
    code: 11207,
    en: '{field}: another category on this level already has this name.',
    zh: '{field}：同级已有同名分类。',
  },
  documentCategoryDeep: {
    code: 11208,
    en: 'Categories can be nested {most} levels deep at most, and not below themselves.',
    zh: '分类最多 {most} 级，且不能移到自身之下。',
  },
  documentTextMissing: {
    code: 11209,
    en: 'This document has no text yet.',
    zh: '该文档尚无内容。',
  },
  documentArchive: {
    code: 11210,
    en: '{field}: the file is not a zip archive of Markdown files, or it is damaged.',
    zh: '{field}：该文件不是 Markdown 压缩包（zip），或已损坏。',
  },
  documentModelUnknown: {
    code: 11211,
    en: '{field}: a device model no longer exists. Choose it again.',
    zh: '{field}：所选设备型号已不存在，请重新选择。',
  },
  documentExportLarge: {
    code: 11212,
    en: 'The documents show more than {most} files, or files of more than {limit} together. Export fewer documents at a time.',
    zh: '所选文档包含的文件超过 {most} 个，或总大小超过 {limit}，请分批导出。',
  },
  documentArchiveOutside: {
    code: 11213,
    en: 'The archive contains a path that leads out of it: {path}. Create the archive again from a folder.',
    zh: '压缩包中的路径超出其自身范围：{path}。请重新从文件夹创建压缩包。',
  },
  documentArchiveLarge: {
    code: 11214,
    en: 'The archive is too large: at most {most} files, {text} of Markdown and {limit} of pictures and other files. Import its folders one by one.',
    zh: '压缩包过大：最多 {most} 个文件，Markdown 共 {text}，图片和其他文件共 {limit}。请按文件夹分批导入。',
  },
  documentFileMissing: {
    code: 11215,
    en: '{path} is not in the archive. Add the file to it, or correct the link.',
    zh: '压缩包中没有 {path}，请补充该文件或更正链接。',
  },
  documentFileRemote: {
    code: 11216,
    en: '{path} is on another server or in the text itself. Save the picture as a file in the archive, and link to that.',
    zh: '{path} 位于其他服务器或内嵌在文本中，请将图片存为压缩包内的文件并更正链接。',
  },
  documentFileAmbiguous: {
    code: 11217,
    en: 'Several files of the archive are called {path} in different case. Write the name exactly.',
    zh: '压缩包中有多个仅大小写不同的文件与 {path} 同名，请写出准确的文件名。',
  },
  documentFileLink: {
    code: 11218,
    en: '{path} is a link to another file. Replace it by the file.',
    zh: '{path} 是指向其他文件的链接，请替换为文件本身。',
  },
  documentFileDamaged: {
    code: 11219,
    en: '{path} is damaged or encrypted. Create the archive again, without a password.',
    zh: '{path} 已损坏或已加密，请重新创建不加密的压缩包。',
  },
} as const satisfies Record<string, CodeEntry>;
