import { isLevel, type Level } from '@chargehand/domain';
import type { Locale } from '../constants.ts';
import { fieldLabel } from '../fields.ts';

interface Text {
  en: string;
  zh: string;
}

/** The kinds of objects in the action log. */
export const OBJECT_TEXTS = {
  application: { en: 'Application', zh: '应用' },
  attachment: { en: 'File', zh: '文件' },
  attachmentQuota: { en: 'Storage space', zh: '存储空间' },
  outgoing: { en: 'Outgoing traffic', zh: '对外发送' },
  folder: { en: 'Folder', zh: '目录' },
  device: { en: 'Device', zh: '设备' },
  commandBatch: { en: 'Batch command', zh: '批量指令' },
  site: { en: 'Site', zh: '站点' },
  customer: { en: 'Customer', zh: '客户' },
  role: { en: 'Role', zh: '角色' },
  user: { en: 'User', zh: '用户' },
  deviceModel: { en: 'Device model', zh: '设备型号' },
  firmware: { en: 'Firmware file', zh: '固件文件' },
  privacyPolicy: { en: 'Privacy policy', zh: '隐私政策' },
  blacklistEntry: { en: 'Waiting device', zh: '待注册设备' },
  mail: { en: 'Mail', zh: '邮件' },
  dataItem: { en: 'Data item', zh: '数据项' },
  itemGroup: { en: 'Item group', zh: '数据项分组' },
  modelAlias: { en: 'Model alias', zh: '型号别名' },
  parameterBaseline: { en: 'Parameter baseline', zh: '参数基线' },
  menu: { en: 'Menu', zh: '菜单' },
  interface: { en: 'Interface', zh: '接口' },
  issue: { en: 'Issue', zh: '问题' },
  share: { en: 'Share', zh: '分享' },
  error: { en: 'Error', zh: '错误' },
  job: { en: 'Job', zh: '任务' },
  systemParameter: { en: 'System parameter', zh: '系统参数' },
  dictionaryEntry: { en: 'Dictionary entry', zh: '字典条目' },
  viewing: { en: 'View as user', zh: '以该用户身份查看' },
  alarm: { en: 'Alarm', zh: '告警' },
  document: { en: 'Document', zh: '文档' },
  documentCategory: { en: 'Document category', zh: '文档分类' },
  messageSend: { en: 'Sent message', zh: '消息发送记录' },
  messageTemplate: { en: 'Message template', zh: '消息模板' },
  webhook: { en: 'Webhook', zh: 'Webhook' },
  token: { en: 'Token', zh: '授权卡' },
  tokenList: { en: 'Local authorization list', zh: '本地授权列表' },
} as const satisfies Record<string, Text>;

/** A kind of object in the action log. */
export type LoggedObject = keyof typeof OBJECT_TEXTS;

/** Logged fields that are no inputs of a call. */
const FIELD_TEXTS: Readonly<Record<string, Text>> = {
  file: { en: 'File', zh: '文件' },
  webhook: { en: 'Webhook', zh: 'Webhook' },
  recoveryCode: { en: 'Recovery code', zh: '恢复码' },
  recoveryCodes: { en: 'Recovery codes', zh: '恢复码' },
  alarmCode: { en: 'Alarm code', zh: '告警码' },
  attachment: { en: 'Attachments', zh: '附件' },
  cause: { en: 'Reason', zh: '原因' },
  charactersEn: { en: 'Characters, English', zh: '英文字数' },
  charactersZh: { en: 'Characters, Chinese', zh: '中文字数' },
  contact: { en: 'Contact', zh: '联系方式' },
  control: { en: 'Control', zh: '控制' },
  device: { en: 'Device', zh: '设备' },
  download: { en: 'Download', zh: '下载' },
  images: { en: 'Pictures', zh: '图片' },
  interfaces: { en: 'Interfaces', zh: '接口' },
  invited: { en: 'Invitation sent to', zh: '邀请发送至' },
  link: { en: 'Link', zh: '链接' },
  locale: { en: 'Language', zh: '语言' },
  onCall: { en: 'On-call schedule', zh: '值班表' },
  params: { en: 'Parameters', zh: '参数' },
  locked: { en: 'Locked', zh: '已锁定' },
  passwordState: { en: 'Password state', zh: '密码状态' },
  privacyPolicy: { en: 'Privacy policy', zh: '隐私政策' },
  read: { en: 'Read', zh: '查看' },
  recording: { en: 'Recording', zh: '终端录像' },
  watched: { en: 'Watched terminal of', zh: '旁观终端' },
  terminalEnded: { en: 'Ended terminal of', zh: '结束终端' },
  guestJoined: { en: 'Guest joined', zh: '访客加入' },
  guestLeft: { en: 'Guest left', zh: '访客离开' },
  interactive: { en: 'May make changes', zh: '允许操作' },
  hostSession: { en: 'Shared session', zh: '共享会话' },
  receiver: { en: 'Receiver', zh: '接收人' },
  minutes: { en: 'Minutes', zh: '分钟数' },
  copied: { en: 'Copied', zh: '复制数量' },
  substitute: { en: 'Substitute', zh: '替补人员' },
  messages: { en: 'Message defaults', zh: '默认消息设置' },
  sent: { en: 'Sent', zh: '发送' },
  signedBy: { en: 'Signed by', zh: '签名方' },
  signedOut: { en: 'Signed out', zh: '强制下线' },
  signedUntil: { en: 'Signature valid until', zh: '签名有效期至' },
  since: { en: 'Since', zh: '开始时间' },
  site: { en: 'Site', zh: '站点' },
  unmaintainedDays: { en: 'Days unmaintained', zh: '未维护天数' },
  until: { en: 'Until', zh: '结束时间' },
  user: { en: 'Users', zh: '用户' },
  uses: { en: 'Uses', zh: '使用次数' },
  wiki: { en: 'Documents', zh: '文档' },
  write: { en: 'Write', zh: '编辑' },
  wrongCodes: { en: 'Wrong codes', zh: '输错次数' },
};

/** Logged values that have a text, by field. `flag`: of every field. */
const VALUE_TEXTS: Readonly<Record<string, Readonly<Record<string, Text>>>> = {
  flag: {
    true: { en: 'Yes', zh: '是' },
    false: { en: 'No', zh: '否' },
  },
  recoveryCode: {
    used: { en: 'Used', zh: '已使用' },
  },
  recoveryCodes: {
    renewed: { en: 'Renewed', zh: '已重新生成' },
  },
  passwordState: {
    own: { en: 'Chosen by the user', zh: '本人设置' },
    given: { en: 'Set by someone else', zh: '由他人设置' },
  },
  recording: {
    output: { en: 'Shown text', zh: '显示内容' },
    input: { en: 'Typed text', zh: '输入内容' },
    activity: { en: 'Activity', zh: '活动记录' },
  },
  state: {
    new: { en: 'New', zh: '新错误' },
    known: { en: 'Known', zh: '已知' },
    solved: { en: 'Solved', zh: '已解决' },
  },
  solvedIn: {
    now: { en: 'At once', zh: '立即' },
    nextVersion: { en: 'The next version', zh: '下一版本' },
  },
  link: {
    resetPassword: { en: 'Password reset', zh: '重置密码' },
    invitation: { en: 'Invitation', zh: '邀请' },
    ssh: { en: 'Terminal', zh: '终端' },
    web: { en: 'Web pages', zh: 'WEB 页面' },
    vpn: { en: 'VPN', zh: 'VPN' },
  },
};

/** The kinds of commands, as the console names them. */
export const COMMAND_TEXTS: Readonly<Record<string, Text>> = {
  softReset: { en: 'Soft reset', zh: '软重启' },
  hardReset: { en: 'Hard reset', zh: '硬重启' },
  disableSystem: { en: 'Disable system', zh: '停用系统' },
  enableSystem: { en: 'Enable system', zh: '启用系统' },
  disableConnector: { en: 'Disable connector', zh: '停用该枪' },
  enableConnector: { en: 'Enable connector', zh: '启用该枪' },
  refreshConfiguration: { en: 'Refresh configuration', zh: '刷新配置' },
  refreshParameters: { en: 'Read parameters', zh: '读取参数' },
  setParameter: { en: 'Set parameter', zh: '设置参数' },
  upgradeSoftware: { en: 'Upgrade software', zh: '软件升级' },
  uploadLog: { en: 'Fetch log', zh: '获取日志' },
  updatePlcFirmware: { en: 'Update PLC firmware', zh: '更新 PLC 固件' },
  startVpn: { en: 'Start VPN', zh: '启动 VPN' },
  stopVpn: { en: 'Stop VPN', zh: '停止 VPN' },
  restartCcu: { en: 'Restart CCU', zh: '重启 CCU' },
  remoteStart: { en: 'Remote start', zh: '远程启动' },
  remoteStop: { en: 'Remote stop', zh: '远程停止' },
  unlockConnector: { en: 'Unlock connector', zh: '解锁枪' },
  clearCache: { en: 'Clear authorization cache', zh: '清除授权缓存' },
  triggerMessage: { en: 'Trigger message', zh: '触发消息' },
  changePassword: { en: 'Change password', zh: '修改接入密码' },
  sendMessage: { en: 'Send protocol message', zh: '下发协议消息' },
  updateTokenList: { en: 'Update authorization list', zh: '更新授权列表' },
};

/** The levels 0 to 5, as the console names them. */
export const LEVEL_TEXTS: Readonly<Record<Level, Text>> = {
  0: { en: '0 (highest)', zh: '0（最高）' },
  1: { en: '1 (very high)', zh: '1（很高）' },
  2: { en: '2 (high)', zh: '2（较高）' },
  3: { en: '3 (medium)', zh: '3（中等）' },
  4: { en: '4 (low)', zh: '4（较低）' },
  5: { en: '5 (lowest)', zh: '5（最低）' },
};

/** The name of a level. */
export function levelText(level: Level, locale: Locale): string {
  return inLocale(LEVEL_TEXTS[level], locale);
}

/** The name of a kind of object. A kind without a text is returned unchanged. */
export function objectText(type: string, locale: Locale): string {
  return textOf(OBJECT_TEXTS, type, locale) ?? type;
}

/**
 * The label of a logged field: `levels.device.read` is the level for reading devices. A part without a text, such as
 * the key of a parameter, is returned unchanged.
 */
export function loggedField(path: string, locale: Locale): string {
  const labelOf = (part: string) => textOf(FIELD_TEXTS, part, locale) ?? fieldLabel(part, locale);
  return partsOf(path).map(labelOf).join(' · ');
}

/** The text of a logged value, such as the name of a level; null for values that are shown unchanged. */
export function loggedValue(path: string, value: unknown, locale: Locale): string | null {
  const parts = partsOf(path);
  const field = parts.at(-1) ?? '';
  if (typeof value === 'boolean') return textOf(VALUE_TEXTS.flag, String(value), locale);
  if (isLevel(value) && (parts[0] === 'levels' || /level$/i.test(field))) return levelText(value, locale);
  if (typeof value !== 'string') return null;
  if (field === 'kind') return textOf(COMMAND_TEXTS, value, locale);
  return textOf(VALUE_TEXTS[field], value, locale);
}

/** The names along a path as in the contract, even when a column name was logged. */
export function partsOf(path: string): string[] {
  return path.split('.').map((part) => part.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

function textOf(texts: Readonly<Record<string, Text>> | undefined, key: string, locale: Locale): string | null {
  const text = texts && Object.hasOwn(texts, key) ? texts[key] : undefined;
  return text ? inLocale(text, locale) : null;
}

function inLocale({ en, zh }: Text, locale: Locale): string {
  return locale === 'zh-CN' ? zh : en;
}
