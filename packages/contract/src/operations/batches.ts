import {
  BATCH_DEVICE_STATES,
  BATCH_STOPS,
  COMMAND_EFFECTS,
  type CommandKind,
  EXECUTION_REASONS,
  MAX_CONTROL_TYPE,
  OFFLINE_POLICIES,
  TRANSFER_REASONS,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { BULK_LIMIT } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, NullableText, NullableTime, Page, Paging, RequestKey, Time, Words } from '../schemas.ts';
import { CommandKindSchema, commandFields, ExecutionRow } from './operations.ts';

const Count = Type.Integer({ minimum: 0 });

/** The numbers of devices by state. */
const BatchCounts = Exact({
  total: Count,
  /** not sent yet */
  queued: Count,
  /** sent, no result yet; or its file transfer is in progress */
  inFlight: Count,
  /** those in flight that have accepted the command */
  accepted: Count,
  succeeded: Count,
  failed: Count,
  timedOut: Count,
  offline: Count,
  /** cancelled before they were sent */
  cancelled: Count,
  /** rejected when the batch was created */
  refused: Count,
  /** those rejected because they already have the value or run the version */
  same: Count,
});
export type ShownBatchCounts = Static<typeof BatchCounts>;

const stop = {
  /** why the remaining devices were not sent the command */
  stopped: Type.Union([Words(BATCH_STOPS), Type.Null()]),
  stoppedBy: NullableText,
};

/** The devices of one site in a command to several devices. */
const BatchSite = Exact({ siteId: Id, siteName: Type.String(), counts: BatchCounts, ...stop });

/** A command to several devices, and its progress: one operation, with the devices of each site. */
export const BatchRow = Exact({
  id: Id,
  kind: CommandKindSchema,
  controlType: Type.Integer({ minimum: 1, maximum: MAX_CONTROL_TYPE }),
  connector: Type.Integer(),
  params: Type.Record(Type.String(), Type.Unknown()),
  /** those in the caller's scope */
  sites: Type.Array(BatchSite),
  /** the others, as numbers only */
  outside: Exact({ sites: Count, devices: Count }),
  requestedBy: Type.String(),
  requestedAt: Time,
  /** how many devices of a site receive the command at a time */
  parallel: Type.Integer(),
  /** a site stops after this many failures */
  stopAfter: Type.Union([Type.Integer(), Type.Null()]),
  whenOffline: Words(OFFLINE_POLICIES),
  queueMinutes: Type.Union([Type.Integer(), Type.Null()]),
  /** the command whose failed devices are retried */
  rerunOf: Type.Union([Id, Type.Null()]),
  counts: BatchCounts,
  ...stop,
  endedAt: NullableTime,
  /** the caller may cancel it and retry its failed devices */
  may: Type.Boolean(),
});
export type BatchRow = Static<typeof BatchRow>;

/** Devices without success for the same reason: that of the command or, if it was accepted, of the file transfer. */
export const BatchFailure = Exact({
  /** results 3-5 of spec §4 */
  outcome: Type.Integer({ minimum: 3, maximum: 5 }),
  reason: Type.Union([Words(EXECUTION_REASONS), Type.Null()]),
  transferReason: Type.Union([Words(TRANSFER_REASONS), Type.Null()]),
  devices: Count,
});
export type BatchFailure = Static<typeof BatchFailure>;

/** How many devices of a site have a value now; null: not reported. */
const SiteValue = Exact({ siteId: Id, value: NullableText, devices: Count });

/** A command to several devices with its failures, and what its devices have now. */
export const BatchDetail = Exact({
  ...BatchRow.properties,
  failures: Type.Array(BatchFailure),
  /** the parameter or version that the command sets, as last reported; null if it sets none or the caller may not read it */
  values: Type.Union([Type.Array(SiteValue), Type.Null()]),
});
export type BatchDetail = Static<typeof BatchDetail>;

/** An execution of a batch with its device; null if it is no longer in the caller's scope. */
export const BatchExecutionRow = Exact({
  ...ExecutionRow.properties,
  deviceId: Type.Union([Id, Type.Null()]),
  deviceName: NullableText,
  sn: NullableText,
  siteName: NullableText,
  /** the parameter or version that the command sets, as last reported */
  value: NullableText,
  /** the log that arrived */
  logId: Type.Union([Id, Type.Null()]),
});
export type BatchExecutionRow = Static<typeof BatchExecutionRow>;

export const NewBatch = Exact({
  ...commandFields,
  deviceIds: Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true }),
  /** how many devices receive the command at a time; default 20 */
  parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: BULK_LIMIT })),
  /** stop after this many failures; default: never */
  stopAfter: Type.Optional(Type.Integer({ minimum: 1, maximum: BULK_LIMIT })),
  /**
   * leave out devices that are busy or whose model does not have the command, each with its own result; otherwise they
   * cause the request to be rejected
   */
  leaveOut: Type.Optional(Type.Boolean()),
});
export type NewBatch = Static<typeof NewBatch>;

/** What a command would do on each device, by site. */
export const BatchPreview = Exact({
  sites: Type.Array(
    Exact({
      siteId: Id,
      siteName: Type.String(),
      devices: Type.Array(
        Exact({
          deviceId: Id,
          name: Type.String(),
          sn: Type.String(),
          /** the parameter or version that the command sets, as last reported */
          value: NullableText,
          effect: Words(COMMAND_EFFECTS),
          reason: Type.Union([Words(EXECUTION_REASONS), Type.Null()]),
        }),
      ),
    }),
  ),
  /** what the devices get, in the notation of their model; null if the command sets no value */
  value: NullableText,
});
export type BatchPreview = Static<typeof BatchPreview>;

/** The controls that several devices have in common, and the parameters that all or some of them have. */
export const CommonControls = Exact({
  devices: Count,
  offline: Count,
  sites: Type.Array(Exact({ id: Id, name: Type.String(), devices: Count })),
  controls: Type.Array(
    Exact({
      kind: Type.Unsafe<CommandKind>({ type: 'string' }),
      name: Type.Union([Exact({ en: Type.String(), zh: Type.String() }), Type.Null()]),
      param1: Type.Union([Exact({ en: Type.String(), zh: Type.String() }), Type.Null()]),
      param2: Type.Union([Exact({ en: Type.String(), zh: Type.String() }), Type.Null()]),
    }),
  ),
  parameters: Type.Array(
    Exact({
      key: Type.String(),
      name: Type.Union([Exact({ en: Type.String(), zh: Type.String() }), Type.Null()]),
      /** of spec §3, with its range; null when no model defines which values are allowed */
      type: Type.Union([Type.Integer({ minimum: 1, maximum: 4 }), Type.Null()]),
      range: Type.String(),
      unit: Type.String(),
      /** how many of the devices have it */
      devices: Count,
    }),
  ),
  /** connectors that all of them have */
  connectors: Type.Array(Type.Integer()),
});
export type CommonControls = Static<typeof CommonControls>;

const path = '/api/auth/sys/commands/batches';
const route = { keys: ['auth_device_detail'] } as const;

export const batchEndpoints = {
  listCommonControls: endpoint({
    id: 'commandBatches.controls',
    method: 'POST',
    path: `${path}/controls`,
    policy: { route, row: { object: 'device', from: 'body.deviceIds' } },
    effect: 'read',
    summary: 'List the controls that several devices have in common, and the parameters that all or some of them have',
    nameZh: '查询多台设备可用的控制和参数',
    body: Exact({ deviceIds: NewBatch.properties.deviceIds }),
    answer: CommonControls,
  }),
  createBatch: endpoint({
    id: 'commandBatches.create',
    method: 'POST',
    path,
    policy: { route, row: { object: 'device', from: 'body.deviceIds' }, level: { command: 'body.kind' } },
    effect: 'control',
    summary: 'Send a command to several devices, also of several sites. Each device has its own result',
    nameZh: '批量下发指令',
    body: NewBatch,
    answer: BatchRow,
  }),
  previewBatches: endpoint({
    id: 'commandBatches.preview',
    method: 'POST',
    path: `${path}/preview`,
    policy: { route, row: { object: 'device', from: 'body.deviceIds' }, level: { command: 'body.kind' } },
    effect: 'read',
    summary: 'Show what a command would do on each device, by site. Sends nothing',
    nameZh: '预览批量指令',
    body: NewBatch,
    answer: BatchPreview,
  }),
  listBatches: endpoint({
    id: 'commandBatches.list',
    method: 'GET',
    path,
    policy: { route, row: 'scope' },
    effect: 'list',
    summary: 'List batch commands, newest first',
    nameZh: '查询批量指令',
    query: Exact({
      ...Paging(['requestedAt']),
      siteId: Type.Optional(Id),
      kind: Type.Optional(CommandKindSchema),
      state: Type.Optional(Words(['running', 'ended'])),
    }),
    answer: Page(BatchRow),
  }),
  readBatch: endpoint({
    id: 'commandBatches.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: { route, row: { object: 'commandBatch', from: 'params.id' } },
    effect: 'read',
    summary: 'Get a batch command, its progress and its failures. Any of its batches leads to it',
    nameZh: '查看批量指令',
    params: IdParams,
    answer: BatchDetail,
  }),
  listBatchExecutions: endpoint({
    id: 'commandBatches.executions',
    method: 'GET',
    path: `${path}/:id/executions`,
    policy: { route, row: { object: 'commandBatch', from: 'params.id' } },
    effect: 'list',
    summary: 'List the results of a batch command by device',
    nameZh: '查询批量指令的执行记录',
    params: IdParams,
    query: Exact({
      ...Paging(['sn']),
      state: Type.Optional(Words(BATCH_DEVICE_STATES)),
      siteId: Type.Optional(Id),
    }),
    answer: Page(BatchExecutionRow),
  }),
  cancelBatch: endpoint({
    id: 'commandBatches.cancel',
    method: 'POST',
    path: `${path}/:id/cancel`,
    policy: { route, row: { object: 'commandBatch', from: 'params.id' }, level: { command: 'row' } },
    effect: 'control',
    summary: 'Cancel a batch command for the remaining devices. Commands already sent continue',
    nameZh: '取消批量指令',
    params: IdParams,
    body: Exact({}),
    answer: BatchRow,
  }),
  rerunBatch: endpoint({
    id: 'commandBatches.rerun',
    method: 'POST',
    path: `${path}/:id/rerun`,
    policy: { route, row: { object: 'commandBatch', from: 'params.id' }, level: { command: 'row' } },
    effect: 'control',
    summary: 'Retry the failed devices of a finished batch command as a new batch',
    nameZh: '重新执行批量指令中失败的设备',
    params: IdParams,
    body: Exact({
      requestKey: Type.Optional(RequestKey),
      /** only the devices without success for this reason; default: all */
      reason: Type.Optional(Words(EXECUTION_REASONS)),
      transferReason: Type.Optional(Words(TRANSFER_REASONS)),
    }),
    answer: BatchRow,
  }),
};
