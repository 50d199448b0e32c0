import type { CodeEntry } from '../operations/message.ts';

/** Tokens, their policies and lists: 12200-12259. */
export const TOKEN_CODES = {
  tokenTaken: {
    code: 12200,
    en: '{field}: this customer has a token with this value already. Upper and lower case make no difference.',
    zh: '{field}：该客户已有此卡号（不区分大小写）。',
  },
  tokenForm: {
    code: 12201,
    en: '{field}: enter 1 to {limit} letters, digits or signs, without spaces.',
    zh: '{field}：请填写 1 到 {limit} 个字母、数字或符号，不能有空格。',
  },
  tokenPeriod: {
    code: 12202,
    en: '{field}: the end must be after the start.',
    zh: '{field}：失效时间必须晚于生效时间。',
  },
  tokenSites: {
    code: 12203,
    en: '{field}: every site must belong to the customer of the token.',
    zh: '{field}：所选站点必须都属于该卡的客户。',
  },
  tooManyTokens: {
    code: 12204,
    en: 'A customer can have at most {limit} tokens. Delete those that are not used any more.',
    zh: '每个客户最多 {limit} 张授权卡，请先删除不再使用的卡。',
  },
  tokenNoList: {
    code: 12205,
    en: 'This device has no local authorization list, or it has not connected yet.',
    zh: '该设备没有本地授权列表，或尚未连接。',
  },
  tokenImportRunning: {
    code: 12206,
    en: '{user} is importing tokens for this customer. Wait until this import has ended.',
    zh: '{user} 正在为该客户导入授权卡，请等待导入完成。',
  },
  tokenImportUnsupported: {
    code: 12207,
    en: 'Unsupported file type: only .xlsx files can be imported.',
    zh: '不支持的文件类型：只能导入 .xlsx 文件。',
  },
  tokenImportTwice: {
    code: 12208,
    en: '{field}: row {row} of the file has this value, too. Remove one of the two rows.',
    zh: '{field}：与文件第 {row} 行重复，请删除其中一行。',
  },
  tokenImportType: {
    code: 12209,
    en: '{field}: OCPP has no type “{value}”. Enter one of {expected}.',
    zh: '{field}：OCPP 没有类型“{value}”，请填写：{expected}。',
  },
  tokenImportTime: {
    code: 12210,
    en: '{field}: enter a date, such as 2026-12-31 or 2026-12-31 18:00.',
    zh: '{field}：请填写日期，例如 2026-12-31 或 2026-12-31 18:00。',
  },
  tokenImportSite: {
    code: 12211,
    en: '{field}: the customer has no site “{value}” that you can see. Separate several sites with “;”.',
    zh: '{field}：该客户没有您可见的站点“{value}”。多个站点请用“;”分隔。',
  },
  tokenImportYesNo: {
    code: 12212,
    en: '{field}: enter Yes or No.',
    zh: '{field}：请填写“是”或“否”。',
  },
  tokenImportDigits: {
    code: 12213,
    en: '{field}: the cell shows a rounded number, so digits are lost. Format the cell as text and enter the value again.',
    zh: '{field}：单元格显示的是舍入后的数字，已丢失位数。请将单元格设为文本格式后重新填写。',
  },
  tokenAddKnown: {
    code: 12214,
    en: 'The token is in the list already.',
    zh: '该卡已在列表中。',
  },
} as const satisfies Record<string, CodeEntry>;
