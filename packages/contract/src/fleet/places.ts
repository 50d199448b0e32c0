import {
  ALARM_LEVELS,
  CUSTOMER_LEVELS,
  DEVICE_STATUSES,
  SITE_LEVELS,
  SITE_STATES,
  TOKEN_POLICIES,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { MatchingRows } from '../lists.ts';
import { changeSchemas, filterSchemas, newSchemas, rowSchemas } from '../resource/schemas.ts';
import {
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
import { CUSTOMER } from './customer.ts';
import { SITE } from './site.ts';

const Search = Type.Optional(Type.String({ maxLength: 100 }));

const StatusCounts = Exact(
  Object.fromEntries(DEVICE_STATUSES.map((status) => [status, Type.Integer()])) as Record<
    (typeof DEVICE_STATUSES)[number],
    ReturnType<typeof Type.Integer>
  >,
);

const AlarmCounts = Exact(
  Object.fromEntries(ALARM_LEVELS.map((level) => [level, Type.Integer()])) as Record<
    (typeof ALARM_LEVELS)[number],
    ReturnType<typeof Type.Integer>
  >,
);

/** The location of a place as region codes, from country to city; null below the last known level. */
const region = { country: NullableText, province: NullableText, city: NullableText };
/** The names of these codes in the language of the request, from country to city; empty without a country. */
const regionName = { regionName: Type.String() };

const Region = Exact({
  ...{ code: Type.String(), en: Type.String(), zh: Type.String() },
  /** the installation turned it off: places keep it, but it cannot be chosen */
  off: Type.Optional(Type.Literal(true)),
});
const Province = Exact({ ...Region.properties, cities: Type.Array(Region) });
const Country = Exact({ ...Region.properties, provinces: Type.Array(Province) });
export type Country = Static<typeof Country>;

export const CustomerRow = Exact({
  id: Id,
  ...rowSchemas(CUSTOMER.fields),
  ...region,
  ...regionName,
  platformVendor: Type.Boolean(),
  enabled: Type.Boolean(),
  createdAt: Time,
  /** number of its sites in scope */
  siteCount: Type.Integer(),
  deviceCount: Type.Integer(),
  /** null for users with "assigned" scope, because users do not belong to a site */
  userCount: NullableNumber,
  revision: Revision,
});
export type CustomerRow = Static<typeof CustomerRow>;

export const CustomerDetail = Exact({
  ...CustomerRow.properties,
  byStatus: StatusCounts,
  /** number of open alarms of its devices in scope */
  alarmsByLevel: AlarmCounts,
  /** what the caller may do here, decided by the server: route, row and level */
  may: Exact({
    /** contact and address */
    edit: Type.Boolean(),
    /** name, code, issue prefix and the read-only flag; disable, enable, delete */
    manage: Type.Boolean(),
    seeUsers: Type.Boolean(),
  }),
});
export type CustomerDetail = Static<typeof CustomerDetail>;

/** A user who belongs to a customer or is responsible for a site. */
export const PlaceUserRow = Exact({
  id: Id,
  userName: Type.String(),
  nickName: Type.String(),
  email: NullableText,
  /** null for root, which has no role */
  roleName: NullableText,
  customerName: Type.String(),
  enabled: Type.Boolean(),
  lastSignInAt: NullableTime,
});
export type PlaceUserRow = Static<typeof PlaceUserRow>;

/** A notification recipient of a site. */
export const ReceiverRow = Exact({
  ...PlaceUserRow.properties,
  /** false while the account or its customer is disabled or has no email address: no notification can be sent */
  reachable: Type.Boolean(),
});
export type ReceiverRow = Static<typeof ReceiverRow>;

/** degrees (WGS-84); both or neither */
const { latitude, longitude, ...siteRow } = rowSchemas(SITE.fields);

export const SiteRow = Exact({
  id: Id,
  ...siteRow,
  customerId: Id,
  customerName: Type.String(),
  ...region,
  ...regionName,
  enabled: Type.Boolean(),
  createdAt: Time,
  deviceCount: Type.Integer(),
  activeAlarms: Type.Integer(),
  /** computed from the state of its devices */
  state: Words(SITE_STATES),
});
export type SiteRow = Static<typeof SiteRow>;

export const SiteDetail = Exact({
  ...SiteRow.properties,
  /** devices of a disabled customer are rejected, like those of a disabled site */
  customerEnabled: Type.Boolean(),
  ...{ latitude, longitude },
  revision: Revision,
  byStatus: StatusCounts,
  /** number of open alarms of its devices */
  alarmsByLevel: AlarmCounts,
  may: Exact({ edit: Type.Boolean() }),
});
export type SiteDetail = Static<typeof SiteDetail>;

/** A site that needs attention, with the reason. Suppressed alarms do not count. */
export const TroubledSiteRow = Exact({
  id: Id,
  name: Type.String(),
  customerName: Type.String(),
  state: Words(SITE_STATES),
  devices: Type.Integer(),
  faulted: Type.Integer(),
  offline: Type.Integer(),
  alarms: Type.Integer(),
  worstLevel: Type.Union([Words(ALARM_LEVELS), Type.Null()]),
  /** time of its oldest open alarm */
  since: NullableTime,
});
export type TroubledSiteRow = Static<typeof TroubledSiteRow>;

const SiteStateCounts = Exact(
  Object.fromEntries(SITE_STATES.map((state) => [state, Type.Integer()])) as Record<
    (typeof SITE_STATES)[number],
    ReturnType<typeof Type.Integer>
  >,
);

/** A region with all its parts: codes from country to city, separated by a slash, such as `CN/440000`. */
const RegionPath = Type.Optional(Type.String({ maxLength: 32 }));
/** Only this row, if it is in scope. Used to show the name of a selected row that is not on the current page. */
const Only = Type.Optional(Id);
const customerFilters = { id: Only, ...filterSchemas(CUSTOMER.filters, { region: RegionPath }) };
const siteFilters = { id: Only, ...filterSchemas(SITE.filters, { region: RegionPath }) };
const PLACE_USER_SORTS = ['userName'] as const;

const RegionCode = Type.Optional(Type.Union([Type.String({ minLength: 2, maxLength: 10 }), Type.Null()]));
/** Omitted fields stay unchanged, except that a new country or province clears the levels below it. */
const regionFields = { country: RegionCode, province: RegionCode, city: RegionCode };

export const NewCustomer = Exact({
  ...newSchemas(CUSTOMER.fields),
  ...regionFields,
  /** who may charge at its sites; without it, everyone */
  tokenPolicy: Type.Optional(Words(TOKEN_POLICIES)),
});
export const EditedCustomer = Exact({ ...changeSchemas(CUSTOMER.fields), ...regionFields, revision: SeenRevision });
export const NewSite = Exact({ customerId: Id, ...newSchemas(SITE.fields), ...regionFields });
export const EditedSite = Exact({ ...changeSchemas(SITE.fields), ...regionFields, revision: SeenRevision });

/** Who may enable, disable and delete a customer. */
const managesCustomer = {
  route: { keys: ['auth_customer_detail'] },
  who: 'vendor',
  row: { object: 'customer', from: 'params.id', whole: true },
  level: CUSTOMER_LEVELS.edit,
} as const;

/** Who may change a site. */
const editsSite = {
  route: { keys: ['auth_site_edit'] },
  row: { object: 'site', from: 'params.id' },
  level: SITE_LEVELS.edit,
} as const;

export const placesEndpoints = {
  listRegions: endpoint({
    id: 'regions.list',
    method: 'GET',
    path: '/api/auth/sys/dict/region/all',
    policy: { route: 'common', row: 'shared' },
    effect: 'list',
    summary: 'List countries with their provinces and cities in both languages',
    nameZh: '获取国家和省份和城市',
    answer: Type.Array(Country),
  }),
  listCustomers: endpoint({
    id: 'customers.list',
    method: 'GET',
    path: '/api/auth/sys/customers',
    policy: { route: { keys: ['auth_customer_list', 'auth_device_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List customers. Search finds each of its words in the name, in its pinyin or in the code',
    nameZh: '查询客户列表',
    query: Exact({ ...Paging(CUSTOMER.sorts), ...customerFilters }),
    answer: Page(CustomerRow),
  }),
  exportCustomers: endpoint({
    id: 'customers.export',
    method: 'GET',
    path: '/api/auth/sys/customers/export',
    policy: { route: { keys: ['auth_customer_list'] }, row: 'scope', level: CUSTOMER_LEVELS.download },
    effect: 'export',
    summary: "Export the filtered customers as .xlsx. Headings are in the caller's language",
    nameZh: '导出客户列表',
    query: Exact({ sort: Paging(CUSTOMER.sorts).sort, ...customerFilters }),
    answer: null,
  }),
  readCustomer: endpoint({
    id: 'customers.read',
    method: 'GET',
    path: '/api/auth/sys/customers/:id',
    policy: { route: { keys: ['auth_customer_detail'] }, row: { object: 'customer', from: 'params.id' } },
    effect: 'read',
    summary: 'Get a customer with its counts',
    nameZh: '查看客户',
    params: IdParams,
    answer: CustomerDetail,
  }),
  listCustomerUsers: endpoint({
    id: 'customers.users',
    method: 'GET',
    path: '/api/auth/sys/customers/:id/users',
    policy: { route: { keys: ['auth_customer_detail'] }, row: { object: 'customer', from: 'params.id', whole: true } },
    effect: 'list',
    summary: 'List the users of a customer. Requires access to the whole customer',
    nameZh: '查询客户的用户',
    params: IdParams,
    query: Exact(Paging(PLACE_USER_SORTS)),
    answer: Page(PlaceUserRow),
  }),
  createCustomer: endpoint({
    id: 'customers.create',
    method: 'POST',
    path: '/api/auth/sys/customers',
    policy: {
      route: { keys: ['auth_customer_list'] },
      who: 'vendor',
      row: 'shared',
      allCustomers: true,
      level: CUSTOMER_LEVELS.edit,
    },
    effect: 'create',
    summary: 'Add a customer; platform vendor only',
    nameZh: '新增客户',
    body: NewCustomer,
    answer: Exact({ id: Id }),
  }),
  updateCustomer: endpoint({
    id: 'customers.update',
    method: 'PATCH',
    path: '/api/auth/sys/customers/:id',
    policy: {
      route: { keys: ['auth_customer_detail'] },
      row: { object: 'customer', from: 'params.id', whole: true },
      level: CUSTOMER_LEVELS.edit,
    },
    effect: 'update',
    summary: 'Update a customer. Only the platform vendor can change name, code, issue prefix and the read-only flag',
    nameZh: '编辑客户',
    params: IdParams,
    body: EditedCustomer,
    answer: Type.Null(),
  }),
  enableCustomer: endpoint({
    id: 'customers.enable',
    method: 'POST',
    path: '/api/auth/sys/customers/:id/enable',
    policy: managesCustomer,
    effect: 'update',
    summary: 'Enable a customer. Its users can sign in and its devices can connect; platform vendor only',
    nameZh: '启用客户',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  disableCustomer: endpoint({
    id: 'customers.disable',
    method: 'POST',
    path: '/api/auth/sys/customers/:id/disable',
    policy: managesCustomer,
    effect: 'update',
    summary:
      'Disable a customer. Its users are signed out, its devices disconnected, and both rejected; platform vendor only',
    nameZh: '停用客户',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  deleteCustomer: endpoint({
    id: 'customers.delete',
    method: 'DELETE',
    path: '/api/auth/sys/customers/:id',
    policy: managesCustomer,
    effect: 'delete',
    summary: 'Delete a customer without sites and users; platform vendor only',
    nameZh: '删除客户',
    params: IdParams,
    answer: Type.Null(),
  }),
  listSites: endpoint({
    id: 'sites.list',
    method: 'GET',
    path: '/api/auth/sys/sites',
    policy: { route: { keys: ['auth_site_list', 'auth_device_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List sites. Search finds each of its words in the name, in its pinyin or in the code',
    nameZh: '查询站点列表',
    query: Exact({ ...Paging(SITE.sorts), ...siteFilters }),
    answer: Page(SiteRow),
  }),
  selectSites: endpoint({
    id: 'sites.select',
    method: 'GET',
    path: '/api/auth/sys/sites/selection',
    policy: { route: { keys: ['auth_site_list'] }, row: 'scope' },
    effect: 'list',
    summary: 'List the IDs and names of all sites that match the filters, at most 10,000',
    nameZh: '按筛选条件选择站点',
    query: Exact(siteFilters),
    answer: MatchingRows,
  }),
  exportSites: endpoint({
    id: 'sites.export',
    method: 'GET',
    path: '/api/auth/sys/sites/export',
    policy: { route: { keys: ['auth_site_list'] }, row: 'scope', level: SITE_LEVELS.download },
    effect: 'export',
    summary: "Export the filtered sites as .xlsx. Headings are in the caller's language",
    nameZh: '导出站点列表',
    query: Exact({ sort: Paging(SITE.sorts).sort, ...siteFilters }),
    answer: null,
  }),
  listSitePositions: endpoint({
    id: 'sites.positions',
    method: 'GET',
    path: '/api/auth/sys/sites/positions',
    policy: { route: { keys: ['auth_site_list'] }, row: 'scope' },
    effect: 'read',
    summary: 'List the positions (WGS-84) and states of the filtered sites for a map, up to 5,000',
    nameZh: '查询站点位置',
    query: Exact(siteFilters),
    answer: Exact({
      items: Type.Array(
        Exact({
          ...{ id: Id, name: Type.String(), latitude: Type.Number(), longitude: Type.Number() },
          state: Words(SITE_STATES),
        }),
      ),
      /** of the filtered sites, those without a position */
      unplaced: Type.Integer(),
      /** there are more sites than are listed */
      more: Type.Boolean(),
    }),
  }),
  readSiteStates: endpoint({
    id: 'sites.states',
    method: 'GET',
    path: '/api/auth/sys/sites/states',
    policy: { route: { keys: ['auth_home', 'auth_site_list'] }, row: 'scope' },
    effect: 'read',
    summary: 'Count sites by state and list those with problems, the worst first',
    nameZh: '统计站点状态',
    answer: Exact({ total: Type.Integer(), byState: SiteStateCounts, troubled: Type.Array(TroubledSiteRow) }),
  }),
  readSite: endpoint({
    id: 'sites.read',
    method: 'GET',
    path: '/api/auth/sys/sites/:id',
    policy: { route: { keys: ['auth_site_detail', 'auth_site_edit'] }, row: { object: 'site', from: 'params.id' } },
    effect: 'read',
    summary: 'Get a site with its device counts by status',
    nameZh: '查看站点',
    params: IdParams,
    answer: SiteDetail,
  }),
  listSiteAdministrators: endpoint({
    id: 'sites.administrators',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/administrators',
    policy: { route: { keys: ['auth_site_detail'] }, row: { object: 'site', from: 'params.id' } },
    effect: 'list',
    summary: 'List the users in scope who may edit a site',
    nameZh: '查询站点管理员',
    params: IdParams,
    query: Exact(Paging(PLACE_USER_SORTS)),
    answer: Page(PlaceUserRow),
  }),
  createSite: endpoint({
    id: 'sites.create',
    method: 'POST',
    path: '/api/auth/sys/sites',
    policy: {
      route: { keys: ['auth_site_add'] },
      row: { object: 'customer', from: 'body.customerId', outside: 'customerUnknown' },
      level: SITE_LEVELS.edit,
    },
    effect: 'create',
    summary: 'Add a site. A caller who sees only assigned sites is assigned to it',
    nameZh: '新增站点',
    body: NewSite,
    answer: Exact({ id: Id }),
  }),
  updateSite: endpoint({
    id: 'sites.update',
    method: 'PATCH',
    path: '/api/auth/sys/sites/:id',
    policy: editsSite,
    effect: 'update',
    summary: 'Update a site. Its customer cannot be changed',
    nameZh: '编辑站点',
    params: IdParams,
    body: EditedSite,
    answer: Type.Null(),
  }),
  enableSite: endpoint({
    id: 'sites.enable',
    method: 'POST',
    path: '/api/auth/sys/sites/:id/enable',
    policy: editsSite,
    effect: 'update',
    summary: 'Enable a site. Its devices can connect again',
    nameZh: '启用站点',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  disableSite: endpoint({
    id: 'sites.disable',
    method: 'POST',
    path: '/api/auth/sys/sites/:id/disable',
    policy: editsSite,
    effect: 'update',
    summary: 'Disable a site. Its devices are disconnected and rejected until it is enabled',
    nameZh: '停用站点',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  deleteSite: endpoint({
    id: 'sites.delete',
    method: 'DELETE',
    path: '/api/auth/sys/sites/:id',
    policy: editsSite,
    effect: 'delete',
    summary: 'Delete a site without devices',
    nameZh: '删除站点',
    params: IdParams,
    answer: Type.Null(),
  }),
  listReceivers: endpoint({
    id: 'siteReceivers.list',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/receivers',
    policy: { route: { keys: ['auth_site_detail'] }, row: { object: 'site', from: 'params.id' } },
    effect: 'list',
    summary: 'List the notification recipients of a site',
    nameZh: '查询站点通知接收人',
    params: IdParams,
    query: Exact(Paging(PLACE_USER_SORTS)),
    answer: Page(ReceiverRow),
  }),
  listReceiverCandidates: endpoint({
    id: 'siteReceivers.candidates',
    method: 'GET',
    path: '/api/auth/sys/sites/:id/receiver-candidates',
    policy: { route: { keys: ['auth_site_edit'] }, row: { object: 'site', from: 'params.id' } },
    effect: 'list',
    summary: 'List users who can be added as notification recipients of a site',
    nameZh: '查询可选通知接收人',
    params: IdParams,
    query: Exact({ ...Paging(PLACE_USER_SORTS), search: Search }),
    answer: Page(ReceiverRow),
  }),
  addReceiver: endpoint({
    id: 'siteReceivers.add',
    method: 'POST',
    path: '/api/auth/sys/sites/:id/receivers',
    policy: editsSite,
    effect: 'update',
    summary: 'Add a notification recipient to a site',
    nameZh: '添加站点通知接收人',
    params: IdParams,
    body: Exact({ userId: Id }),
    answer: Type.Null(),
  }),
  removeReceiver: endpoint({
    id: 'siteReceivers.remove',
    method: 'DELETE',
    path: '/api/auth/sys/sites/:id/receivers/:userId',
    policy: editsSite,
    effect: 'update',
    summary: 'Remove a notification recipient from a site',
    nameZh: '移除站点通知接收人',
    params: Exact({ id: Id, userId: Id }),
    answer: Type.Null(),
  }),
};
