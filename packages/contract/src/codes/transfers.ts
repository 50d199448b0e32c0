import type { CodeEntry } from '../message.ts';

export const TRANSFER_CODES = {
  firmwareUnknown: {
    code: 10371,
    en: 'There is no such firmware file for this kind of device.',
    zh: '没有适用于该设备的此固件文件。',
  },
  firmwareSize: {
    code: 10372,
    en: 'What arrived has {arrived} bytes, the file has {expected}: the upload broke off. Upload it again.',
    zh: '收到 {arrived} 字节，文件应为 {expected} 字节，上传不完整，请重新上传。',
  },
  firmwareChecksum: {
    code: 10373,
    en: 'What arrived is not the file: its checksum is {arrived}.',
    zh: '收到的内容与文件不一致，其校验和为 {arrived}。',
  },
  firmwareAwaited: {
    code: 10374,
    en: 'A device is about to fetch this file. It can be deleted when the upgrade has ended.',
    zh: '有设备正在等待下载该文件，升级结束后才能删除。',
  },
  firmwareRunning: {
    code: 10375,
    en: 'The device runs version {version} already.',
    zh: '设备已运行版本 {version}。',
  },
  ftpOff: {
    code: 10376,
    en: 'FTP is switched off: choose HTTP, or ask the operator to set CHARGEHAND_FTP_PORT.',
    zh: 'FTP 服务未启用，请选择 HTTP，或联系管理员设置 CHARGEHAND_FTP_PORT。',
  },
  logTimesTurned: {
    code: 10377,
    en: 'The end of the time must be after its start.',
    zh: '结束时间必须晚于开始时间。',
  },
} as const satisfies Record<string, CodeEntry>;
