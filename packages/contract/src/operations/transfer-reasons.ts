import type { TransferReason } from '@chargehand/domain';

/** Why a transfer failed or timed out, for the user who started it. */
export const transferReasons: Record<TransferReason, { en: string; zh: string }> = {
  commandFailed: {
    en: 'The device did not accept the command. See its execution.',
    zh: '设备未接受该指令，详见执行记录。',
  },
  downloadFailed: { en: 'The device could not download the file.', zh: '设备下载文件失败。' },
  invalidSignature: { en: 'The device does not accept the signature of the file.', zh: '设备校验文件签名失败。' },
  invalidCertificate: {
    en: 'The device does not accept the signing certificate of the file.',
    zh: '设备不认可固件文件的签名证书。',
  },
  revokedCertificate: {
    en: 'The device reports that the signing certificate of the file was revoked.',
    zh: '设备上报固件文件的签名证书已被吊销。',
  },
  signedNotSupported: {
    en: 'The device does not support signed firmware. The file was not sent without its signature.',
    zh: '设备不支持签名固件升级，未改为无签名下发。',
  },
  notInstallable: {
    en: 'The device checked the file before installing it and rejected it. It still runs the previous version.',
    zh: '设备安装前校验固件未通过，仍运行原版本。',
  },
  installFailed: {
    en: 'The device could not install the file. It still runs the previous version.',
    zh: '设备安装失败，仍运行原版本。',
  },
  wrongVersion: {
    en: 'The device reported that the file is installed, but now reports another version.',
    zh: '设备上报已安装，但重启后的版本与固件文件不一致。',
  },
  uploadFailed: { en: 'The device could not upload its log.', zh: '设备上传日志失败。' },
  refused: { en: 'The device refused to upload its log.', zh: '设备拒绝上传日志。' },
  noProgress: {
    en: 'The device did not finish in time. It may still finish later.',
    zh: '设备未在期限内完成，之后仍可能继续执行。',
  },
  notVerified: {
    en: 'The device reported that the file is installed, but did not report its version in time.',
    zh: '设备上报已安装，但未在期限内上报版本。',
  },
  notReceived: {
    en: 'The device reported that it uploaded its log, but no file was received.',
    zh: '设备上报已上传，但平台未收到文件。',
  },
  forgotten: {
    en: 'The device restarted or reported that it has nothing to do, and did not continue.',
    zh: '设备已重启或上报空闲，之后未继续执行。',
  },
  endedByUser: {
    en: 'A user ended the transfer. The device may still finish it.',
    zh: '已由用户结束，设备可能仍会继续执行。',
  },
};
