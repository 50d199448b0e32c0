import { NOT_TRIED_CODE } from '../constants.ts';
import type { CodeEntry } from '../operations/message.ts';

export const WIRE_CODES = {
  routeNotFound: { code: 10001, en: 'API not found.', zh: '接口不存在。' },
  internalError: { code: 10002, en: 'System error, please try again later.', zh: '系统错误，请稍后重试。' },
  bodyTooLarge: { code: 10003, en: 'The request is too large: at most {limit}.', zh: '请求内容过大，最大 {limit}。' },
  tooManyRequests: {
    code: 10004,
    en: 'Too many requests. Wait {seconds} s and try again.',
    zh: '请求过于频繁，请 {seconds} 秒后再试。',
  },
  badBody: { code: 10005, en: 'The request body is not valid JSON.', zh: '请求内容不是有效的 JSON。' },
  csrfMissing: {
    code: 10006,
    en: 'The request was rejected because its x-csrf header does not belong to your session. Reload the page and try again.',
    zh: '请求被拒绝：x-csrf 请求头与当前登录不匹配，请刷新页面后重试。',
  },
  processLeaves: {
    code: 12360,
    en: 'This process is stopping. Another one serves requests.',
    zh: '该进程正在停止，其他进程继续提供服务。',
  },
  databaseAway: {
    code: 10007,
    en: 'The database cannot be reached. Nothing was changed. Try again shortly.',
    zh: '数据库暂时无法访问，数据未做任何改动，请稍后重试。',
  },
  resultUnknown: {
    code: 12000,
    en: 'The database did not confirm the change, so its result is not known. Look at the list before you try again.',
    zh: '数据库未确认本次更改，结果未知。请先查看列表，再决定是否重试。',
  },
  requestDone: {
    code: 12001,
    en: 'This request was already carried out, but its answer was lost. Look at the list to see the result. Nothing was done a second time.',
    zh: '该请求已执行，但应答丢失。请在列表中查看结果，本次未重复执行。',
  },
  tooManyStreams: {
    code: 10008,
    en: 'This session already has {limit} live connections open. Close some tabs.',
    zh: '当前登录已打开 {limit} 个实时连接，请关闭部分标签页。',
  },
  fieldRequired: { code: 10010, en: '{field} is required.', zh: '请填写{field}。' },
  fieldUnknown: { code: 10011, en: '{field} is not a known field.', zh: '未知字段：{field}。' },
  fieldType: { code: 10012, en: '{field} must be of type {expected}.', zh: '{field}的类型应为 {expected}。' },
  fieldTooShort: {
    code: 10013,
    en: '{field} must have at least {limit} characters.',
    zh: '{field}至少需要 {limit} 个字符。',
  },
  fieldTooLong: {
    code: 10014,
    en: '{field} must have at most {limit} characters.',
    zh: '{field}最多 {limit} 个字符。',
  },
  fieldTooSmall: { code: 10015, en: '{field} must be at least {limit}.', zh: '{field}不能小于 {limit}。' },
  fieldTooLarge: { code: 10016, en: '{field} must be at most {limit}.', zh: '{field}不能大于 {limit}。' },
  fieldFormat: {
    code: 10017,
    en: '{field} does not have the right format. Expected: {expected}.',
    zh: '{field}格式不正确，应为：{expected}。',
  },
  fieldChoice: { code: 10018, en: '{field} must be one of: {expected}.', zh: '{field}只能是：{expected}。' },
  fieldCharacters: {
    code: 10019,
    en: '{field} contains an invisible character that is not allowed ({character}). Type it instead of pasting it.',
    zh: '{field}包含不允许的不可见字符（{character}），请手动输入，不要粘贴。',
  },
  fieldItems: {
    code: 10020,
    en: '{field} must have between {min} and {max} entries.',
    zh: '{field}的条目数应在 {min} 到 {max} 之间。',
  },
  fieldRepeated: {
    code: 10024,
    en: '{field} must not contain the same entry twice.',
    zh: '{field}中不能有重复的条目。',
  },
  notTried: {
    code: NOT_TRIED_CODE,
    en: 'Not tried, because an earlier one failed unexpectedly. Try again.',
    zh: '因前面的记录意外失败而未执行，请重试。',
  },
  changedMeanwhile: {
    code: 10023,
    en: 'Someone else has changed this. Nothing was saved. Reload the page to see the current state.',
    zh: '该内容已在别处被修改，您的更改未保存。请刷新页面，查看最新内容后再修改。',
  },
  notFound: {
    code: 10021,
    en: 'This {object} does not exist, or you do not have access to it.',
    zh: '{object}不存在，或您无权访问。',
  },
  jsonTooDeep: {
    code: 10940,
    en: 'The JSON is nested too deeply: at most {limit} levels.',
    zh: 'JSON 嵌套过深，最多 {limit} 层。',
  },
  jsonTooMany: {
    code: 10941,
    en: 'The JSON contains too many values: at most {limit}.',
    zh: 'JSON 包含的值过多，最多 {limit} 个。',
  },
  jsonTooManyFields: {
    code: 10946,
    en: 'An object in the JSON has too many fields: at most {limit}.',
    zh: 'JSON 中有对象的字段过多，最多 {limit} 个。',
  },
  bodyTooSlow: {
    code: 10942,
    en: 'The request took too long to arrive: at most {seconds} s. Check your connection and try again.',
    zh: '请求内容传输超时（最长 {seconds} 秒），请检查网络后重试。',
  },
  workTooLong: {
    code: 10943,
    en: 'Reading the file takes too long. Split it into several smaller files.',
    zh: '文件处理时间过长，请拆分为多个较小的文件。',
  },
  workTooLarge: {
    code: 10944,
    en: 'Reading the file takes too much memory. Split it into several smaller files.',
    zh: '文件处理占用内存过多，请拆分为多个较小的文件。',
  },
  serverBusy: {
    code: 10945,
    en: 'The server is busy with other files. Try again in a minute.',
    zh: '服务器正忙于处理其他文件，请稍后重试。',
  },
  databaseOutdated: {
    code: 10947,
    en: 'The database is missing changes that this version needs. Restart the server to apply them.',
    zh: '数据库缺少当前版本所需的变更，请重启服务器以应用变更。',
  },
  databaseFull: {
    code: 10948,
    en: 'The disk of the database is full. Nothing was changed. Free some space or enlarge the disk.',
    zh: '数据库所在磁盘已满，无法保存数据，数据未做任何改动。请清理或扩容磁盘。',
  },
  databaseReadOnly: {
    code: 10949,
    en: 'The database is read-only at the moment. Connect the server to the primary database.',
    zh: '数据库当前为只读，无法保存数据。请将服务器连接到主数据库。',
  },
  folderFull: {
    code: 10950,
    en: 'The disk of the data folder is full. Nothing was changed. Free some space or enlarge the disk.',
    zh: '数据目录所在磁盘已满，无法保存数据，数据未做任何改动。请清理或扩容磁盘。',
  },
  folderReadOnly: {
    code: 10951,
    en: 'The data folder is not writable. Check its permissions and how its disk is mounted.',
    zh: '数据目录不可写，请检查目录权限及磁盘挂载方式。',
  },
  folderFailed: {
    code: 10952,
    en: 'The data folder is not writable ({reason}). Check its disk.',
    zh: '数据目录写入失败（{reason}），请检查磁盘。',
  },
  databaseClock: {
    code: 10953,
    en: 'The clocks of the database and the server differ by {seconds} s. Synchronize both with NTP.',
    zh: '数据库时钟与服务器时钟相差 {seconds} 秒，请使用 NTP 同步时钟。',
  },
  selectionTooLarge: {
    code: 11130,
    en: 'More than {max} rows match. Narrow the filters, then select all.',
    zh: '匹配的数据超过 {max} 条，请缩小筛选范围后再全选。',
  },
  certificateExpires: {
    code: 11120,
    en: 'The certificate of {setting} is valid only until {date}. Replace it and reload with SIGHUP.',
    zh: '{setting} 的证书有效期至 {date}，请更换证书并发送 SIGHUP 信号重新加载。',
  },
} as const satisfies Record<string, CodeEntry>;
