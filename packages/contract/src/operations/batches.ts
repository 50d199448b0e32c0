import {
  BATCH_STOPS,
  type CommandKind,
  EXECUTION_REASONS,
  MAX_CONTROL_TYPE,
  OFFLINE_POLICIES,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { BULK_LIMIT } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import {
  CommaList,
  Exact,
  Id,
  IdParams,
  NullableText,
  NullableTime,
  Page,
  Paging,
  RequestKey,
  Time,
  Words,
} from '../schemas.ts';
import { CommandKindSchema, commandFields, ExecutionRow } from './operations.ts';

const Count = Type.Integer({ minimum: 0 });

/** A command to several devices of one site, and its progress. */
export const BatchRow = Exact({
  id: Id,
  kind: CommandKindSchema,
  controlType: Type.Integer({ minimum: 1, maximum: MAX_CONTROL_TYPE }),
  connector: Type.Integer(),
  params: Type.Record(Type.String(), Type.Unknown()),
  siteId: Id,
  siteName: Type.String(),
  requestedBy: Type.String(),
  requestedAt: Time,
  parallel: Type.Integer(),
  stopAfter: Type.Union([Type.Integer(), Type.Null()]),
  whenOffline: Words(OFFLINE_POLICIES),
  queueMinutes: Type.Union([Type.Integer(), Type.Null()]),
  /** the batch whose failed devices are retried */
  rerunOf: Type.Union([Id, Type.Null()]),
  /** batches with the same ID were created in one step, one for each site; null for a single batch */
  groupId: Type.Union([Id, Type.Null()]),
  /** number of its devices by state */
  counts: Exact({
    total: Count,
    /** not sent yet */
    queued: Count,
    /** sent, no response yet; or its file transfer is in progress */
    inFlight: Count,
    succeeded: Count,
    failed: Count,
    timedOut: Count,
    offline: Count,
    /** cancelled before they were sent */
    cancelled: Count,
    /** rejected when the batch was created */
    refused: Count,
  }),
  /** why the remaining devices were not sent the command */
  stopped: Type.Union([Words(BATCH_STOPS), Type.Null()]),
  stoppedBy: NullableText,
  endedAt: NullableTime,
  /** the caller may cancel it and retry its failed devices */
  may: Type.Boolean(),
});
export type BatchRow = Static<typeof BatchRow>;

/** One device of a batch. A device that was moved out of the caller's scope has no name. */
export const BatchExecutionRow = Exact({
  ...ExecutionRow.properties,
  deviceId: Type.Union([Id, Type.Null()]),
  deviceName: NullableText,
  sn: NullableText,
});
export type BatchExecutionRow = Static<typeof BatchExecutionRow>;

export const NewBatch = Exact({
  ...commandFields,
  deviceIds: Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true }),
  /** how many devices receive the command at a time; default 20 */
  parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: BULK_LIMIT })),
  /** stop after this many failures; default: never */
  stopAfter: Type.Optional(Type.Integer({ minimum: 1, maximum: BULK_LIMIT })),
  /** leave out busy devices, each with its own result; otherwise busy devices cause the request to be rejected */
  leaveOutBusy: Type.Optional(Type.Boolean()),
});
export type NewBatch = Static<typeof NewBatch>;

/** The batches of a command to devices of several sites, one for each site. */
export const SiteBatches = Exact({ batches: Type.Array(BatchRow) });
export type SiteBatches = Static<typeof SiteBatches>;

/** The batches that a command would create, and the devices that would not get it, with the reason. */
export const BatchPreview = Exact({
  sites: Type.Array(
    Exact({
      siteId: Id,
      siteName: Type.String(),
      devices: Count,
      skipped: Type.Array(
        Exact({ deviceId: Id, name: Type.String(), sn: Type.String(), reason: Words(EXECUTION_REASONS) }),
      ),
    }),
  ),
});
export type BatchPreview = Static<typeof BatchPreview>;

/** The commands that several devices have in common: each control and parameter that all of them support in a batch. */
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
    summary: 'List the controls that several devices have in common, of those that the caller may use',
    nameZh: '查询多台设备共有的控制',
    body: Exact({ deviceIds: NewBatch.properties.deviceIds }),
    answer: CommonControls,
  }),
  createBatch: endpoint({
    id: 'commandBatches.create',
    method: 'POST',
    path,
    policy: { route, row: { object: 'device', from: 'body.deviceIds' }, level: { command: 'body.kind' } },
    effect: 'control',
    summary: 'Send a command to several devices of one site. Each device has its own result',
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
    summary: 'Show the sites of a command to several devices, and the devices that would not get it. Sends nothing',
    nameZh: '预览批量指令',
    body: NewBatch,
    answer: BatchPreview,
  }),
  createSiteBatches: endpoint({
    id: 'commandBatches.createForSites',
    method: 'POST',
    path: `${path}/by-site`,
    policy: { route, row: { object: 'device', from: 'body.deviceIds' }, level: { command: 'body.kind' } },
    effect: 'control',
    summary: 'Send a command to devices of several sites: a batch for each site, all or none',
    nameZh: '按站点批量下发指令',
    body: NewBatch,
    answer: SiteBatches,
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
      groupId: Type.Optional(Id),
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
    summary: 'Get a batch command and its progress',
    nameZh: '查看批量指令',
    params: IdParams,
    answer: BatchRow,
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
      /** results 1-5 of spec §4, separated by commas */
      results: Type.Optional(CommaList),
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
    body: Exact({ requestKey: Type.Optional(RequestKey) }),
    answer: BatchRow,
  }),
};
