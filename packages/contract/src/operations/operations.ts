import {
  COMMAND_KINDS,
  type CommandKind,
  EXECUTION_REASONS,
  EXECUTION_STATES,
  LOG_TYPES,
  MAX_CONTROL_TYPE,
  MAX_QUEUE_MINUTES,
  OFFLINE_POLICIES,
  PRECONDITIONS,
  TRANSFER_KINDS,
  TRANSFER_REASONS,
  TRANSFER_STATES,
  TRANSPORTS,
  TRIGGER_MESSAGES,
  UPGRADE_STARTS,
  VERIFICATIONS,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import {
  Exact,
  Id,
  IdParams,
  Matching,
  NullableText,
  NullableTime,
  Page,
  Paging,
  RequestKey,
  Time,
  VERBATIM,
  Words,
} from '../schemas.ts';

export const CommandKindSchema = Words(Object.keys(COMMAND_KINDS) as CommandKind[]);

/** The transfer progress of a command. */
export const ExecutionTransfer = Exact({
  kind: Words(TRANSFER_KINDS),
  state: Words(TRANSFER_STATES),
  reason: Type.Union([Words(TRANSFER_REASONS), Type.Null()]),
  detail: NullableText,
  size: Type.Union([Type.Integer(), Type.Null()]),
  /** over the connection so far */
  bytes: Type.Integer(),
  endedAt: NullableTime,
});
export type ExecutionTransfer = Static<typeof ExecutionTransfer>;

export const ExecutionRow = Exact({
  id: Type.String({ format: 'uuid' }),
  commandId: Id,
  kind: CommandKindSchema,
  controlType: Type.Integer({ minimum: 1, maximum: MAX_CONTROL_TYPE }),
  connector: Type.Integer(),
  params: Type.Record(Type.String(), Type.Unknown()),
  state: Words(EXECUTION_STATES),
  /** spec §4: waiting 1, success 2, failure 3, timeout 4, offline 5 */
  result: Type.Integer({ minimum: 1, maximum: 5 }),
  /** equals `result`, except for a file transfer, where it is the result of the transfer */
  outcome: Type.Integer({ minimum: 1, maximum: 5 }),
  /** null if the command transfers no file, or was rejected */
  transfer: Type.Union([ExecutionTransfer, Type.Null()]),
  reason: Type.Union([Words(EXECUTION_REASONS), Type.Null()]),
  /** details that the device reported, if any */
  detail: NullableText,
  requestedBy: Type.String(),
  queuedAt: Time,
  sentAt: NullableTime,
  deadlineAt: Time,
  endedAt: NullableTime,
  lateAnswerAt: NullableTime,
  /** of a parameter that was set: the result of reading it back; `value` is the value that was read, when it differs */
  verification: Type.Union([Exact({ state: Words(VERIFICATIONS), value: NullableText }), Type.Null()]),
  /** `queue`: an offline device gets the command when it connects, until the deadline */
  whenOffline: Words(OFFLINE_POLICIES),
  /** the batch that it belongs to */
  batchId: Type.Union([Id, Type.Null()]),
});
export type ExecutionRow = Static<typeof ExecutionRow>;

/** An execution with the response of the device for callers who may send any message, otherwise null. */
export const ExecutionDetail = Type.Unsafe<ExecutionRow & { answer: unknown }>(
  Exact({ ...ExecutionRow.properties, answer: Type.Unknown() }),
);

/** Where a message does not match its schema: a JSON pointer and the error of ajv. */
export const MessageFault = Type.Unsafe<MessageFault>(
  Exact({ path: Type.String(), keyword: Type.String(), params: Type.Record(Type.String(), Type.Unknown()) }),
);
export interface MessageFault {
  path: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** The payload of a message, as the schema of the protocol defines it. */
const Payload = Type.Unsafe<Record<string, unknown>>(Type.Object({}, VERBATIM));

/** The fields of a command to one device or many. */
export const commandFields = {
  kind: CommandKindSchema,
  /**
   * for disableConnector, enableConnector, remoteStart, remoteStop and unlockConnector, and for triggerMessage when the
   * message concerns a connector. For connector 0, the device itself, use disableSystem and enableSystem
   */
  connector: Type.Optional(Type.Integer({ minimum: 1, maximum: 32_767 })),
  /** for setParameter; for refreshParameters the parameter to read, all when omitted */
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  /** for setParameter */
  value: Type.Optional(Type.String({ maxLength: 500, ...VERBATIM })),
  /** for upgradeSoftware and updatePlcFirmware */
  firmwareId: Type.Optional(Id),
  /** for upgrades: when the command is sent; default now */
  start: Type.Optional(Words(UPGRADE_STARTS)),
  /** with start `at`: the earliest time */
  startAt: Type.Optional(Time),
  /**
   * with start `whenIdle` and `at`: how long it may wait after that time until no vehicle is charging; default one day
   */
  startWithinMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_QUEUE_MINUTES })),
  /** how the file is transferred; default http */
  transport: Type.Optional(Words(TRANSPORTS)),
  /** for uploadLog */
  logType: Type.Optional(Words(LOG_TYPES)),
  /** for uploadLog: the period to cover; default: everything the device has */
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  /** for remoteStart: the id token of the charging session; generated when omitted. CiString20Type of OCPP 1.6 */
  idTag: Type.Optional(Matching('^[\\x21-\\x7e]+$', '04A2B3C4D5E6F7', { minLength: 1, maxLength: 20 })),
  /** for triggerMessage: the message that the device should send */
  message: Type.Optional(Words(TRIGGER_MESSAGES)),
  /** for sendMessage: a message that a CSMS may send in the protocol version of the device, and its payload */
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  payload: Type.Optional(Payload),
  /** the value of the first parameter of the control in the device's model */
  param1: Type.Optional(Type.String({ maxLength: 500, ...VERBATIM })),
  param2: Type.Optional(Type.String({ maxLength: 500, ...VERBATIM })),
  /** `fail` (default): the command fails when the device is offline; `queue`: it waits for the device */
  whenOffline: Type.Optional(Words(OFFLINE_POLICIES)),
  /** with `queue`: how long the command waits; default one hour */
  queueMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_QUEUE_MINUTES })),
  /** the same key gives the command once, also if the request is sent again */
  requestKey: Type.Optional(RequestKey),
};

export const NewCommand = Exact(commandFields);
export type NewCommand = Static<typeof NewCommand>;

const Name = Exact({ en: Type.String(), zh: Type.String() });

/** A control of a device, and whether the caller may use it. */
export const OfferedControl = Exact({
  /** control type: 1 to 11 of spec §9, 12 and higher are defined by this product */
  type: Type.Integer({ minimum: 1, maximum: MAX_CONTROL_TYPE }),
  /** the commands of the control: types 3 and 4 have one for each direction */
  kinds: Type.Array(CommandKindSchema),
  /** the name in the model; null when no model defines one */
  name: Type.Union([Name, Type.Null()]),
  param1: Type.Union([Name, Type.Null()]),
  param2: Type.Union([Name, Type.Null()]),
  precondition: Type.Union([Words(PRECONDITIONS), Type.Null()]),
  /** the precondition is not met for the device as a whole */
  unmet: Type.Boolean(),
  may: Type.Boolean(),
});
export type OfferedControl = Static<typeof OfferedControl>;

export const operationsEndpoints = {
  sendCommand: endpoint({
    id: 'commands.send',
    method: 'POST',
    path: '/api/auth/sys/devices/:id/commands',
    policy: {
      route: { keys: ['auth_device_detail'] },
      row: { object: 'device', from: 'params.id' },
      level: { command: 'body.kind' },
    },
    effect: 'control',
    summary: 'Send a command to a device. The response contains the execution to follow',
    nameZh: '下发设备指令',
    params: IdParams,
    body: NewCommand,
    answer: ExecutionRow,
  }),
  listExecutions: endpoint({
    id: 'executions.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/executions',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the executions of a device and their results, newest first',
    nameZh: '查询指令执行记录',
    params: IdParams,
    query: Exact(Paging(['queuedAt'])),
    answer: Page(ExecutionRow),
  }),
  readExecution: endpoint({
    id: 'executions.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/executions/:executionId',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'read',
    summary: 'Get an execution and its result',
    nameZh: '查看指令执行结果',
    params: Exact({ id: Id, executionId: Type.String({ format: 'uuid' }) }),
    answer: ExecutionDetail,
  }),
  listControls: endpoint({
    id: 'controls.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/controls',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the controls of a device; by its model, and which of them the caller may use',
    nameZh: '查询设备可用控制',
    params: IdParams,
    answer: Exact({ items: Type.Array(OfferedControl) }),
  }),
  listMessages: endpoint({
    id: 'messages.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/messages',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary:
      'List the messages a CSMS can send in the protocol version of a device. Empty for a device that never connected by OCPP',
    nameZh: '查询可下发的协议消息',
    params: IdParams,
    answer: Exact({ protocol: NullableText, items: Type.Array(Type.String()) }),
  }),
  readMessage: endpoint({
    id: 'messages.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/messages/:action',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'read',
    summary: 'Get the official JSON schema of a message',
    nameZh: '查看协议消息规范',
    params: Exact({ id: Id, action: Type.String({ maxLength: 50 }) }),
    answer: Exact({ action: Type.String(), protocol: Type.String(), schema: Type.Unknown() }),
  }),
  checkMessage: endpoint({
    id: 'messages.check',
    method: 'POST',
    path: '/api/auth/sys/devices/:id/messages/check',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'read',
    summary: 'Check a message against its schema without sending it',
    nameZh: '校验协议消息',
    params: IdParams,
    body: Exact({ action: Type.String({ maxLength: 50 }), payload: Payload }),
    answer: Exact({ faults: Type.Array(MessageFault) }),
  }),
  cancelExecution: endpoint({
    id: 'executions.cancel',
    method: 'POST',
    path: '/api/auth/sys/commands/executions/:executionId/cancel',
    policy: {
      route: { keys: ['auth_device_detail'] },
      row: { object: 'execution', from: 'params.executionId' },
      level: { command: 'row' },
    },
    effect: 'control',
    summary: 'Cancel a command that is still queued. Requires the permission to send it',
    nameZh: '取消等待中的指令',
    params: Exact({ executionId: Type.String({ maxLength: 36 }) }),
    body: Exact({}),
    answer: ExecutionRow,
  }),
};
