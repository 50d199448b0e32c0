import type { CodeEntry } from '../operations/message.ts';

export const DEVICE_IMPORT_CODES = {
  importUnsupported: {
    code: 10225,
    en: 'Unsupported file type: only .json, .xlsx and .csv files can be imported.',
    zh: '不支持的文件类型：只能导入 .json、.xlsx 和 .csv 文件。',
  },
  importMustBeJson: {
    code: 10226,
    en: 'The import file must be JSON. It cannot be parsed at line {line}, column {column}.',
    zh: '导入文件必须为 JSON：第 {line} 行第 {column} 列无法解析。',
  },
  importMustBeList: {
    code: 10227,
    en: 'The import file must be JSON with a list of devices: [{ "sn": "…", "name": "…", "site": "…", "model": "…" }].',
    zh: '导入文件必须为 JSON，且内容为设备列表：[{ "sn": "…", "name": "…", "site": "…", "model": "…" }]。',
  },
  importNotXlsx: {
    code: 10228,
    en: 'Upload file format error: this is not a readable .xlsx file.',
    zh: '上传文件格式错误：无法读取该 .xlsx 文件。',
  },
  importInflates: {
    code: 10229,
    en: 'Upload file format error: the unpacked file is larger than {limit}.',
    zh: '上传文件格式错误：文件解压后超过 {limit}。',
  },
  importEmpty: { code: 10230, en: 'The imported data is empty.', zh: '导入数据为空。' },
  importTooManyRows: {
    code: 10231,
    en: 'The file has {count} rows. You can import at most {limit} at once. Split it into several files.',
    zh: '文件包含 {count} 行，一次最多导入 {limit} 行，请拆分后再导入。',
  },
  importTooLarge: {
    code: 10232,
    en: 'The import file is too large: at most {limit}.',
    zh: '导入文件过大，最大 {limit}。',
  },
  importFailed: {
    code: 10233,
    en: 'Nothing was imported. Rows with problems: {count} of {total}.',
    zh: '导入失败：{total} 行中有 {count} 行存在问题，未导入任何设备。',
  },
  importRaced: {
    code: 10234,
    en: 'Import failed: in the meantime, a device was registered, or its site or model was deleted. Nothing was imported. Check the file again.',
    zh: '导入失败：期间有设备被注册，或其站点、型号被删除，未导入任何设备，请重新检查文件。',
  },
  importColumnUnknown: {
    code: 10235,
    en: 'Upload file format error: unknown column "{column}". Available columns: {columns}.',
    zh: '上传文件格式错误：未知的列“{column}”，可用的列：{columns}。',
  },
  importColumnMissing: {
    code: 10236,
    en: 'Upload file format error: the column "{column}" is missing. Name it so in the row with the headings, which must be one of the first 20 rows.',
    zh: '上传文件格式错误：缺少列“{column}”。请在表头行中使用该列名，表头须位于前 20 行内。',
  },
  importColumnTwice: {
    code: 10237,
    en: 'Upload file format error: the column "{column}" appears twice.',
    zh: '上传文件格式错误：列“{column}”重复。',
  },
  importSnTwice: {
    code: 10238,
    en: 'The device SN already exists in row {row} of this file.',
    zh: '设备 SN 已存在：与本文件第 {row} 行重复。',
  },
  importNameTwice: {
    code: 10239,
    en: 'The device name already exists in row {row} of this file, for the same customer.',
    zh: '设备名称已存在：与本文件第 {row} 行重复（同一客户）。',
  },
  importSiteUnknown: {
    code: 10240,
    en: 'The site "{site}" does not exist, or you do not have access to it. Enter its name or code.',
    zh: '站点“{site}”不存在，或您无权访问，请填写站点名称或编码。',
  },
  importSiteAmbiguous: {
    code: 10241,
    en: 'Several sites are named "{site}". Enter the customer, too.',
    zh: '有多个站点名为“{site}”，请同时填写客户。',
  },
  importModelUnknown: {
    code: 10242,
    en: 'This model cannot be selected: the device model "{model}" does not exist.',
    zh: '该型号不可选择：设备型号“{model}”不存在。',
  },
  importModelNear: {
    code: 10243,
    en: 'This model cannot be selected: the device model "{model}" does not exist. Did you mean "{near}"?',
    zh: '该型号不可选择：设备型号“{model}”不存在，是否为“{near}”？',
  },
  importRowShape: {
    code: 10244,
    en: 'A row must be an object such as { "sn": "…", "name": "…", "site": "…", "model": "…" }.',
    zh: '每一行应为对象，例如 { "sn": "…", "name": "…", "site": "…", "model": "…" }。',
  },
  importDigitsLost: {
    code: 11930,
    en: '{field}: the number in the file has lost digits, or is not what the cell shows. Format the column as text and enter the value again.',
    zh: '{field}：文件中的数字已丢失位数，或与单元格显示的内容不一致。请将该列设为文本格式后重新填写。',
  },
  importNotCsv: {
    code: 11931,
    en: 'The text of the file cannot be read. Save it as CSV UTF-8.',
    zh: '无法读取文件中的文字，请另存为 CSV UTF-8 格式。',
  },
  importPasswordPlain: {
    code: 10903,
    en: 'A file with gateway passwords must be encrypted. Import it in the console, or encrypt it as described in the documentation.',
    zh: '含有接入密码的文件必须加密传输：请在控制台中导入，或按文档说明加密后再提交。',
  },
} as const satisfies Record<string, CodeEntry>;
