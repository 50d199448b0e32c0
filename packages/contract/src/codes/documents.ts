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
} as const satisfies Record<string, CodeEntry>;
