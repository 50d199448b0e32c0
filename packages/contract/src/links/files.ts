import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, NullableTime, Time, Words } from '../schemas.ts';
import { SharedUpload } from '../shares/schemas.ts';

const path = '/api/auth/sys/links/:id/files';
const Bytes = Type.Integer({ minimum: 0 });
const MAX_FILE_BYTES = 2 ** 50;
/** An absolute path on the device, exactly as the device has it. */
const DevicePath = Type.String({ minLength: 1, maxLength: 4_096, 'x-bytes': true });

/** The key of an open terminal of the caller. Its user on the device decides what is permitted. */
const OfTerminal = { key: Type.String({ minLength: 32, maxLength: 32 }) };
const TransferId = Type.String({ format: 'uuid', maxLength: 36 });
const TransferParams = Exact({ id: Id, transferId: TransferId });

export const DEVICE_FILE_KINDS = ['file', 'folder', 'other'] as const;

/** An entry of a folder. `link`: it is a symbolic link to a file or folder. */
export const DeviceFile = Exact({
  name: Type.String(),
  kind: Words(DEVICE_FILE_KINDS),
  link: Type.Boolean(),
  size: Bytes,
  modifiedAt: NullableTime,
  /** false: its name is not valid UTF-8, so it cannot be used here */
  usable: Type.Boolean(),
});
export type DeviceFile = Static<typeof DeviceFile>;

export const DeviceFolder = Exact({
  /** absolute, without symbolic links */
  path: Type.String(),
  files: Type.Array(DeviceFile),
  /** the folder has more files than this list */
  more: Type.Boolean(),
});
export type DeviceFolder = Static<typeof DeviceFolder>;

export const TRANSFER_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

/** A transfer of a file between the browser and the device. */
export const LinkTransfer = Exact({
  id: TransferId,
  /** as seen by the user */
  direction: Words(['upload', 'download']),
  path: Type.String(),
  size: Bytes,
  bytes: Bytes,
  state: Words(TRANSFER_STATES),
  /** why it failed */
  problem: Type.Union([Type.String(), Type.Null()]),
  startedAt: Time,
});
export type LinkTransfer = Static<typeof LinkTransfer>;

const policy = {
  route: { keys: ['auth_device_detail'] },
  row: { object: 'link', from: 'params.id' },
  level: 'control',
  remote: 'row',
} as const;

/** Files of a device, through the SSH connection of an open terminal. */
export const linkFileEndpoints = {
  listDeviceFiles: endpoint({
    id: 'links.listFiles',
    method: 'GET',
    path,
    policy,
    effect: 'list',
    summary: 'List a folder of the device, by default the home folder of the user of the terminal',
    nameZh: '查看设备文件夹',
    params: IdParams,
    query: Exact({ ...OfTerminal, path: Type.Optional(DevicePath) }),
    answer: DeviceFolder,
  }),
  createDeviceFolder: endpoint({
    id: 'links.createFolder',
    method: 'POST',
    path: `${path}/folders`,
    policy,
    effect: 'control',
    summary: 'Create a folder on the device',
    nameZh: '在设备上新建文件夹',
    params: IdParams,
    body: Exact({ ...OfTerminal, path: DevicePath }),
    answer: Exact({}),
  }),
  renameDeviceFile: endpoint({
    id: 'links.renameFile',
    method: 'POST',
    path: `${path}/rename`,
    policy,
    effect: 'control',
    summary: 'Rename or move a file or folder of the device. Existing files are not replaced',
    nameZh: '重命名设备文件',
    params: IdParams,
    body: Exact({ ...OfTerminal, path: DevicePath, to: DevicePath }),
    answer: Exact({}),
  }),
  removeDeviceFile: endpoint({
    id: 'links.removeFile',
    method: 'POST',
    path: `${path}/remove`,
    policy,
    effect: 'control',
    summary: 'Delete a file, a symbolic link or an empty folder of the device',
    nameZh: '删除设备文件',
    params: IdParams,
    body: Exact({ ...OfTerminal, path: DevicePath }),
    answer: Exact({}),
  }),
  listFileTransfers: endpoint({
    id: 'links.transfers',
    method: 'GET',
    path: `${path}/transfers`,
    policy,
    effect: 'list',
    summary: 'List the transfers of a terminal, newest first',
    nameZh: '查看文件传输列表',
    params: IdParams,
    query: Exact(OfTerminal),
    answer: Exact({ items: Type.Array(LinkTransfer) }),
  }),
  startDownload: endpoint({
    id: 'links.startDownload',
    method: 'POST',
    path: `${path}/downloads`,
    policy,
    effect: 'control',
    summary: 'Begin the download of a file of the device. The content has its own endpoint',
    nameZh: '开始下载设备文件',
    params: IdParams,
    body: Exact({ ...OfTerminal, path: DevicePath }),
    answer: LinkTransfer,
  }),
  readDownload: endpoint({
    id: 'links.download',
    method: 'GET',
    path: `${path}/downloads/:transferId`,
    policy,
    effect: 'export',
    summary: 'Get the content of a download, or a range of it',
    nameZh: '下载设备文件',
    params: TransferParams,
    query: Exact(OfTerminal),
    answer: null,
  }),
  startUpload: endpoint({
    id: 'links.startUpload',
    method: 'POST',
    path: `${path}/uploads`,
    policy,
    effect: 'control',
    summary: 'Begin an upload to the device. The file gets its name when it is complete',
    nameZh: '开始上传文件到设备',
    params: IdParams,
    body: Exact({
      ...OfTerminal,
      path: DevicePath,
      size: Type.Integer({ minimum: 0, maximum: MAX_FILE_BYTES }),
      /** replace an existing file */
      replace: Type.Optional(Type.Boolean()),
    }),
    answer: SharedUpload,
  }),
  readUpload: endpoint({
    id: 'links.upload',
    method: 'GET',
    path: `${path}/uploads/:transferId`,
    policy,
    effect: 'read',
    summary: 'Get how much of an upload the device has',
    nameZh: '查看文件上传进度',
    params: TransferParams,
    query: Exact(OfTerminal),
    answer: SharedUpload,
  }),
  sendUploadPart: endpoint({
    id: 'links.sendUpload',
    method: 'PUT',
    path: `${path}/uploads/:transferId`,
    policy,
    effect: 'control',
    summary: 'Send the next part of an upload as application/octet-stream. The last part completes it',
    nameZh: '上传文件到设备',
    params: TransferParams,
    query: Exact({ ...OfTerminal, offset: Type.Integer({ minimum: 0, maximum: MAX_FILE_BYTES }) }),
    answer: SharedUpload,
  }),
  cancelTransfer: endpoint({
    id: 'links.cancelTransfer',
    method: 'POST',
    path: `${path}/transfers/:transferId/cancel`,
    policy,
    effect: 'control',
    summary: 'Cancel a transfer. An incomplete upload is removed from the device',
    nameZh: '取消文件传输',
    params: TransferParams,
    body: Exact(OfTerminal),
    answer: Exact({}),
  }),
};
