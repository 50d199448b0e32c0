import { DEVICE_STATUSES, EXECUTION_REASONS, MODEL_PROTOCOLS, PASSWORD_CHANGE_STATES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { Encrypted } from '../access/access.ts';
import { ATTEMPT_REASONS, DEVICE_SORTS } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { MatchingRows } from '../lists.ts';
import {
  CommaList,
  Day,
  Exact,
  Id,
  IdParams,
  NullableNumber,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Revision,
  SeenRevision,
  Time,
  Words,
} from '../schemas.ts';

const Search = Type.Optional(Type.String({ maxLength: 100 }));
const IdQuery = Type.Optional(Id);
const DeviceStatusSchema = Words(DEVICE_STATUSES);
const Name = Type.String({ minLength: 1, maxLength: 64 });

/** What happens to messages that violate their protocol, the worst first. */
export const MESSAGE_FAULTS = ['rejected', 'partial', 'tolerated'] as const;

export const DeviceRow = Exact({
  id: Id,
  sn: Type.String(),
  name: Type.String(),
  status: DeviceStatusSchema,
  statusSince: Time,
  connected: Type.Boolean(),
  lastSeenAt: NullableTime,
  enabled: Type.Boolean(),
  siteId: Id,
  siteName: Type.String(),
  customerId: Id,
  customerName: Type.String(),
  deviceModelId: Id,
  deviceModelName: Type.String(),
  type: Type.Integer(),
  softVersion: Type.String(),
  activeAlarms: Type.Integer(),
  worstAlarmLevel: Type.Union([Words(['OA', 'MA', 'CA']), Type.Null()]),
  /** when the maintenance cycle ends; null for a device without a cycle */
  maintenanceDueAt: NullableTime,
  /** the worst that happened to messages of the last day that violate the protocol; null: there were none */
  faultyMessages: Type.Union([Words(MESSAGE_FAULTS), Type.Null()]),
});
export type DeviceRow = Static<typeof DeviceRow>;

export const DeviceDetail = Exact({
  ...DeviceRow.properties,
  /** object store keys of the pictures of the model */
  deviceModelIcon: NullableText,
  deviceModelImage: NullableText,
  /** protocol and number of connectors that the model defines; null: not defined */
  deviceModelProtocol: Type.Union([Words(MODEL_PROTOCOLS), Type.Null()]),
  deviceModelConnectors: NullableNumber,
  createdAt: Time,
  installDate: Type.Union([Day, Type.Null()]),
  arrivalDate: Type.Union([Day, Type.Null()]),
  maintenanceCycleDays: NullableNumber,
  /** the device is under maintenance */
  maintenance: Type.Boolean(),
  maintainedAt: NullableTime,
  /** since the last maintenance, otherwise since installation, otherwise since registration */
  unmaintainedDays: Type.Integer(),
  /** total time that the device was connected, including the current connection */
  totalRuntimeSeconds: Type.Integer(),
  hasGatewayPassword: Type.Boolean(),
  /** a new password that the device does not use yet; null when there is none */
  passwordChange: Type.Union([
    Exact({
      state: Words(PASSWORD_CHANGE_STATES),
      executionId: Type.String({ format: 'uuid' }),
      requestedBy: Type.String(),
      requestedAt: Time,
      reason: Type.Union([Words(EXECUTION_REASONS), Type.Null()]),
    }),
    Type.Null(),
  ]),
  revision: Revision,
  protocol: NullableText,
  remoteAddress: NullableText,
  connectedAt: NullableTime,
  disconnectedAt: NullableTime,
  disconnectReason: NullableText,
  disconnectDetail: NullableText,
  bootedAt: NullableTime,
  boot: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  clockSkewMs: NullableNumber,
  firmwareStatus: NullableText,
  diagnosticsStatus: NullableText,
  /** messages of the last 30 days that violate the protocol, the latest first: rejected as a whole or in part, or tolerated by the model */
  messageFaults: Type.Array(
    Exact({
      outcome: Words(MESSAGE_FAULTS),
      action: Type.String(),
      reason: Type.String(),
      count: Type.Integer(),
      firstAt: Time,
      lastAt: Time,
    }),
  ),
  /** the last rejected connection attempt with its SN */
  lastRefusal: Type.Union([
    Exact({ at: Time, reason: Words(ATTEMPT_REASONS), remoteAddress: Type.String(), attempts: Type.Integer() }),
    Type.Null(),
  ]),
  /** what the caller may do with this device, decided by the server: route, row and level */
  may: Exact({
    edit: Type.Boolean(),
    control: Type.Boolean(),
    readParameters: Type.Boolean(),
    setParameters: Type.Boolean(),
    download: Type.Boolean(),
  }),
});
export type DeviceDetail = Static<typeof DeviceDetail>;

export const WaitingDeviceRow = Exact({
  id: Id,
  sn: Type.String(),
  mac: NullableText,
  protocolVersion: Type.String(),
  remoteAddress: Type.String(),
  vendor: NullableText,
  model: NullableText,
  serialNumber: NullableText,
  firmwareVersion: NullableText,
  /** it is connected and waiting for registration */
  waiting: Type.Boolean(),
  registeredAt: Time,
  lastAttemptAt: Time,
  attempts: Type.Integer(),
  /** the model that the reported vendor and model are mapped to by an alias */
  deviceModel: Type.Union([Exact({ id: Id, name: Type.String() }), Type.Null()]),
  /** the model that the form of registration starts with: `deviceModel`, or the general one of the protocol */
  proposedModel: Type.Union([Exact({ id: Id, name: Type.String() }), Type.Null()]),
  /** the site of all registered devices that connected last from the same address, and their number up to 200 */
  proposedSite: Type.Union([Exact({ id: Id, name: Type.String(), devices: Type.Integer() }), Type.Null()]),
});

/** Rejected attempts from one address for one target and for one reason. */
export const ConnectionAttemptRow = Exact({
  id: Id,
  gateway: Words(['ocpp', 'mqtt', 'ftp']),
  remoteAddress: Type.String(),
  /** the path, or the user name; `*`: several */
  target: Type.String(),
  protocols: NullableText,
  reason: Words(ATTEMPT_REASONS),
  deviceId: Type.Union([Id, Type.Null()]),
  firstAt: Time,
  lastAt: Time,
  attempts: Type.Integer(),
});

/** The filters of the device list. Its counters and its export take the same filters. */
const deviceFilters = {
  search: Search,
  status: Type.Optional(CommaList),
  siteId: IdQuery,
  customerId: IdQuery,
  deviceModelId: IdQuery,
  type: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
  alarm: Type.Optional(Words(['active'])),
  maintenance: Type.Optional(Words(['due'])),
};

/** The fields of a device that users enter. The gateway password is write-only; null removes it. */
const deviceFields = {
  name: Name,
  siteId: Id,
  deviceModelId: Id,
  installDate: Type.Optional(Type.Union([Day, Type.Null()])),
  arrivalDate: Type.Optional(Type.Union([Day, Type.Null()])),
  maintenanceCycleDays: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 3_650 }), Type.Null()])),
  /** 16 to 40 characters, encrypted for the key of `session.publicKey`; null removes it */
  gatewayPassword: Type.Optional(Type.Union([Encrypted, Type.Null()])),
};
export const NewDevice = Exact({ sn: Type.String({ minLength: 1, maxLength: 48 }), ...deviceFields });
export const EditedDevice = Exact({
  name: Type.Optional(deviceFields.name),
  siteId: Type.Optional(Id),
  deviceModelId: Type.Optional(Id),
  installDate: deviceFields.installDate,
  arrivalDate: deviceFields.arrivalDate,
  maintenanceCycleDays: deviceFields.maintenanceCycleDays,
  /** sent to devices that use OCPP; the former password stays valid until the device uses the new one */
  gatewayPassword: deviceFields.gatewayPassword,
  /** the device already has the password: it is not sent, and the former one becomes invalid immediately */
  passwordAtOnce: Type.Optional(Type.Boolean()),
  revision: SeenRevision,
});

export const fleetEndpoints = {
  listDevices: endpoint({
    id: 'devices.list',
    method: 'GET',
    path: '/api/auth/sys/devices',
    policy: { route: { keys: ['auth_device_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List devices. Search finds each of its words in the SN, in the name or in its pinyin',
    nameZh: '查询设备列表',
    query: Exact({ ...Paging(DEVICE_SORTS), ...deviceFilters }),
    answer: Page(DeviceRow),
  }),
  selectDevices: endpoint({
    id: 'devices.select',
    method: 'GET',
    path: '/api/auth/sys/devices/selection',
    policy: { route: { keys: ['auth_device_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List the IDs and names of all devices that match the filters, at most 10,000',
    nameZh: '按筛选条件选择设备',
    query: Exact(deviceFilters),
    answer: MatchingRows,
  }),
  countDevices: endpoint({
    id: 'devices.count',
    method: 'GET',
    path: '/api/auth/sys/devices/counters',
    policy: { route: { keys: ['auth_device_list', 'auth_home'] }, row: 'scope' },
    effect: 'list',
    summary: 'Count devices by status. The status filter itself is ignored',
    nameZh: '统计设备状态',
    query: Exact(deviceFilters),
    answer: Exact({
      total: Type.Integer(),
      byStatus: Exact(
        Object.fromEntries(DEVICE_STATUSES.map((status) => [status, Type.Integer()])) as Record<
          (typeof DEVICE_STATUSES)[number],
          ReturnType<typeof Type.Integer>
        >,
      ),
    }),
  }),
  exportDevices: endpoint({
    id: 'devices.export',
    method: 'GET',
    path: '/api/auth/sys/devices/export',
    policy: { route: { keys: ['auth_device_list'] }, row: 'scope', level: 'download' },
    effect: 'export',
    summary: "Export the filtered devices as .xlsx. Headings are in the caller's language",
    nameZh: '导出设备列表',
    query: Exact({ sort: Paging(DEVICE_SORTS).sort, ...deviceFilters }),
    answer: null,
  }),
  readDevice: endpoint({
    id: 'devices.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id',
    policy: {
      route: { keys: ['auth_device_detail', 'auth_device_info', 'auth_device_edit'] },
      row: { object: 'device', from: 'params.id' },
    },
    effect: 'read',
    summary: 'Get a device and the state of its connection',
    nameZh: '查看设备',
    params: IdParams,
    answer: DeviceDetail,
  }),
  createDevice: endpoint({
    id: 'devices.create',
    method: 'POST',
    path: '/api/auth/sys/devices',
    policy: {
      route: { keys: ['auth_device_add'] },
      row: { object: 'site', from: 'body.siteId', outside: 'siteUnknown' },
      level: 'edit',
    },
    effect: 'create',
    summary: 'Register a device. A waiting device with the same SN is removed from the list',
    nameZh: '注册设备',
    body: NewDevice,
    answer: Exact({ id: Id }),
  }),
  updateDevice: endpoint({
    id: 'devices.update',
    method: 'PATCH',
    path: '/api/auth/sys/devices/:id',
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Update a device. Its SN cannot be changed',
    nameZh: '编辑设备',
    params: IdParams,
    body: EditedDevice,
    answer: Type.Null(),
  }),
  enableDevice: endpoint({
    id: 'devices.enable',
    method: 'POST',
    path: '/api/auth/sys/devices/:id/enable',
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Enable a device. It can connect again',
    nameZh: '启用设备',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  disableDevice: endpoint({
    id: 'devices.disable',
    method: 'POST',
    path: '/api/auth/sys/devices/:id/disable',
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Disable a device. It is disconnected and rejected until it is enabled',
    nameZh: '停用设备',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  deleteDevice: endpoint({
    id: 'devices.delete',
    method: 'DELETE',
    path: '/api/auth/sys/devices/:id',
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'delete',
    summary: 'Delete a device with its readings, alarms and logs. Rejected while a charging session is open',
    nameZh: '删除设备',
    params: IdParams,
    answer: Type.Null(),
  }),
  listWaitingDevices: endpoint({
    id: 'blacklistEntries.list',
    method: 'GET',
    path: '/api/auth/sys/blacklist-entries',
    policy: { route: { keys: ['auth_black_device'] }, who: 'vendor', row: 'shared' },
    effect: 'list',
    summary: 'List unregistered devices that tried to connect, latest attempt first; platform vendor only',
    nameZh: '查询待注册设备',
    query: Exact({ ...Paging(['lastAttemptAt', 'sn']), search: Search }),
    answer: Page(WaitingDeviceRow),
  }),
  exportWaitingDevices: endpoint({
    id: 'blacklistEntries.export',
    method: 'GET',
    path: '/api/auth/sys/blacklist-entries/export',
    policy: { route: { keys: ['auth_black_device'] }, who: 'vendor', row: 'shared', level: 'download' },
    effect: 'export',
    summary:
      "Export the filtered waiting devices as .xlsx. Headings are in the caller's language; platform vendor only",
    nameZh: '导出待注册设备',
    query: Exact({ sort: Paging(['lastAttemptAt', 'sn']).sort, search: Search }),
    answer: null,
  }),
  listConnectionAttempts: endpoint({
    id: 'connectionAttempts.list',
    method: 'GET',
    path: '/api/auth/sys/connection-attempts',
    policy: { route: { keys: ['auth_black_device'] }, who: 'vendor', row: 'shared' },
    effect: 'list',
    summary: 'List rejected connection attempts, latest first; platform vendor only',
    nameZh: '查询接入尝试',
    query: Exact({ ...Paging(['lastAt']), search: Search }),
    answer: Page(ConnectionAttemptRow),
  }),
  deleteWaitingDevice: endpoint({
    id: 'blacklistEntries.delete',
    method: 'DELETE',
    path: '/api/auth/sys/blacklist-entries/:id',
    policy: { route: { keys: ['auth_black_device'] }, who: 'vendor', row: 'shared' },
    effect: 'delete',
    summary: 'Remove a waiting device until it tries to connect again',
    nameZh: '移除待注册设备',
    params: IdParams,
    answer: Type.Null(),
  }),
};
