import type { ExecutionReason } from '@chargehand/domain';

/** Why an execution ended as it did, for whoever asked: what happened, and what can be done about it. */
export const executionReasons: Record<ExecutionReason, { en: string; zh: string }> = {
  accepted: { en: 'The device did it.', zh: '设备已执行。' },
  rebootRequired: {
    en: 'The device accepted the value; it takes effect after a restart.',
    zh: '设备已接受该值，重启后生效。',
  },
  scheduled: {
    en: 'The device will do it as soon as the charging session in progress has ended.',
    zh: '设备将在当前充电结束后执行。',
  },
  rejected: {
    en: 'The device refused. It may be in a state in which it cannot do this.',
    zh: '设备拒绝执行，可能当前状态不允许此操作。',
  },
  notSupported: { en: 'The device does not support this command.', zh: '设备不支持该指令。' },
  callError: { en: 'The device answered with an error.', zh: '设备返回错误。' },
  badAnswer: {
    en: 'The device answered something that the protocol does not allow. Whether it did it is not known.',
    zh: '设备的应答不符合协议，无法确定是否已执行。',
  },
  noAnswer: {
    en: 'The device stayed connected but did not answer in time. Whether it did it is not known.',
    zh: '设备保持连接但未按时应答，无法确定是否已执行。',
  },
  deviceOffline: { en: 'The device was offline; it was not asked.', zh: '设备离线，指令未下发。' },
  connectionLost: {
    en: 'The connection was lost before the device answered. Whether it did it is not known.',
    zh: '设备应答前连接中断，无法确定是否已执行。',
  },
  deviceDisabled: { en: 'The device was disabled before it was asked.', zh: '指令下发前设备已被停用。' },
  notSent: {
    en: 'The device was busy with earlier commands until the time for this one was over; it was not asked.',
    zh: '设备一直忙于执行先前的指令，本指令等待超时，未下发。',
  },
  unknownVendor: { en: 'The device does not know the commands of this maker.', zh: '设备不识别该厂商的指令。' },
  unknownMessage: { en: 'The device does not know this command.', zh: '设备不识别该指令。' },
  acceptedCanceled: {
    en: 'The device agreed, and gave up what it had under way of this kind.',
    zh: '设备已接受，并取消了正在进行的同类任务。',
  },
  invalidCertificate: {
    en: 'The device does not accept the signing certificate of the file.',
    zh: '设备不认可固件文件的签名证书。',
  },
  revokedCertificate: {
    en: 'The device says that the signing certificate of the file was revoked.',
    zh: '设备上报固件文件的签名证书已被吊销。',
  },
  signedNotSupported: {
    en: 'The device takes no signed firmware. The file was not sent without its signature.',
    zh: '设备不支持签名固件升级，未改为无签名下发。',
  },
  cancelled: {
    en: 'Taken back before the device was asked.',
    zh: '指令下发前已被取消。',
  },
  batchStopped: {
    en: 'The batch stopped before the device was asked.',
    zh: '批量指令已停止，该设备未下发。',
  },
  sessionInProgress: {
    en: 'A vehicle was being charged; it was not asked. Give the command again when the session has ended.',
    zh: '设备正在充电，指令未下发。请在充电结束后重新下发。',
  },
  maintenanceNeeded: {
    en: 'The device was not in maintenance; it was not asked. Set it to maintenance and give the command again.',
    zh: '设备不在维护状态，指令未下发。请先设为维护状态再重新下发。',
  },
  deviceBusy: {
    en: 'The device was busy with another command; it was not asked.',
    zh: '设备忙，正在执行其他指令，本指令未下发。',
  },
  sameValue: {
    en: 'The parameter had this value already; it was not asked.',
    zh: '参数值与当前值相同，无需设置。',
  },
  firmwareRunning: {
    en: 'The device runs this version already; it was not asked.',
    zh: '设备已运行该版本，无需升级。',
  },
  connectorUnknown: { en: 'The device has no such connector; it was not asked.', zh: '设备没有该枪，指令未下发。' },
  parameterUnknown: { en: 'The device has no such parameter; it was not asked.', zh: '设备没有该参数，指令未下发。' },
  parameterReadonly: {
    en: 'The parameter can only be read on this device; it was not asked.',
    zh: '该设备上此参数为只读，指令未下发。',
  },
  unknownKey: { en: 'The device does not know this parameter.', zh: '设备没有该参数。' },
  transactionStarted: { en: 'The charging session has started.', zh: '充电已启动。' },
  transactionEnded: { en: 'The charging session has ended.', zh: '充电已结束。' },
  messageReceived: { en: 'The requested message has arrived.', zh: '已收到所请求的消息。' },
  notConfirmed: {
    en: 'The device accepted the command, but did not report in time that it was carried out.',
    zh: '设备已接受指令，但未在规定时间内上报执行结果。',
  },
  noSession: {
    en: 'The charging session had already ended when the turn of this command came; it was not sent.',
    zh: '轮到该指令下发时充电已结束，指令未下发。',
  },
  unlocked: { en: 'The device unlocked the connector.', zh: '设备已解锁该枪。' },
  unlockFailed: {
    en: 'The device could not unlock the connector. Check the lock and the plug on site.',
    zh: '设备未能解锁该枪，请到现场检查枪锁和插头。',
  },
  passwordInUse: {
    en: 'The device uses the new password already, or another change has replaced this one; it was not sent.',
    zh: '设备已使用新密码，或本次修改已被替换，指令未下发。',
  },
  answered: { en: 'The device answered; the answer fits its schema.', zh: '设备已应答，应答符合协议规范。' },
  otherStatus: {
    en: 'The device answered, but not that it accepted the message.',
    zh: '设备已应答，但未表示接受。',
  },
};
