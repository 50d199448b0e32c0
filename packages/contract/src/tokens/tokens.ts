import {
  MAX_TOKENS,
  POLICY_LEVELS,
  TOKEN_DOWNLOAD_LEVELS,
  TOKEN_EDIT_LEVELS,
  TOKEN_HOLDER_LENGTH,
  TOKEN_IMPORT_BYTES,
  TOKEN_LENGTH,
  TOKEN_NOTE_LENGTH,
  TOKEN_POLICIES,
  TOKEN_SITES,
  TOKEN_TYPES,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { BULK_LIMIT } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { BulkAnswer } from '../lists.ts';
import {
  Exact,
  FileContent,
  Id,
  IdParams,
  Lines,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Revision,
  SeenRevision,
  Time,
  Words,
} from '../schemas.ts';

const { page, pageSize } = Paging([]);
const Search = Type.Optional(Type.String({ maxLength: 100 }));
const NullablePolicy = Type.Union([Words(TOKEN_POLICIES), Type.Null()]);

const tokenFields = {
  tokenType: Words(TOKEN_TYPES),
  /** parentIdTag of OCPP 1.6, groupIdToken of 2.x; null: none */
  tokenGroup: Type.Union([Type.String({ minLength: 1, maxLength: TOKEN_LENGTH }), Type.Null()]),
  holder: Type.String({ maxLength: TOKEN_HOLDER_LENGTH }),
  tokenNote: Lines({ maxLength: TOKEN_NOTE_LENGTH }),
  validFrom: NullableTime,
  validUntil: NullableTime,
  blocked: Type.Boolean(),
  /** it may be used in several charging sessions at the same time */
  concurrent: Type.Boolean(),
  /** empty: every site of the customer */
  siteIds: Type.Array(Id, { maxItems: TOKEN_SITES, uniqueItems: true }),
};
const TokenValue = Type.String({ minLength: 1, maxLength: TOKEN_LENGTH });

/** Whether a token may be used now. */
export const TOKEN_STATES = ['valid', 'blocked', 'expired', 'notYet'] as const;
export type TokenState = (typeof TOKEN_STATES)[number];

export const TokenRow = Exact({
  id: Id,
  customerId: Id,
  customerName: Type.String(),
  /** all but the last characters are replaced for users who may not read tokens; `masked` is true then */
  value: Type.String(),
  masked: Type.Boolean(),
  type: Words(TOKEN_TYPES),
  group: NullableText,
  holder: Type.String(),
  note: Type.String(),
  validFrom: NullableTime,
  validUntil: NullableTime,
  blockedAt: NullableTime,
  blockedBy: NullableText,
  concurrent: Type.Boolean(),
  state: Words(TOKEN_STATES),
  /** those that the caller sees; of a token for all sites none */
  sites: Type.Array(Exact({ id: Id, name: Type.String() })),
  allSites: Type.Boolean(),
  createdAt: Time,
  createdBy: Type.String(),
  updatedAt: Time,
  revision: Revision,
});
export type TokenRow = Static<typeof TokenRow>;

/** The policies that are set around a place; the closest one applies. */
export const TokenPolicyAnswer = Exact({
  /** what is set here; null: nothing */
  own: NullablePolicy,
  setAt: NullableTime,
  setBy: NullableText,
  applied: Exact({ policy: Words(TOKEN_POLICIES), level: Words(POLICY_LEVELS) }),
  /** what applies without a policy of its own */
  inherited: Exact({ policy: Words(TOKEN_POLICIES), level: Words(POLICY_LEVELS) }),
  /** tokens that are valid here now */
  tokens: Type.Integer({ minimum: 0 }),
  /** sites and devices below that have a policy of their own */
  exceptions: Type.Array(
    Exact({ level: Words(['site', 'device']), id: Id, name: Type.String(), policy: Words(TOKEN_POLICIES) }),
  ),
  mayEdit: Type.Boolean(),
});
export type TokenPolicyAnswer = Static<typeof TokenPolicyAnswer>;

export const LIST_STATES = ['waiting', 'sending', 'equal', 'unsupported', 'off', 'failed'] as const;

/** The local authorization list of a device. */
export const DeviceListRow = Exact({
  deviceId: Id,
  sn: Type.String(),
  deviceName: Type.String(),
  siteId: Id,
  siteName: Type.String(),
  customerName: Type.String(),
  connected: Type.Boolean(),
  state: Words(LIST_STATES),
  /** of the list that the device has; 0: none */
  version: Type.Integer({ minimum: 0 }),
  /** SHA-256 of the entries in hexadecimal, the first 16 digits; null while they are not known */
  checksum: NullableText,
  entries: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** tokens for which the device has no room */
  leftOut: Type.Integer({ minimum: 0 }),
  /** what the list should be */
  wantedChecksum: NullableText,
  wantedEntries: Type.Integer({ minimum: 0 }),
  detail: NullableText,
  verifiedAt: NullableTime,
  equalAt: NullableTime,
  /** blocked tokens wait until the cache of the device is cleared */
  cacheWaits: Type.Boolean(),
  mayResend: Type.Boolean(),
});
export type DeviceListRow = Static<typeof DeviceListRow>;

export const UnknownTokenRow = Exact({
  id: Id,
  siteId: Id,
  siteName: Type.String(),
  customerId: Id,
  customerName: Type.String(),
  value: Type.String(),
  masked: Type.Boolean(),
  type: NullableText,
  deviceId: Type.Union([Id, Type.Null()]),
  deviceName: NullableText,
  count: Type.Integer({ minimum: 1 }),
  firstAt: Time,
  lastAt: Time,
  mayAdd: Type.Boolean(),
});
export type UnknownTokenRow = Static<typeof UnknownTokenRow>;

export const IMPORT_STATES = ['running', 'done', 'failed'] as const;
export const TokenImport = Exact({
  id: Id,
  fileName: Type.String(),
  state: Words(IMPORT_STATES),
  /** rows of the file, and how many of them were processed */
  total: Type.Integer({ minimum: 0 }),
  done: Type.Integer({ minimum: 0 }),
  added: Type.Integer({ minimum: 0 }),
  changed: Type.Integer({ minimum: 0 }),
  unchanged: Type.Integer({ minimum: 0 }),
  skipped: Type.Integer({ minimum: 0 }),
  startedAt: Time,
  endedAt: NullableTime,
  /** the first 100 rows that were skipped; the report has all of them */
  faults: Type.Array(Exact({ row: Type.Integer(), value: Type.String(), problems: Type.Array(Type.String()) })),
});
export type TokenImport = Static<typeof TokenImport>;

const READ = { route: { keys: ['auth_token'] } } as const;
const EDIT = { route: { keys: ['auth_token_edit'] }, level: TOKEN_EDIT_LEVELS } as const;
const tokens = '/api/auth/sys/tokens';
const filters = {
  customerId: Type.Optional(Id),
  siteId: Type.Optional(Id),
  tokenType: Type.Optional(Words(TOKEN_TYPES)),
  tokenState: Type.Optional(Words(TOKEN_STATES)),
};

/** The policy of a customer, a site or a device: reading and setting it. */
function policyEndpoints<const P extends 'customer' | 'site' | 'device'>(
  place: P,
  placeZh: string,
  keys: readonly [string, ...string[]],
) {
  const path = `/api/auth/sys/${place}s/:id/token-policy`;
  const row =
    place === 'customer' ? { object: place, from: 'params.id', whole: true } : { object: place, from: 'params.id' };
  return {
    read: endpoint({
      id: `tokenPolicies.read${place[0]!.toUpperCase()}${place.slice(1)}`,
      method: 'GET',
      path,
      policy: { route: { keys }, row: { object: place, from: 'params.id' } },
      effect: 'read',
      summary: `Get who may charge at a ${place}: its own policy, the one that applies, and where that is set`,
      nameZh: `查看${placeZh}的充电授权策略`,
      params: IdParams,
      answer: TokenPolicyAnswer,
    }),
    set: endpoint({
      id: `tokenPolicies.set${place[0]!.toUpperCase()}${place.slice(1)}`,
      method: 'PUT',
      path,
      policy: {
        route: { keys: ['auth_token_edit'] },
        level: TOKEN_EDIT_LEVELS,
        row: row as { object: P; from: 'params.id' },
      },
      effect: 'update',
      summary: `Set who may charge at a ${place}. null: the policy of the next larger place applies`,
      nameZh: `设置${placeZh}的充电授权策略`,
      params: IdParams,
      body: Exact({ tokenPolicy: NullablePolicy }),
      answer: Type.Null(),
    }),
  };
}

const ofCustomer = policyEndpoints('customer', '客户', ['auth_customer_detail', 'auth_token']);
const ofSite = policyEndpoints('site', '站点', ['auth_site_detail', 'auth_token']);
const ofDevice = policyEndpoints('device', '设备', ['auth_device_detail', 'auth_token']);

/** Tokens, who may charge where, the local lists of devices, and tokens that are not known. */
export const tokenEndpoints = {
  // POST, because searched values must not be in URLs.
  listTokens: endpoint({
    id: 'tokens.list',
    method: 'POST',
    path: `${tokens}/search`,
    policy: { ...READ, row: 'scope' },
    effect: 'list',
    summary:
      'List tokens. Search finds a whole value, or a part of the holder or the note; values are masked without the level',
    nameZh: '查询授权卡列表',
    body: Exact({ ...Paging(['holder', 'createdAt', 'validUntil']), search: Search, ...filters }),
    answer: Page(TokenRow),
  }),
  readToken: endpoint({
    id: 'tokens.read',
    method: 'GET',
    path: `${tokens}/:id`,
    policy: { ...READ, row: { object: 'token', from: 'params.id' } },
    effect: 'read',
    summary: 'Get a token',
    nameZh: '查看授权卡',
    params: IdParams,
    answer: TokenRow,
  }),
  createToken: endpoint({
    id: 'tokens.create',
    method: 'POST',
    path: tokens,
    policy: { ...EDIT, row: { object: 'customer', from: 'body.customerId', whole: true } },
    effect: 'create',
    summary: `Add a token to a customer, which can have ${MAX_TOKENS}`,
    nameZh: '新增授权卡',
    body: Exact({ customerId: Id, tokenValue: TokenValue, ...tokenFields }),
    answer: Exact({ id: Id }),
  }),
  updateToken: endpoint({
    id: 'tokens.update',
    method: 'PATCH',
    path: `${tokens}/:id`,
    policy: { ...EDIT, row: { object: 'token', from: 'params.id', whole: true } },
    effect: 'update',
    summary: 'Change a token',
    nameZh: '编辑授权卡',
    params: IdParams,
    body: Exact({ tokenValue: Type.Optional(TokenValue), ...tokenFields, revision: SeenRevision }),
    answer: Type.Null(),
  }),
  changeTokens: endpoint({
    id: 'tokens.changeMany',
    method: 'POST',
    path: `${tokens}/change`,
    policy: { ...EDIT, row: { object: 'token', from: 'body.ids', whole: true, each: true } },
    effect: 'update',
    summary: 'Block, unblock or delete tokens, or set their end, group or sites. Each row has its own result',
    nameZh: '批量修改授权卡',
    body: Exact({
      ids: Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true }),
      tokenChange: Words(['block', 'unblock', 'delete', 'validUntil', 'group', 'sites']),
      validUntil: Type.Optional(NullableTime),
      tokenGroup: Type.Optional(tokenFields.tokenGroup),
      siteIds: Type.Optional(tokenFields.siteIds),
    }),
    answer: BulkAnswer,
  }),
  deleteToken: endpoint({
    id: 'tokens.delete',
    method: 'DELETE',
    path: `${tokens}/:id`,
    policy: { ...EDIT, row: { object: 'token', from: 'params.id', whole: true } },
    effect: 'delete',
    summary: 'Delete a token. Charge points with a local list remove it there',
    nameZh: '删除授权卡',
    params: IdParams,
    answer: Type.Null(),
  }),
  exportTokens: endpoint({
    id: 'tokens.export',
    method: 'GET',
    path: `${tokens}/export`,
    policy: { ...READ, row: 'scope', level: TOKEN_DOWNLOAD_LEVELS },
    effect: 'export',
    summary: 'Export tokens as .xlsx with the columns of the import, filtered like the list',
    nameZh: '导出授权卡',
    query: Exact(filters),
    answer: null,
  }),
  importTokens: endpoint({
    id: 'tokens.import',
    method: 'POST',
    path: `${tokens}/import`,
    policy: { ...EDIT, row: { object: 'customer', from: 'body.customerId', whole: true } },
    effect: 'update',
    summary:
      'Start to add and change the tokens of an .xlsx file with up to 100,000 rows. Rows with problems are skipped and reported',
    nameZh: '导入授权卡',
    // The file in base64 plus a small allowance for the other fields.
    bodyLimit: Math.ceil(TOKEN_IMPORT_BYTES / 3) * 4 + 64 * 1024,
    fileLimit: TOKEN_IMPORT_BYTES,
    body: Exact({ customerId: Id, fileName: Type.String({ minLength: 1, maxLength: 255 }), content: FileContent }),
    answer: Exact({ id: Id }),
  }),
  listTokenImports: endpoint({
    id: 'tokenImports.list',
    method: 'GET',
    path: '/api/auth/sys/token-imports',
    policy: { ...EDIT, row: 'scope' },
    effect: 'list',
    summary: 'List the imports of tokens with their progress and the first rows that were skipped, newest first',
    nameZh: '查询授权卡导入任务',
    query: Exact({ page, pageSize, customerId: Type.Optional(Id) }),
    answer: Page(TokenImport),
  }),
  exportTokenImport: endpoint({
    id: 'tokenImports.export',
    method: 'GET',
    path: '/api/auth/sys/token-imports/:id/report',
    policy: { ...EDIT, row: { object: 'tokenImport', from: 'params.id', whole: true } },
    effect: 'export',
    summary: 'Export all rows that an import skipped, each with the reason, as .xlsx',
    nameZh: '导出授权卡导入报告',
    params: IdParams,
    answer: null,
  }),
  readCustomerTokenPolicy: ofCustomer.read,
  setCustomerTokenPolicy: ofCustomer.set,
  readSiteTokenPolicy: ofSite.read,
  setSiteTokenPolicy: ofSite.set,
  readDeviceTokenPolicy: ofDevice.read,
  setDeviceTokenPolicy: ofDevice.set,
  listDeviceTokenLists: endpoint({
    id: 'tokenLists.list',
    method: 'GET',
    path: '/api/auth/sys/token-lists',
    policy: { ...READ, row: 'scope' },
    effect: 'list',
    summary:
      'List the local authorization lists of devices: the version and checksum that each has, and what it should have',
    nameZh: '查询设备本地授权列表',
    query: Exact({
      ...Paging(['sn', 'equalAt']),
      search: Search,
      siteId: Type.Optional(Id),
      deviceId: Type.Optional(Id),
      listState: Type.Optional(Words(LIST_STATES)),
    }),
    answer: Page(DeviceListRow),
  }),
  resendTokenList: endpoint({
    id: 'tokenLists.resend',
    method: 'POST',
    path: '/api/auth/sys/token-lists/:id/resend',
    policy: { ...EDIT, row: { object: 'device', from: 'params.id' } },
    effect: 'control',
    summary: 'Compare the local list of a device again and send it completely',
    nameZh: '重新下发设备本地授权列表',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  listUnknownTokens: endpoint({
    id: 'unknownTokens.list',
    method: 'GET',
    path: '/api/auth/sys/unknown-tokens',
    policy: { ...READ, row: 'scope' },
    effect: 'list',
    summary: 'List tokens that were presented and are not known, by site; values are masked without the level',
    nameZh: '查询未知卡',
    query: Exact({ ...Paging(['lastAt', 'count']), siteId: Type.Optional(Id), customerId: Type.Optional(Id) }),
    answer: Page(UnknownTokenRow),
  }),
  addUnknownToken: endpoint({
    id: 'unknownTokens.add',
    method: 'POST',
    path: '/api/auth/sys/unknown-tokens/:id/add',
    policy: { ...EDIT, row: { object: 'unknownToken', from: 'params.id', whole: true } },
    effect: 'create',
    summary: 'Add a token that was presented to the list of its customer, valid at all sites',
    nameZh: '添加未知卡',
    params: IdParams,
    body: Exact({ holder: Type.Optional(tokenFields.holder) }),
    answer: Exact({ id: Id }),
  }),
};
