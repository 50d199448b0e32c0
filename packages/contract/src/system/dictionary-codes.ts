import type { CodeEntry } from '../operations/message.ts';

/** Dictionaries: 11740-11759, and the import of entries: 11840-11849. */
export const DICTIONARY_CODES = {
  dictionaryCodeTaken: {
    code: 11740,
    en: '{field}: this entry exists already. Change it instead.',
    zh: '{field}：该条目已存在，请直接修改。',
  },
  dictionaryCodeForm: {
    code: 11741,
    en: '{field}: a code has letters, digits, “.”, “_”, “-” and “:” only, without spaces.',
    zh: '{field}：代码只能包含字母、数字及“.”“_”“-”“:”，不能有空格。',
  },
  dictionaryNameTaken: {
    code: 11742,
    en: '{field}: another entry has this name. Users could not tell them apart.',
    zh: '{field}：已有同名条目，用户将无法区分。',
  },
  dictionaryLastEnabled: {
    code: 11743,
    en: '{field}: at least one entry must remain that can be chosen.',
    zh: '{field}：至少要保留一个可选条目。',
  },
  dictionaryUsed: {
    code: 11744,
    en: 'The entry is used, so it cannot be removed. It can be renamed.',
    zh: '该条目正在使用，无法移除，但可以改名。',
  },
  dictionaryChanged: {
    code: 11745,
    en: '{user} changed this entry meanwhile. Open it again to see the new values.',
    zh: '{user} 已修改该条目，请重新打开以查看最新内容。',
  },
  dictionaryUndoLater: {
    code: 11746,
    en: 'The change cannot be undone, because {user} changed the entry again later. Undo the later change first.',
    zh: '无法撤销：{user} 之后又修改了该条目，请先撤销较新的修改。',
  },
  dictionaryUnchanged: {
    code: 11747,
    en: 'The entry has its default already.',
    zh: '该条目已是默认值。',
  },
  dictionaryFull: {
    code: 11748,
    en: 'A dictionary can have at most {most} entries. Remove unused ones first.',
    zh: '每个字典最多 {most} 个条目，请先移除不用的条目。',
  },
  issueEndUnknown: {
    code: 11749,
    en: '{field}: this choice is no longer available. Choose another one.',
    zh: '{field}：该选项已停用，请另选。',
  },
  dictionaryImportUnsupported: {
    code: 11840,
    en: 'Unsupported file type: only .xlsx files can be imported.',
    zh: '不支持的文件类型：只能导入 .xlsx 文件。',
  },
  dictionaryImportCodeTwice: {
    code: 11841,
    en: '{field}: row {row} of the file has this code, too. Remove one of the two rows.',
    zh: '{field}：与文件第 {row} 行重复，请删除其中一行。',
  },
  dictionaryImportNameTwice: {
    code: 11842,
    en: '{field}: row {row} of the file has this name, too. Users could not tell the entries apart, so enter another name.',
    zh: '{field}：与文件第 {row} 行同名，用户将无法区分，请改用其他名称。',
  },
  dictionaryImportNameTaken: {
    code: 11843,
    en: '{field}: the entry {code} has this name. Users could not tell the entries apart, so enter another name.',
    zh: '{field}：条目 {code} 已使用该名称，用户将无法区分，请改用其他名称。',
  },
  dictionaryImportEnabled: {
    code: 11844,
    en: '{field}: enter Yes or No. An empty cell keeps the value.',
    zh: '{field}：请填写“是”或“否”，留空则保持不变。',
  },
  dictionaryImportOrder: {
    code: 11845,
    en: '{field}: enter a whole number from 0 to {limit}. An empty cell keeps the value.',
    zh: '{field}：请填写 0 到 {limit} 的整数，留空则保持不变。',
  },
  dictionaryImportFailed: {
    code: 11846,
    en: 'Nothing was imported. Rows with problems: {count} of {total}. Fix them and choose the file again.',
    zh: '未导入任何条目：共 {total} 行，其中 {count} 行有问题，请修正后重新选择文件。',
  },
  dictionaryImportChanged: {
    code: 11847,
    en: 'Nothing was imported, because {user} changed this dictionary after the preview. Check the new preview.',
    zh: '未导入任何条目：预览之后 {user} 修改了该字典，请查看新的预览结果。',
  },
} as const satisfies Record<string, CodeEntry>;
