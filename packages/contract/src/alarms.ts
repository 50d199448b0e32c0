import { ALARM_KINDS, ALARM_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Exact, Id, IdParams, NullableText, NullableTime, Page, Paging, Time, Words } from './schemas.ts';

export const AlarmRow = Exact({
  id: Type.Integer(),
  connector: Type.Integer(),
  code: Type.String(),
  kind: Words(ALARM_KINDS),
  level: Words(ALARM_LEVELS),
  info: NullableText,
  raisedAt: Time,
  lastAt: Time,
  repeats: Type.Integer(),
  clearedAt: NullableTime,
});
export type AlarmRow = Static<typeof AlarmRow>;

export const DeviceEventRow = Exact({
  id: Type.Integer(),
  /** spec §3: disconnect 0, minor alarm 1, alarm 2, unavailable 3 */
  type: Type.Integer({ minimum: 0, maximum: 3 }),
  connector: Type.Integer(),
  at: Time,
  code: Type.String(),
  detail: NullableText,
  endedAt: NullableTime,
});
export type DeviceEventRow = Static<typeof DeviceEventRow>;

/** Of a list that spans several devices: which one it is about. */
const ofDevice = { deviceId: Id, deviceName: Type.String() };
export const SiteAlarmRow = Exact({ ...AlarmRow.properties, ...ofDevice });
export type SiteAlarmRow = Static<typeof SiteAlarmRow>;
export const SiteEventRow = Exact({ ...DeviceEventRow.properties, ...ofDevice });
export type SiteEventRow = Static<typeof SiteEventRow>;

export const alarmEndpoints = {
  listAlarms: endpoint({
    id: 'alarms.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/alarms',
    access: { keys: ['auth_device_detail'] },
    effect: 'list',
    summary: 'Alarm episodes of a device, active ones first, then newest first',
    params: IdParams,
    query: Exact({ ...Paging(['raisedAt']), active: Type.Optional(Type.Boolean()) }),
    answer: Page(AlarmRow),
  }),
  listDeviceEvents: endpoint({
    id: 'deviceEvents.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/events',
    access: { keys: ['auth_device_detail'] },
    effect: 'list',
    summary: 'Device events of a device, newest first',
    params: IdParams,
    query: Exact({ ...Paging(['at']), type: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })) }),
    answer: Page(DeviceEventRow),
  }),
  listSiteAlarms: endpoint({
    id: 'siteAlarms.list',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/alarms',
    access: { keys: ['auth_site_detail'] },
    effect: 'list',
    summary: 'Alarm episodes of the devices of a site, active ones first, then newest first',
    params: IdParams,
    query: Exact({
      ...Paging(['raisedAt']),
      active: Type.Optional(Type.Boolean()),
      level: Type.Optional(Words(ALARM_LEVELS)),
    }),
    answer: Page(SiteAlarmRow),
  }),
  listSiteEvents: endpoint({
    id: 'siteEvents.list',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/events',
    access: { keys: ['auth_site_detail'] },
    effect: 'list',
    summary: 'Device events of the devices of a site, newest first',
    params: IdParams,
    query: Exact({ ...Paging(['at']), type: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })) }),
    answer: Page(SiteEventRow),
  }),
};
