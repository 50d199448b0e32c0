import { DEVICE_STATUSES, SITE_LEVELS, STATISTIC_STEPS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Page, Paging, Time, Words } from '../schemas.ts';

const Seconds = Exact(
  Object.fromEntries(DEVICE_STATUSES.map((status) => [status, Type.Integer()])) as Record<
    (typeof DEVICE_STATUSES)[number],
    ReturnType<typeof Type.Integer>
  >,
);

/** The latest steps: `at` is the start of a step; the last step is still in progress. */
const window = { step: Words(STATISTIC_STEPS), stepSeconds: Type.Integer(), from: Time, to: Time };

export const SiteStatusStatistics = Exact({
  ...window,
  steps: Type.Array(
    Exact({
      at: Time,
      /** the length of the step so far */
      lasted: Type.Integer(),
      /** time in each status, summed over the devices */
      seconds: Seconds,
      /** device time during which the server was not running */
      unknown: Type.Integer(),
    }),
  ),
});
export type SiteStatusStatistics = Static<typeof SiteStatusStatistics>;

const Traffic = Exact({
  ...window,
  /** bytes of frames received from devices and sent to them */
  steps: Type.Array(Exact({ at: Time, received: Type.Integer(), sent: Type.Integer() })),
});
export type Traffic = Static<typeof Traffic>;

export const DeviceTrafficRow = Exact({
  /** of the device */
  id: Id,
  /** null for a device that is no longer in scope: deleted or moved */
  name: Type.Union([Type.String(), Type.Null()]),
  sn: Type.Union([Type.String(), Type.Null()]),
  received: Type.Integer(),
  sent: Type.Integer(),
});
export type DeviceTrafficRow = Static<typeof DeviceTrafficRow>;

/** Of one hour or day. `availability`: 0 to 1; null when nothing was in service, or no server observed it. */
const FigureStep = Exact({
  at: Time,
  availability: Type.Union([Type.Number(), Type.Null()]),
  /** what meters of charging sessions counted */
  energyWh: Type.Number(),
  /** that ended, without those whose users were refused */
  sessions: Type.Integer(),
  failed: Type.Integer(),
});

export const KeyFigures = Exact({
  now: Exact({
    served: Type.Integer(),
    available: Type.Integer(),
    charging: Type.Integer(),
    /** null when no device that is charging reports its power */
    powerW: Type.Union([Type.Number(), Type.Null()]),
  }),
  /** the last seven days or 24 hours; the last one is in progress */
  steps: Type.Array(FigureStep),
});
export type KeyFigures = Static<typeof KeyFigures>;

const Step = { step: Words(STATISTIC_STEPS) };

export const statisticsEndpoints = {
  readKeyFigures: endpoint({
    id: 'keyFigures.read',
    method: 'GET',
    path: '/api/auth/sys/key-figures',
    policy: { route: { keys: ['auth_home', 'auth_customer_detail', 'auth_site_detail'] }, row: 'scope' },
    effect: 'read',
    summary: 'Get availability, charging devices, energy and sessions, now and in the last seven days or 24 hours',
    nameZh: '查询关键指标',
    query: Exact({
      customerId: Type.Optional(Id),
      siteId: Type.Optional(Id),
      step: Type.Optional(Words(STATISTIC_STEPS)),
    }),
    answer: KeyFigures,
  }),
  readDeviceFigures: endpoint({
    id: 'deviceFigures.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/key-figures',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'read',
    summary: 'Get availability, energy and sessions of a device in the last 24 hours, while it was at sites in scope',
    nameZh: '查询设备关键指标',
    params: IdParams,
    answer: Exact({ hours: Type.Array(FigureStep) }),
  }),
  readSiteStatuses: endpoint({
    id: 'siteStatuses.read',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/status-statistics',
    policy: { route: { keys: ['auth_site_detail'] }, row: { object: 'site', from: 'params.id' } },
    effect: 'read',
    summary:
      'Get the status statistics of a site: how long its devices had each status in the last 24 hours or 31 days',
    nameZh: '查看站点状态统计',
    params: IdParams,
    query: Exact(Step),
    answer: SiteStatusStatistics,
  }),
  exportSiteStatuses: endpoint({
    id: 'siteStatuses.export',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/status-statistics/export',
    policy: {
      route: { keys: ['auth_site_detail'] },
      row: { object: 'site', from: 'params.id' },
      level: SITE_LEVELS.download,
    },
    effect: 'export',
    summary: "Export the status statistics of a site as .xlsx. Headings are in the caller's language",
    nameZh: '导出站点状态统计',
    params: IdParams,
    query: Exact(Step),
    answer: null,
  }),
  readSiteTraffic: endpoint({
    id: 'siteTraffic.read',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/traffic',
    policy: { route: { keys: ['auth_site_detail'] }, row: { object: 'site', from: 'params.id' } },
    effect: 'read',
    summary: 'Get the traffic of a site, for the last 48 hours or 60 days',
    nameZh: '查看站点流量统计',
    params: IdParams,
    query: Exact(Step),
    answer: Traffic,
  }),
  listSiteTrafficDevices: endpoint({
    id: 'siteTraffic.devices',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/traffic/devices',
    policy: { route: { keys: ['auth_site_detail'] }, row: { object: 'site', from: 'params.id' } },
    effect: 'list',
    summary: 'List the devices of a site by traffic in the same period',
    nameZh: '查询站点设备流量',
    params: IdParams,
    query: Exact({ ...Step, ...Paging(['total']) }),
    answer: Page(DeviceTrafficRow),
  }),
  exportSiteTraffic: endpoint({
    id: 'siteTraffic.export',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/traffic/export',
    policy: {
      route: { keys: ['auth_site_detail'] },
      row: { object: 'site', from: 'params.id' },
      level: SITE_LEVELS.download,
    },
    effect: 'export',
    summary: "Export the traffic statistics of a site as .xlsx. Headings are in the caller's language",
    nameZh: '导出站点流量统计',
    params: IdParams,
    query: Exact(Step),
    answer: null,
  }),
  readDeviceTraffic: endpoint({
    id: 'deviceTraffic.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/traffic',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'device', from: 'params.id' } },
    effect: 'read',
    summary: 'Get the traffic of a device while it was at sites in scope',
    nameZh: '查看设备流量统计',
    params: IdParams,
    query: Exact(Step),
    answer: Traffic,
  }),
};
