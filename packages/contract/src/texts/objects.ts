import type { Locale } from '../constants.ts';

const LABELS = {
  customer: { en: 'customer', zh: '客户' },
  site: { en: 'site', zh: '站点' },
  device: { en: 'device', zh: '设备' },
  blacklistEntry: { en: 'waiting device', zh: '待注册设备' },
  role: { en: 'role', zh: '角色' },
  user: { en: 'user', zh: '用户' },
  application: { en: 'application', zh: '应用' },
  applicationSecret: { en: 'secret', zh: '密钥' },
  mail: { en: 'mail', zh: '邮件' },
  message: { en: 'message', zh: '消息' },
  menu: { en: 'menu', zh: '菜单' },
  interface: { en: 'interface', zh: '接口' },
  session: { en: 'session', zh: '登录会话' },
  privacyPolicy: { en: 'privacy policy', zh: '隐私政策' },
  itemGroup: { en: 'group', zh: '分组' },
  dataItem: { en: 'data item', zh: '数据项' },
  firmware: { en: 'firmware file', zh: '固件文件' },
  deviceLog: { en: 'log', zh: '日志' },
  deviceModel: { en: 'device model', zh: '设备型号' },
  modelAlias: { en: 'alias', zh: '别名' },
  execution: { en: 'execution', zh: '执行记录' },
  parameterBaseline: { en: 'baseline', zh: '参数基线' },
  alarm: { en: 'alarm', zh: '告警' },
  commandBatch: { en: 'batch command', zh: '批量指令' },
  deviceImage: { en: 'picture', zh: '图片' },
  alarmCode: { en: 'alarm code', zh: '告警码' },
  document: { en: 'document', zh: '文档' },
  attachment: { en: 'file', zh: '文件' },
  attachmentContent: { en: 'file', zh: '文件' },
  folder: { en: 'folder', zh: '目录' },
  documentCategory: { en: 'category', zh: '分类' },
  documentVersion: { en: 'version', zh: '版本' },
  issue: { en: 'issue', zh: '问题' },
  linkRecording: { en: 'recording', zh: '终端录像' },
  linkTransfer: { en: 'transfer', zh: '传输任务' },
  link: { en: 'link', zh: '远程连接' },
  issueLink: { en: 'link', zh: '关联' },
  issueView: { en: 'view', zh: '视图' },
  onCallShift: { en: 'shift', zh: '班次' },
  share: { en: 'share', zh: '分享' },
  webhook: { en: 'webhook', zh: 'Webhook' },
  messageSend: { en: 'sent message', zh: '发送记录' },
  pushBrowser: { en: 'browser', zh: '浏览器' },
  sharedUpload: { en: 'upload', zh: '上传任务' },
  error: { en: 'error', zh: '错误' },
  job: { en: 'job', zh: '任务' },
  systemParameter: { en: 'parameter', zh: '参数' },
  parameterChange: { en: 'change', zh: '修改记录' },
  dictionary: { en: 'dictionary', zh: '字典' },
  dictionaryEntry: { en: 'entry', zh: '字典条目' },
  dictionaryChange: { en: 'change', zh: '修改记录' },
  frame: { en: 'frame', zh: '报文' },
  token: { en: 'token', zh: '授权卡' },
  tokenImport: { en: 'import', zh: '导入任务' },
  unknownToken: { en: 'presented token', zh: '未知卡' },
  transaction: { en: 'charging session', zh: '充电会话' },
} as const satisfies Record<string, { en: string; zh: string }>;

/** The kinds of objects that a request can name and that may not exist. */
export type ObjectName = keyof typeof LABELS;

/** The name of a kind of object in a language; undefined for an unknown kind. */
export function objectLabel(name: string, locale: Locale): string | undefined {
  const label = Object.hasOwn(LABELS, name) ? LABELS[name as ObjectName] : undefined;
  return label && (locale === 'zh-CN' ? label.zh : label.en);
}
