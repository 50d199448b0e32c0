import {
  DEVICE_LOG_LIMIT,
  FIRMWARE_KINDS,
  LOG_TYPES,
  SIGNATURE_LENGTH,
  SIGNING_CERTIFICATE_LENGTH,
  TRANSFER_KINDS,
  TRANSFER_REASONS,
  TRANSFER_STATES,
  TRANSPORTS,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { BULK_LIMIT } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { StorageCredential } from '../fleet/files.ts';
import {
  CommaList,
  Exact,
  FileId,
  Id,
  IdParams,
  Lines,
  Matching,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Time,
  Words,
} from '../schemas.ts';

const Sha256 = Matching('^[0-9a-f]{64}$', 'SHA-256');

export const FirmwareRow = Exact({
  id: Id,
  kind: Words(FIRMWARE_KINDS),
  version: Type.String(),
  fileName: Type.String(),
  /** bytes */
  size: Type.Integer(),
  /** SHA-256, lowercase hexadecimal */
  sha256: Sha256,
  note: Type.String(),
  /** the manufacturer's certificate of the signature: its subject and expiry; null when unsigned */
  signedBy: NullableText,
  signedUntil: NullableTime,
  models: Type.Array(Exact({ id: Id, name: Type.String() })),
  uploadedBy: Type.String(),
  uploadedAt: Time,
  /** transfers in progress that use it: it cannot be deleted until they end */
  underWay: Type.Integer(),
});
export type FirmwareRow = Static<typeof FirmwareRow>;

const FirmwareFields = {
  version: Type.String({ minLength: 1, maxLength: 50 }),
  note: Lines({ maxLength: 500 }),
  deviceModelIds: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }),
  /**
   * The manufacturer's certificate (PEM) and its signature over the whole file (base64), as in OCPP 2.0.1 part 2 §L01;
   * both or neither. Omitted: unchanged. Empty: the file becomes unsigned.
   */
  signingCertificate: Type.Optional(Lines({ maxLength: SIGNING_CERTIFICATE_LENGTH })),
  signature: Type.Optional(Lines({ maxLength: SIGNATURE_LENGTH })),
};

export const NewFirmware = Exact({
  ...FirmwareFields,
  kind: Words(FIRMWARE_KINDS),
  /** key of the upload, under the caller's own prefix in the firmware bucket */
  key: Type.String({ minLength: 1, maxLength: 256 }),
  fileName: Type.String({ minLength: 1, maxLength: 200 }),
  /** size and checksum of the local file: the upload is only registered when it matches them exactly */
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  sha256: Sha256,
});
export type NewFirmware = Static<typeof NewFirmware>;

/** Temporary keys for one object, and its address. */
export const ObjectCredential = Exact({
  credential: StorageCredential,
  key: Type.String(),
  fileName: Type.String(),
});
export type ObjectCredential = Static<typeof ObjectCredential>;

export const FirmwareChoice = Exact({
  id: Id,
  version: Type.String(),
  fileName: Type.String(),
  size: Type.Integer(),
  note: Type.String(),
  uploadedAt: Time,
});
export type FirmwareChoice = Static<typeof FirmwareChoice>;

export const TransferRow = Exact({
  /** also the id that is sent to devices */
  id: Id,
  executionId: Type.String({ format: 'uuid' }),
  kind: Words(TRANSFER_KINDS),
  transport: Words(TRANSPORTS),
  state: Words(TRANSFER_STATES),
  reason: Type.Union([Words(TRANSFER_REASONS), Type.Null()]),
  detail: NullableText,
  /** for firmware: the version to install and the previous one */
  version: NullableText,
  formerVersion: NullableText,
  fileName: NullableText,
  size: Type.Union([Type.Integer(), Type.Null()]),
  /** of the file, transferred so far over the connection */
  bytes: Type.Integer(),
  failures: Type.Integer(),
  logType: Type.Union([Words(LOG_TYPES), Type.Null()]),
  requestedBy: Type.String(),
  requestedAt: Time,
  askedAt: NullableTime,
  deadlineAt: Time,
  endedAt: NullableTime,
  /** statuses that the device reported, in the terms of its protocol, oldest first */
  reports: Type.Array(Exact({ at: Time, word: Type.String(), state: Words(TRANSFER_STATES) })),
});
export type TransferRow = Static<typeof TransferRow>;

export const DeviceLogRow = Exact({
  id: Id,
  /** the log in the list of attachments */
  attachmentId: Type.Union([FileId, Type.Null()]),
  type: Words(LOG_TYPES),
  fileName: Type.String(),
  size: Type.Integer(),
  sha256: Sha256,
  from: NullableTime,
  to: NullableTime,
  requestedBy: Type.String(),
  receivedAt: Time,
});
export type DeviceLogRow = Static<typeof DeviceLogRow>;

const LogParams = Type.Object({ id: Id, logId: Id }, { additionalProperties: false });
const FIRMWARE = { keys: ['auth_deviceModel_firmware'] } as const;
const DEVICE = { keys: ['auth_device_detail'] } as const;

export const transferEndpoints = {
  listFirmware: endpoint({
    id: 'firmware.list',
    method: 'GET',
    path: '/api/auth/sys/firmware-files',
    policy: { route: FIRMWARE, row: 'shared' },
    effect: 'list',
    summary: 'List firmware files, newest first',
    nameZh: '查询固件文件',
    query: Exact({
      ...Paging(['uploadedAt', 'version']),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      kind: Type.Optional(Words(FIRMWARE_KINDS)),
      deviceModelId: Type.Optional(Id),
    }),
    answer: Page(FirmwareRow),
  }),
  firmwareCredentials: endpoint({
    id: 'firmware.credentials',
    method: 'GET',
    path: '/api/auth/sys/firmware-files/credentials',
    policy: { route: FIRMWARE, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Get credentials to upload a firmware file, valid for an hour; platform vendor only',
    nameZh: '获取固件上传凭证',
    answer: StorageCredential,
  }),
  registerFirmware: endpoint({
    id: 'firmware.register',
    method: 'POST',
    path: '/api/auth/sys/firmware-files',
    policy: { route: FIRMWARE, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Register an uploaded firmware file. Size and checksum are computed from the upload; platform vendor only',
    nameZh: '登记固件文件',
    body: NewFirmware,
    answer: Exact({ id: Id }),
  }),
  updateFirmware: endpoint({
    id: 'firmware.update',
    method: 'PUT',
    path: '/api/auth/sys/firmware-files/:id',
    policy: { route: FIRMWARE, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'update',
    summary: 'Update the details of a firmware file; platform vendor only',
    nameZh: '修改固件文件',
    params: IdParams,
    body: Exact(FirmwareFields),
    answer: Type.Null(),
  }),
  deleteFirmware: endpoint({
    id: 'firmware.delete',
    method: 'DELETE',
    path: '/api/auth/sys/firmware-files/:id',
    policy: { route: FIRMWARE, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'delete',
    summary: 'Delete a firmware file that no device is about to download; platform vendor only',
    nameZh: '删除固件文件',
    params: IdParams,
    answer: Type.Null(),
  }),
  readFirmware: endpoint({
    id: 'firmware.read',
    method: 'GET',
    path: '/api/auth/sys/firmware-files/:id/credentials',
    policy: { route: FIRMWARE, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'export',
    summary: 'Get credentials to download a firmware file, valid for an hour; platform vendor only',
    nameZh: '下载固件文件',
    params: IdParams,
    answer: ObjectCredential,
  }),
  commonFirmware: endpoint({
    id: 'firmware.common',
    method: 'POST',
    path: '/api/auth/sys/devices/firmware-files',
    policy: { route: DEVICE, row: { object: 'device', from: 'body.deviceIds' } },
    effect: 'read',
    summary: 'List firmware files that fit several devices; newest first, with the versions these devices run',
    nameZh: '查询多台设备共用的固件',
    body: Exact({
      deviceIds: Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true }),
      kind: Words(FIRMWARE_KINDS),
    }),
    answer: Exact({
      /** most frequent first; an empty text: not reported */
      versions: Type.Array(Exact({ version: Type.String(), devices: Type.Integer({ minimum: 1 }) })),
      items: Type.Array(FirmwareChoice),
    }),
  }),
  listTransfers: endpoint({
    id: 'transfers.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/transfers',
    policy: { route: DEVICE, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List firmware and log transfers of a device; newest first, with the reports of the device',
    nameZh: '查询设备传输记录',
    params: IdParams,
    query: Exact({ ...Paging(['requestedAt']), kinds: Type.Optional(CommaList) }),
    answer: Page(TransferRow),
  }),
  endTransfer: endpoint({
    id: 'transfers.end',
    method: 'POST',
    path: '/api/auth/sys/commands/executions/:executionId/transfer/end',
    policy: {
      route: DEVICE,
      row: { object: 'execution', from: 'params.executionId' },
      level: { command: 'row' },
    },
    effect: 'control',
    summary: 'End the file transfer of a command, so that another one can start. Requires the permission to send it',
    nameZh: '结束指令的文件传输',
    params: Exact({ executionId: Type.String({ maxLength: 36 }) }),
    body: Exact({}),
    answer: Type.Null(),
  }),
  listDeviceLogs: endpoint({
    id: 'deviceLogs.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/logs',
    policy: { route: DEVICE, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the logs uploaded by a device, newest first',
    nameZh: '查询设备日志',
    params: IdParams,
    query: Exact(Paging(['receivedAt'])),
    answer: Page(DeviceLogRow),
  }),
  previewDeviceLog: endpoint({
    id: 'deviceLogs.preview',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/logs/:logId/preview',
    policy: { route: DEVICE, row: { object: 'device', from: 'params.id' }, level: 'read' },
    effect: 'read',
    summary: 'Preview a part of a log as text. null if it is not text',
    nameZh: '预览设备日志',
    params: LogParams,
    /** bytes; the `next` of the part before */
    query: Exact({ from: Type.Optional(Type.Integer({ minimum: 0, maximum: DEVICE_LOG_LIMIT })) }),
    answer: Exact({
      text: NullableText,
      complete: Type.Boolean(),
      /** where the next part begins; null if there is none, or the file is compressed */
      next: Type.Union([Type.Integer(), Type.Null()]),
    }),
  }),
  readDeviceLog: endpoint({
    id: 'deviceLogs.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/logs/:logId/credentials',
    policy: { route: DEVICE, row: { object: 'device', from: 'params.id' }, level: 'download' },
    effect: 'export',
    summary: 'Get credentials to download a log, valid for an hour',
    nameZh: '下载设备日志',
    params: LogParams,
    answer: ObjectCredential,
  }),
  deleteDeviceLog: endpoint({
    id: 'deviceLogs.delete',
    method: 'DELETE',
    path: '/api/auth/sys/devices/:id/logs/:logId',
    policy: { route: DEVICE, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'delete',
    summary: 'Delete a log of a device',
    nameZh: '删除设备日志',
    params: LogParams,
    answer: Type.Null(),
  }),
};
