import { FILE_UNKNOWN_CODE } from '../constants.ts';
import type { CodeEntry } from '../operations/message.ts';

export const FILE_CODES = {
  fileUnknown: {
    code: FILE_UNKNOWN_CODE,
    en: '{field}: the uploaded file no longer exists. Upload it again.',
    zh: '{field}：上传的文件已不存在，请重新上传。',
  },
  fileNameless: {
    code: 10802,
    en: '{field}: the file name must have an extension.',
    zh: '{field}：文件名必须带有扩展名。',
  },
  fileType: {
    code: 10803,
    en: '{field}: unsupported file type. Accepted: {types}.',
    zh: '{field}：仅支持以下类型：{types}。',
  },
  fileContent: {
    code: 10804,
    en: '{field}: the file content does not match its extension. Accepted: {types}.',
    zh: '{field}：文件内容与扩展名不符，仅支持：{types}。',
  },
  fileTooLarge: {
    code: 10805,
    en: '{field}: the file is too large, at most {limit}.',
    zh: '{field}：文件过大，最大 {limit}。',
  },
  deviceLogGone: {
    code: 10807,
    en: 'The file of this log is no longer in the object store.',
    zh: '该日志的文件已不在对象存储中。',
  },
  fileEmpty: { code: 10806, en: '{field}: the file is empty.', zh: '{field}：文件为空。' },
} as const satisfies Record<string, CodeEntry>;
