import type { CodeEntry } from '../operations/message.ts';

export const ISSUE_CODES = {
  issueAction: {
    code: 11401,
    en: 'The issue was changed meanwhile, and this is not possible any more. Open it again.',
    zh: '该问题的状态已变更，无法执行此操作，请重新打开。',
  },
  issueAssignee: {
    code: 11402,
    en: '{field}: this user cannot see the issue. Choose another one.',
    zh: '{field}：该用户无权查看此问题，请另选。',
  },
  issueMerged: {
    code: 11403,
    en: 'The issue was merged into another one. Work on that one, or unmerge it first.',
    zh: '该问题已合并到其他问题，请在目标问题中处理，或先取消合并。',
  },
  issueNotMerged: {
    code: 11404,
    en: 'The issue is not merged.',
    zh: '该问题未被合并。',
  },
  issueOtherCustomer: {
    code: 11405,
    en: '{field}: only issues of the same customer can be merged.',
    zh: '{field}：只能合并同一客户的问题。',
  },
  issueLinkCycle: {
    code: 11406,
    en: '{field}: the issues would cause each other. Remove the opposite link first.',
    zh: '{field}：问题之间将互为因果，请先移除相反的关联。',
  },
  issueSelf: {
    code: 11407,
    en: '{field}: choose another issue than this one.',
    zh: '{field}：不能选择问题本身。',
  },
  issueCommentForeign: {
    code: 11408,
    en: 'Only the author can change a comment.',
    zh: '只有作者本人可以修改评论。',
  },
  issueViewsFull: {
    code: 11410,
    en: 'At most {most} views can be saved. Delete one first.',
    zh: '最多保存 {most} 个视图，请先删除一个。',
  },
  issueQuote: {
    code: 11409,
    en: '{field}: this comment no longer exists in the issue.',
    zh: '{field}：该评论在此问题中已不存在。',
  },
  issueCommentGone: {
    code: 11412,
    en: 'The comment no longer exists.',
    zh: '该评论已不存在。',
  },
  issueLinked: {
    code: 11411,
    en: '{field}: this link already exists.',
    zh: '{field}：该关联已存在。',
  },
} as const satisfies Record<string, CodeEntry>;
