import { SOME_DEVICES_BUSY_CODE } from '../constants.ts';
import type { CodeEntry } from '../operations/message.ts';

export const OPERATION_CODES = {
  deviceBusy: {
    code: 10301,
    en: 'The device is busy with another command. Wait until it ends, or cancel or end it under Operations on the device page.',
    zh: '设备忙，正在执行其他指令。请等待其结束，或在设备详情页的“远程操作”中取消或结束该指令。',
  },
  deviceDisabled: { code: 10302, en: 'The device is disabled. Enable it first.', zh: '设备已停用，请先启用。' },
  deviceOffline: { code: 10303, en: 'The device is offline.', zh: '设备离线。' },
  connectorUnknown: { code: 10304, en: 'The device has no connector {connector}.', zh: '设备没有 {connector} 号枪。' },
  sameValue: { code: 10305, en: 'The parameter already has this value.', zh: '参数值与当前值相同，无需设置。' },
  parameterUnknown: { code: 10306, en: 'The device has no parameter {key}.', zh: '设备没有参数 {key}。' },
  parameterReadonly: { code: 10307, en: 'The parameter {key} is read-only.', zh: '参数 {key} 为只读。' },
  parameterSecret: {
    code: 10309,
    en: 'The parameter {key} is the connection password. Change the gateway password of the device instead.',
    zh: '参数 {key} 是设备的接入密码，请在设备信息中修改接入密码。',
  },
  parameterHoldsSecret: {
    code: 10391,
    en: 'The parameter {key} contains a password. It cannot be set here, because commands are stored in logs.',
    zh: '参数 {key} 为密码类参数，下发内容会记入日志，因此不支持在此设置。',
  },
  baselineNameExists: {
    code: 10392,
    en: 'The model already has a baseline with this name.',
    zh: '该型号已有同名基线。',
  },
  baselineEmpty: {
    code: 10393,
    en: 'The device has not reported any parameters to save. Read them first.',
    zh: '设备没有可保存的参数，请先读取参数。',
  },
  comparedWithOne: {
    code: 10394,
    en: 'Choose either another device or a baseline to compare with.',
    zh: '请选择另一台设备或一个基线进行对比。',
  },
  startInPast: {
    code: 11100,
    en: 'The start time has passed. Choose a later one.',
    zh: '开始时间已过，请选择更晚的时间。',
  },
  startTooFar: {
    code: 11101,
    en: 'The start time is more than {days} days ahead. Choose an earlier one.',
    zh: '开始时间超过 {days} 天，请选择更早的时间。',
  },
  paramMissing: { code: 10308, en: '{field} is required for this command.', zh: '该指令需要填写{field}。' },
  controlNotOffered: {
    code: 10340,
    en: 'Devices of the model {model} do not have this control.',
    zh: '型号 {model} 的设备没有该控制项。',
  },
  sessionInProgress: {
    code: 10341,
    en: 'Not possible while charging. Wait until the session ends. If the device no longer reports the session, close it on the device page.',
    zh: '充电时无法执行。请等待充电结束；如设备已不再上报该会话，请在设备详情页手动关闭。',
  },
  maintenanceNeeded: {
    code: 10342,
    en: 'This control is only possible in maintenance. Start maintenance of the device first.',
    zh: '该控制仅能在维护状态下执行，请先将设备设为维护状态。',
  },
  executionNotQueued: {
    code: 10343,
    en: 'The command was already sent or has ended. It cannot be cancelled.',
    zh: '指令已下发或已结束，无法取消。',
  },
  someDevicesBusy: {
    code: SOME_DEVICES_BUSY_CODE,
    en: 'Some devices are busy with other commands: {busy} of {total}.',
    zh: '部分设备忙，正在执行其他指令：共 {total} 台，其中 {busy} 台忙。',
  },
  batchTooManySites: {
    code: 11131,
    en: 'The devices belong to {sites} sites. A command can be sent to at most {max} sites in one step.',
    zh: '所选设备属于 {sites} 个站点，一次最多可向 {max} 个站点下发指令。',
  },
  batchIncapable: {
    code: 10346,
    en: 'Not all devices support this as a batch command. Devices of the model {model} do not.',
    zh: '并非所有设备都支持批量执行：型号 {model} 的设备不支持。',
  },
  queueTooShort: {
    code: 10347,
    en: 'With this many devices one after another, allow at least {minutes} minutes of waiting.',
    zh: '设备数量较多，需依次下发，等待时间至少为 {minutes} 分钟。',
  },
  batchRunning: {
    code: 10348,
    en: 'The batch command is still in progress. Wait until it ends, or cancel the remaining devices first.',
    zh: '批量指令仍在执行，请等待结束或先取消其余设备。',
  },
  batchOver: {
    code: 10349,
    en: 'The batch command has ended. No devices are waiting.',
    zh: '批量指令已结束，没有等待中的设备。',
  },
  batchNothingToRerun: {
    code: 10350,
    en: 'There are no failed devices to retry.',
    zh: '没有需要重试的设备。',
  },
  noSession: {
    code: 11000,
    en: 'No charging session is in progress on this connector.',
    zh: '该枪当前没有正在进行的充电。',
  },
  notForBatches: {
    code: 11001,
    en: 'This command can only be sent to one device at a time.',
    zh: '该指令只能逐台下发，不支持批量执行。',
  },
  messageUnknown: {
    code: 11002,
    en: '{action} is not a message that this protocol version sends to devices.',
    zh: '{action} 不是该协议版本中下发给设备的消息。',
  },
  messageInvalid: {
    code: 11003,
    en: 'The message does not match its schema: {problem}.',
    zh: '消息不符合协议规范：{problem}。',
  },
  messageHoldsSecret: {
    code: 11004,
    en: 'The message contains a password or another secret. Secrets cannot be sent here, because messages are stored. Change the password of the device on its edit page.',
    zh: '消息中含有密码或其他机密。消息会被保存，因此不能在此下发机密。设备接入密码请在编辑设备页面修改。',
  },
  protocolUnknown: {
    code: 11005,
    en: 'The device has not connected by OCPP yet, so its protocol version is unknown.',
    zh: '设备尚未通过 OCPP 接入，协议版本未知。',
  },
  messageTooLong: {
    code: 11006,
    en: 'The message is too long: at most {limit} characters.',
    zh: '消息过长，最多 {limit} 个字符。',
  },
} as const satisfies Record<string, CodeEntry>;
