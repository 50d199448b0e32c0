import type { CodeEntry } from '../operations/message.ts';

/** Messages: 114xx, from 11450, and 11920 to 11929. */
export const MESSAGE_CODES = {
  muteTooLong: {
    code: 11450,
    en: 'Messages can be muted for {days} days at most. Choose an earlier time for {field}.',
    zh: '消息最多可静音 {days} 天，请将{field}改为更早的时间。',
  },
  shiftEndsBeforeStart: {
    code: 11470,
    en: 'The shift must end after it begins. Choose a later end.',
    zh: '班次结束时间必须晚于开始时间，请重新选择。',
  },
  shiftTooLong: {
    code: 11471,
    en: 'A shift can last {days} days at most. Add several shifts.',
    zh: '单个班次最长 {days} 天，请拆分为多个班次。',
  },
  substituteSame: {
    code: 11472,
    en: 'The substitute must be a different user than the one on call.',
    zh: '替补人员不能与值班人员相同。',
  },
  alreadyOnDuty: {
    code: 11473,
    en: 'This user is already on call here at that time. Change the other shift, or choose another user or time.',
    zh: '该用户在此时段已有班次，请修改原班次，或选择其他用户或时间。',
  },
  onDutyUnknown: {
    code: 11474,
    en: 'This user cannot be on call here because they cannot open alarms of this place. Choose another user.',
    zh: '该用户无权查看此处的告警，不能在此值班，请选择其他用户。',
  },
  substituteUnreachable: {
    code: 11920,
    en: '{name} cannot be reached: no email address and no browser registered for pushes. Add an email address to their account, or choose another substitute.',
    zh: '无法联系 {name}：账号没有邮箱，也没有注册接收推送的浏览器。请为其账号添加邮箱，或选择其他替补人员。',
  },
  onCallRange: {
    code: 11475,
    en: 'The schedule shows {days} days at most. Choose a shorter period.',
    zh: '值班表最多显示 {days} 天，请缩短时间范围。',
  },
  templatePlaceholder: {
    code: 11455,
    en: '{field} uses {placeholder}, which does not exist. Use one of: {known}.',
    zh: '{field}中使用了不存在的占位符 {placeholder}，可用的有：{known}。',
  },
  webhookUrl: {
    code: 11456,
    en: '{field} must be an https:// address without user name and password.',
    zh: '{field}必须是 https:// 地址，且不含用户名和密码。',
  },
  webhookPrivate: {
    code: 11457,
    en: '{field} must not be inside a private network. The operator of the server can allow this.',
    zh: '{field}不能指向内网地址；如需使用，请由服务器运维人员开启。',
  },
  webhookSites: {
    code: 11458,
    en: 'A selected site does not belong to the customer of the webhook.',
    zh: '所选站点不属于该 Webhook 的客户。',
  },
  sendUnreachable: {
    code: 11460,
    en: 'The receiver or the text of this message does not exist any more.',
    zh: '该消息的接收方或正文已不存在。',
  },
  tooManyWebhooks: {
    code: 11459,
    en: 'A customer can have {limit} webhooks. Delete one first.',
    zh: '每个客户最多可有 {limit} 个 Webhook，请先删除一个。',
  },
} as const satisfies Record<string, CodeEntry>;
