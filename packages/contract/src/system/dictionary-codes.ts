import type { CodeEntry } from '../operations/message.ts';

/** Dictionaries: 11740-11759. */
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
} as const satisfies Record<string, CodeEntry>;
