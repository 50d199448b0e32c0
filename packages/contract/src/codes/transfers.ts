import type { CodeEntry } from '../operations/message.ts';

export const TRANSFER_CODES = {
  firmwareUnknown: {
    code: 10371,
    en: 'There is no such firmware file for this device.',
    zh: '没有适用于该设备的此固件文件。',
  },
  firmwareSize: {
    code: 10372,
    en: 'The upload is incomplete: received {arrived} of {expected} bytes. Upload the file again.',
    zh: '收到 {arrived} 字节，文件应为 {expected} 字节，上传不完整，请重新上传。',
  },
  firmwareChecksum: {
    code: 10373,
    en: 'The received file differs: its checksum is {arrived}.',
    zh: '收到的内容与文件不一致，其校验和为 {arrived}。',
  },
  firmwareAwaited: {
    code: 10374,
    en: 'A device is about to download this file. You can delete it when the upgrade has ended.',
    zh: '有设备正在等待下载该文件，升级结束后才能删除。',
  },
  firmwareRunning: {
    code: 10375,
    en: 'The device already runs version {version}.',
    zh: '设备已运行版本 {version}。',
  },
  ftpOff: {
    code: 10376,
    en: 'FTP is turned off. Choose HTTP, or ask the operator to set CHARGEHAND_FTP_PORT.',
    zh: 'FTP 服务未启用，请选择 HTTP，或联系管理员设置 CHARGEHAND_FTP_PORT。',
  },
  logTimesTurned: {
    code: 10377,
    en: 'The end of the time range must be after its start.',
    zh: '结束时间必须晚于开始时间。',
  },
  signatureAlone: {
    code: 10378,
    en: 'A signing certificate and a signature are required together. {field} is missing.',
    zh: '签名证书与签名须同时提供，缺少{field}。',
  },
  signingCertificateUnreadable: {
    code: 10379,
    en: '{field} must be a single X.509 certificate in PEM, with an RSA or elliptic-curve key.',
    zh: '{field}须为单个 PEM 格式的 X.509 证书，密钥类型为 RSA 或椭圆曲线。',
  },
  signingCertificateExpired: {
    code: 10380,
    en: '{field} expired on {until}. Ask the manufacturer for a newly signed file.',
    zh: '{field}已于 {until} 过期，请向厂商索取重新签名的文件。',
  },
  signingCertificateEarly: {
    code: 10381,
    en: '{field} is not valid before {from}.',
    zh: '{field}尚未生效，生效日期为 {from}。',
  },
  signatureUnreadable: {
    code: 10382,
    en: '{field} must be base64 of at most 800 characters.',
    zh: '{field}须为 Base64 编码，且不超过 800 个字符。',
  },
  signatureUnfit: {
    code: 10383,
    en: '{field} does not match the file and this certificate (RSA or ECDSA with SHA-256).',
    zh: '{field}与固件文件及签名证书不匹配（RSA 或 ECDSA，SHA-256）。',
  },
  signatureAwaited: {
    code: 10384,
    en: 'A device is about to download this file. You can change its signature when the upgrade has ended.',
    zh: '有设备正在等待下载该文件，升级结束后才能修改签名。',
  },
  transferOver: {
    code: 12002,
    en: 'This transfer has already ended.',
    zh: '该传输已结束。',
  },
} as const satisfies Record<string, CodeEntry>;
