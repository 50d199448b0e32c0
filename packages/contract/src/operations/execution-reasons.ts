import type { ExecutionReason } from '@chargehand/domain';

/** Why an execution ended, for the user who sent it: what happened and how to continue. */
export const executionReasons: Record<ExecutionReason, { en: string; zh: string }> = {
  accepted: { en: 'Accepted by the device.', zh: '设备已接受。' },
  rebootRequired: {
    en: 'Accepted by the device. The value takes effect after a restart.',
    zh: '设备已接受该值，重启后生效。',
  },
  scheduled: {
    en: 'Accepted by the device. It runs when the current charging session has ended.',
    zh: '设备已接受，将在当前充电结束后执行。',
  },
  reporting: { en: 'Accepted by the device, which is sending its report.', zh: '设备已接受，正在上送报告。' },
  rejected: {
    en: 'Rejected by the device. Its current state may not allow this.',
    zh: '设备已拒绝，可能当前状态不允许此操作。',
  },
  notSupported: { en: 'The device does not support this command.', zh: '设备不支持该指令。' },
  callError: { en: 'The device responded with an error.', zh: '设备返回错误。' },
  badAnswer: {
    en: 'The response of the device does not conform to the protocol. It is unknown whether the command was executed.',
    zh: '设备的应答不符合协议，无法确定是否已执行。',
  },
  noAnswer: {
    en: 'The device stayed connected but did not respond in time. It is unknown whether the command was executed.',
    zh: '设备保持连接但未按时应答，无法确定是否已执行。',
  },
  deviceOffline: { en: 'The device was offline. The command was not sent.', zh: '设备离线，指令未下发。' },
  connectionLost: {
    en: 'The connection was lost before the device responded. It is unknown whether the command was executed.',
    zh: '设备应答前连接中断，无法确定是否已执行。',
  },
  deviceDisabled: { en: 'The device was disabled before the command was sent.', zh: '指令下发前设备已被停用。' },
  notSent: {
    en: 'The device was busy with earlier commands until this one timed out. The command was not sent.',
    zh: '设备一直忙于执行先前的指令，本指令等待超时，未下发。',
  },
  notIdle: {
    en: 'A vehicle was charging until the deadline. The command was not sent. Send it again with a later deadline.',
    zh: '截止时间前设备一直在充电，指令未下发。请延长截止时间后重新下发。',
  },
  unknownVendor: { en: 'The device does not know the commands of this vendor.', zh: '设备不识别该厂商的指令。' },
  unknownMessage: { en: 'The device does not know this command.', zh: '设备不识别该指令。' },
  acceptedCanceled: {
    en: 'Accepted by the device. It cancelled a task of the same kind that was in progress.',
    zh: '设备已接受，并取消了正在进行的同类任务。',
  },
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
  cancelled: {
    en: 'Cancelled before the command was sent.',
    zh: '指令下发前已被取消。',
  },
  batchStopped: {
    en: 'The batch stopped before the command was sent.',
    zh: '批量指令已停止，该设备未下发。',
  },
  sessionInProgress: {
    en: 'A vehicle was charging. The command was not sent. Send it again when the session has ended.',
    zh: '设备正在充电，指令未下发。请在充电结束后重新下发。',
  },
  maintenanceNeeded: {
    en: 'The device was not in maintenance. The command was not sent. Start maintenance and send it again.',
    zh: '设备不在维护状态，指令未下发。请先设为维护状态再重新下发。',
  },
  deviceBusy: {
    en: 'The device was busy with another command. The command was not sent.',
    zh: '设备忙，正在执行其他指令，本指令未下发。',
  },
  sameValue: {
    en: 'The parameter already had this value. The command was not sent.',
    zh: '参数值与当前值相同，无需设置。',
  },
  firmwareRunning: {
    en: 'The device already runs this version. The command was not sent.',
    zh: '设备已运行该版本，无需升级。',
  },
  connectorUnknown: {
    en: 'The device does not have this connector. The command was not sent.',
    zh: '设备没有该枪，指令未下发。',
  },
  parameterUnknown: {
    en: 'The device does not have this parameter. The command was not sent.',
    zh: '设备没有该参数，指令未下发。',
  },
  parameterReadonly: {
    en: 'The parameter is read-only on this device. The command was not sent.',
    zh: '该设备上此参数为只读，指令未下发。',
  },
  unknownKey: { en: 'The device does not know this parameter.', zh: '设备没有该参数。' },
  transactionStarted: { en: 'The charging session has started.', zh: '充电已启动。' },
  transactionEnded: { en: 'The charging session has ended.', zh: '充电已结束。' },
  messageReceived: { en: 'The requested message was received.', zh: '已收到所请求的消息。' },
  restarted: { en: 'The device has restarted and is connected again.', zh: '设备已重启并重新上线。' },
  linkOpened: { en: 'The device has connected.', zh: '设备已建立连接。' },
  availabilityChanged: { en: 'The change of availability has taken effect.', zh: '可用状态的更改已生效。' },
  notConfirmed: {
    en: 'Accepted by the device, but it did not report the result in time.',
    zh: '设备已接受指令，但未在规定时间内上报执行结果。',
  },
  noSession: {
    en: 'The charging session had already ended. The command was not sent.',
    zh: '充电已结束，指令未下发。',
  },
  unlocked: { en: 'The device unlocked the connector.', zh: '设备已解锁该枪。' },
  unlockFailed: {
    en: 'The device could not unlock the connector. Check the lock and the plug on site.',
    zh: '设备未能解锁该枪，请到现场检查枪锁和插头。',
  },
  passwordInUse: {
    en: 'The device already uses the new password, or a later change replaced this one. The command was not sent.',
    zh: '设备已使用新密码，或本次修改已被替换，指令未下发。',
  },
  answered: { en: 'The device responded. The response matches its schema.', zh: '设备已应答，应答符合协议规范。' },
  otherStatus: {
    en: 'The device responded, but did not accept the message.',
    zh: '设备已应答，但未表示接受。',
  },
  controlNotOffered: {
    en: 'The model of the device does not have this control. The command was not sent.',
    zh: '该型号的设备没有此控制项，指令未下发。',
  },
  noPermission: {
    en: 'Your level does not allow this command on the model of the device. The command was not sent.',
    zh: '您的权限级别不足，不能对该型号的设备执行此指令，指令未下发。',
  },
  batchIncapable: {
    en: 'The model does not allow this for several devices at once. Send the command on the device page.',
    zh: '该型号不支持批量执行此指令，请在设备详情页单独下发。',
  },
};
