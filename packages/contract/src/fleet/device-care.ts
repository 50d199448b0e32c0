import { type Static, Type } from 'typebox';
import { BULK_LIMIT, DEVICE_PICTURES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { BulkAnswer } from '../lists.ts';
import {
  Exact,
  Id,
  IdParams,
  Lines,
  NullableNumber,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Time,
} from '../schemas.ts';

/** A maintenance of a device: either recorded afterwards, or started and then ended. */
export const MaintenanceRow = Exact({
  id: Id,
  beganAt: Time,
  beganBy: Type.String(),
  /** null while the work continues */
  endedAt: NullableTime,
  endedBy: NullableText,
  note: Type.String(),
  /** this is the scheduled maintenance: it restarts the maintenance cycle */
  maintained: Type.Boolean(),
  /** time since the previous maintenance at that point */
  unmaintainedDays: NullableNumber,
  /** total runtime at that point */
  runtimeSeconds: NullableNumber,
});
export type MaintenanceRow = Static<typeof MaintenanceRow>;

/** A picture of a device. `key` is the key of the object in the store. */
export const DeviceImage = Exact({ id: Id, key: Type.String(), addedAt: Time, addedBy: Type.String() });
export type DeviceImage = Static<typeof DeviceImage>;

/** The content of a device label. */
export const DeviceLabel = Exact({
  id: Id,
  sn: Type.String(),
  name: Type.String(),
  siteName: Type.String(),
  deviceModelName: Type.String(),
  /** the secret of the link for reports of people without an account */
  reportToken: Type.String(),
  /** those of the device and of its model that a report can name */
  connectors: Type.Array(Type.Integer()),
  /** the latest protocol of the device, null when it never connected; determines the names of its connectors */
  protocol: NullableText,
});
export type DeviceLabel = Static<typeof DeviceLabel>;

/** A certificate that was signed for a device at its request. */
export const DeviceCertificate = Exact({
  id: Id,
  /** lowercase hexadecimal; the fingerprint is the SHA-256 of the certificate */
  serial: Type.String(),
  fingerprint: Type.String(),
  subject: Type.String(),
  notBefore: Time,
  notAfter: Time,
  issuedAt: Time,
  /** whether the device accepted it; null until the device responds */
  accepted: Type.Union([Type.Boolean(), Type.Null()]),
  answeredAt: NullableTime,
});
export type DeviceCertificate = Static<typeof DeviceCertificate>;

const Note = Lines({ maxLength: 500 });
const device = '/api/auth/sys/devices/:id';
const READS = ['auth_device_detail', 'auth_device_info'] as const;

/** Endpoints for the care of registered devices: maintenance, moves, labels and pictures. */
export const deviceCareEndpoints = {
  listMaintenances: endpoint({
    id: 'deviceMaintenances.list',
    method: 'GET',
    path: `${device}/maintenances`,
    policy: { route: { keys: READS }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the maintenance records of a device, newest first',
    nameZh: '查询设备维护记录',
    params: IdParams,
    query: Exact({ ...Paging(['beganAt']) }),
    answer: Page(MaintenanceRow),
  }),
  recordMaintenance: endpoint({
    id: 'deviceMaintenances.record',
    method: 'POST',
    path: `${device}/maintenances`,
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Record maintenance of a device. The time since maintenance restarts from zero',
    nameZh: '登记设备维护',
    params: IdParams,
    body: Exact({ note: Note }),
    answer: Exact({ id: Id }),
  }),
  beginMaintenance: endpoint({
    id: 'deviceMaintenances.begin',
    method: 'POST',
    path: `${device}/maintenances/begin`,
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Start maintenance of a device. Its alarms are shown but not counted until maintenance ends',
    nameZh: '设备进入维护',
    params: IdParams,
    body: Exact({ note: Note }),
    answer: Exact({ id: Id }),
  }),
  endMaintenance: endpoint({
    id: 'deviceMaintenances.end',
    method: 'POST',
    path: `${device}/maintenances/end`,
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'End maintenance of a device; states whether it was the scheduled maintenance',
    nameZh: '设备结束维护',
    params: IdParams,
    body: Exact({ note: Note, maintained: Type.Boolean() }),
    answer: Type.Null(),
  }),
  moveDevices: endpoint({
    id: 'devices.moveMany',
    method: 'POST',
    path: '/api/auth/sys/devices/move',
    policy: {
      route: { keys: ['auth_device_edit'] },
      row: { object: 'device', from: 'body.ids', each: true },
      level: 'edit',
    },
    effect: 'update',
    summary:
      'Move devices to another site with their readings, alarms and events. Connections stay open. Each device has its own result',
    nameZh: '迁移设备',
    body: Exact({ ids: Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true }), siteId: Id }),
    answer: BulkAnswer,
  }),
  listDeviceLabels: endpoint({
    id: 'devices.labels',
    method: 'GET',
    path: '/api/auth/sys/devices/labels',
    policy: { route: { keys: ['auth_device_list', 'auth_device_detail'] }, row: 'scope' },
    effect: 'list',
    summary: 'Get label data of devices in the requested order. Devices out of scope are left out',
    nameZh: '打印设备标签',
    // Up to the maximum number of selected rows, separated by commas.
    query: Exact({ ids: Type.String({ minLength: 1, maxLength: 11 * BULK_LIMIT }) }),
    answer: Exact({
      items: Type.Array(DeviceLabel),
      /** base URL of the console for QR codes; null when it is not configured */
      consoleUrl: NullableText,
    }),
  }),
  listDeviceImages: endpoint({
    id: 'deviceImages.list',
    method: 'GET',
    path: `${device}/images`,
    policy: { route: { keys: READS }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the pictures of a device, in their order',
    nameZh: '查询设备图片',
    params: IdParams,
    answer: Exact({ items: Type.Array(DeviceImage) }),
  }),
  listDeviceCertificates: endpoint({
    id: 'deviceCertificates.list',
    method: 'GET',
    path: `${device}/certificates`,
    policy: { route: { keys: READS }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: 'List the certificates signed for a device, newest first',
    nameZh: '查询设备证书',
    params: IdParams,
    query: Exact({ ...Paging(['issuedAt']) }),
    answer: Page(DeviceCertificate),
  }),
  addDeviceImage: endpoint({
    id: 'deviceImages.add',
    method: 'POST',
    path: `${device}/images`,
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Add an uploaded picture to a device as the last one',
    nameZh: '添加设备图片',
    params: IdParams,
    body: Exact({ image: Type.String({ minLength: 1, maxLength: 300 }) }),
    answer: Exact({ id: Id }),
  }),
  orderDeviceImages: endpoint({
    id: 'deviceImages.order',
    method: 'PUT',
    path: `${device}/images/order`,
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'device', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Reorder all pictures of a device. Rejected if they changed in the meantime',
    nameZh: '调整设备图片顺序',
    params: IdParams,
    body: Exact({ ids: Type.Array(Id, { minItems: 1, maxItems: DEVICE_PICTURES, uniqueItems: true }) }),
    answer: Type.Null(),
  }),
  removeDeviceImage: endpoint({
    id: 'deviceImages.remove',
    method: 'DELETE',
    path: '/api/auth/sys/device-images/:id',
    policy: { route: { keys: ['auth_device_edit'] }, row: { object: 'deviceImage', from: 'params.id' }, level: 'edit' },
    effect: 'update',
    summary: 'Delete a picture of a device',
    nameZh: '删除设备图片',
    params: IdParams,
    answer: Type.Null(),
  }),
};
