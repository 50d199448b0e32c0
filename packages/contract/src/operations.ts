import {
  COMMAND_KINDS,
  type CommandKind,
  EXECUTION_REASONS,
  EXECUTION_STATES,
  LOG_TYPES,
  TRANSPORTS,
  VERIFICATIONS,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Exact, Id, IdParams, NullableText, NullableTime, Page, Paging, Time, Words } from './schemas.ts';

const Kind = Words(Object.keys(COMMAND_KINDS) as CommandKind[]);

export const ExecutionRow = Exact({
  id: Type.String({ format: 'uuid' }),
  commandId: Id,
  kind: Kind,
  controlType: Type.Integer({ minimum: 1, maximum: 11 }),
  connector: Type.Integer(),
  params: Type.Record(Type.String(), Type.Unknown()),
  state: Words(EXECUTION_STATES),
  /** spec §4: waiting 1, success 2, failure 3, timeout 4, offline 5 */
  result: Type.Integer({ minimum: 1, maximum: 5 }),
  reason: Type.Union([Words(EXECUTION_REASONS), Type.Null()]),
  /** what the device itself said, where it said more */
  detail: NullableText,
  requestedBy: Type.String(),
  queuedAt: Time,
  sentAt: NullableTime,
  deadlineAt: Time,
  endedAt: NullableTime,
  lateAnswerAt: NullableTime,
  /** of a parameter that was set: what the device said when it was asked for it again; `value` is that, where it is another one */
  verification: Type.Union([Exact({ state: Words(VERIFICATIONS), value: NullableText }), Type.Null()]),
});
export type ExecutionRow = Static<typeof ExecutionRow>;

export const NewCommand = Exact({
  kind: Kind,
  /** for disableConnector and enableConnector; 0, the device itself, is disableSystem and enableSystem */
  connector: Type.Optional(Type.Integer({ minimum: 1, maximum: 32_767 })),
  /** for setParameter; for refreshParameters the one to read, all without it */
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  /** for setParameter */
  value: Type.Optional(Type.String({ maxLength: 500 })),
  /** for upgradeSoftware and updatePlcFirmware */
  firmwareId: Type.Optional(Id),
  /** how a file moves between here and the device; http without it */
  transport: Type.Optional(Words(TRANSPORTS)),
  /** for uploadLog */
  logType: Type.Optional(Words(LOG_TYPES)),
  /** for uploadLog: the time it is to cover; without them whatever the device has */
  from: Type.Optional(Time),
  to: Type.Optional(Time),
});
export type NewCommand = Static<typeof NewCommand>;

export const operationsEndpoints = {
  sendCommand: endpoint({
    id: 'commands.send',
    method: 'POST',
    path: '/api/auth/sys/devices/:id/commands',
    access: { keys: ['auth_device_detail'] },
    effect: 'control',
    summary: 'Ask something of a device; the answer names the execution to follow',
    params: IdParams,
    body: NewCommand,
    answer: ExecutionRow,
  }),
  listExecutions: endpoint({
    id: 'executions.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/executions',
    access: { keys: ['auth_device_detail'] },
    effect: 'list',
    summary: 'What was asked of a device and how it ended, newest first',
    params: IdParams,
    query: Exact(Paging(['queuedAt'])),
    answer: Page(ExecutionRow),
  }),
  readExecution: endpoint({
    id: 'executions.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/executions/:executionId',
    access: { keys: ['auth_device_detail'] },
    effect: 'read',
    summary: 'One thing that was asked of a device, and how it ended',
    params: Exact({ id: Id, executionId: Type.String({ format: 'uuid' }) }),
    answer: ExecutionRow,
  }),
};
