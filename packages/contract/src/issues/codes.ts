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
  issueFiles: {
    code: 11413,
    en: '{field}: at most {most} files can be added with one text. Add the others in another comment.',
    zh: '{field}：一段文字最多可添加 {most} 个文件，其余请在另一条评论中添加。',
  },
  issueWatchers: {
    code: 11414,
    en: '{field}: one of these users cannot see the issue. Choose others.',
    zh: '{field}：所选用户中有人无权查看此问题，请重新选择。',
  },
  reportLinkUnknown: {
    code: 11420,
    en: 'This code is no longer valid. Say where the problem is instead.',
    zh: '该二维码已失效，请改为填写问题所在的位置。',
  },
  reportUnknown: {
    code: 11421,
    en: 'There is no report with this link. Check that the whole link was copied.',
    zh: '未找到该链接对应的报修，请检查链接是否完整。',
  },
  reportTooMany: {
    code: 11422,
    en: 'Too many reports arrived in a short time. Try again in {minutes} min.',
    zh: '短时间内收到的报修过多，请 {minutes} 分钟后再试。',
  },
  reportContact: {
    code: 11423,
    en: '{field}: enter a mail address or a phone number.',
    zh: '{field}：请填写邮箱地址或电话号码。',
  },
  reportFiles: {
    code: 11424,
    en: '{field}: at most {photos} photos or one video per message.',
    zh: '{field}：每条消息最多 {photos} 张照片或 1 个视频。',
  },
  reportReplies: {
    code: 11425,
    en: 'At most {most} messages can be added to a report.',
    zh: '每个报修最多可补充 {most} 条消息。',
  },
  reportPlace: {
    code: 11426,
    en: '{field}: enter the SN of the device, or where it is.',
    zh: '{field}：请填写设备 SN 或所在位置。',
  },
  reportSpaceFull: {
    code: 11427,
    en: 'There is no space for photos and videos at the moment. The text of the report has arrived.',
    zh: '暂无空间接收照片和视频，报修文字内容已收到。',
  },
  reportUploadPart: {
    code: 11428,
    en: 'This part of the file has arrived already, or another one is expected. Continue where the upload is.',
    zh: '该分片已收到，或应上传其他分片，请从当前进度继续。',
  },
  issueReporter: {
    code: 11932,
    en: 'This report is not part of the issue, so its reporter cannot be answered here.',
    zh: '该上报不属于此问题，无法在此回复上报人。',
  },
} as const satisfies Record<string, CodeEntry>;
