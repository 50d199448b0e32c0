import { BRANDING_KEYS, PARAMETER_KEYS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Keyset, NullableText, NullableTime, Time, Words } from '../schemas.ts';

const Key = Words([...PARAMETER_KEYS, ...BRANDING_KEYS]);
/** a number; a text in the branding */
const Value = Type.Union([Type.Number(), Type.String()]);
/** The id of the last change; 0: never changed. A change with an old revision is refused. */
const ParameterRevision = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

export const SystemParameterRow = Exact({
  key: Key,
  value: Value,
  /** what it is without a change: the environment variable, or the product's default */
  base: Value,
  /** it was changed here, so its environment variable has no effect */
  changed: Type.Boolean(),
  changedAt: NullableTime,
  changedBy: NullableText,
  revision: ParameterRevision,
});
export type SystemParameterRow = Static<typeof SystemParameterRow>;

export const SystemParameterChange = Exact({
  id: Id,
  key: Key,
  at: Time,
  userName: Type.String(),
  /** null: the default */
  before: Type.Union([Value, Type.Null()]),
  after: Type.Union([Value, Type.Null()]),
  /** the time of the change that it undid */
  undid: NullableTime,
  /** it is the last change of its parameter */
  canUndo: Type.Boolean(),
});
export type SystemParameterChange = Static<typeof SystemParameterChange>;

export const EnvironmentSetting = Exact({
  name: Type.String(),
  /** in effect; null: none. Secrets are masked */
  value: NullableText,
  /** false: the default */
  set: Type.Boolean(),
  secret: Type.Boolean(),
  meaning: Type.String(),
  /** the parameter whose default it is */
  parameter: Type.Union([Key, Type.Null()]),
});
export type EnvironmentSetting = Static<typeof EnvironmentSetting>;

const path = '/api/auth/sys/system-parameters';
/** Rules of passwords and sessions concern the safety of all accounts. */
const policy = { route: { keys: ['auth_system'] }, who: 'root', row: 'shared' } as const;
const KeyParams = Exact({ key: Type.String({ maxLength: 40 }) });
const NewValue = Type.Number({ minimum: -1_000_000_000, maximum: 1_000_000_000 });

/** A logo file of the maximum size as a data URL. */
const MAX_TEXT = 90_000;

/** How the installation presents itself. Every page shows it, so everybody can read it. */
export const Branding = Exact({
  nameEn: Type.String(),
  nameZh: Type.String(),
  /** the address of the image; empty: the logo of the product */
  logo: Type.String(),
  /** `#rrggbb`; empty: the colors of the product */
  color: Type.String(),
  /** below the sign-in form; empty: none */
  signInTextEn: Type.String(),
  signInTextZh: Type.String(),
  /** the minimum length of a new password */
  passwordLength: Type.Integer(),
});
export type Branding = Static<typeof Branding>;

/** Settings of the installation that change at runtime. */
export const systemParameterEndpoints = {
  listSystemParameters: endpoint({
    id: 'systemParameters.list',
    method: 'GET',
    path,
    policy,
    effect: 'read',
    summary: 'List the parameters of the installation with their values; root only',
    nameZh: '查询系统参数',
    answer: Exact({ items: Type.Array(SystemParameterRow) }),
  }),
  setSystemParameter: endpoint({
    id: 'systemParameters.set',
    method: 'PUT',
    path: `${path}/:key`,
    policy,
    effect: 'update',
    summary: 'Change a parameter, or with null restore its default; root only, in effect at once',
    nameZh: '修改系统参数',
    params: KeyParams,
    body: Exact({
      /** a logo is sent as a data URL of a PNG, JPEG or WebP file */
      value: Type.Union([NewValue, Type.String({ minLength: 1, maxLength: MAX_TEXT }), Type.Null()]),
      revision: ParameterRevision,
    }),
    answer: SystemParameterRow,
  }),
  previewSystemParameter: endpoint({
    id: 'systemParameters.preview',
    method: 'GET',
    path: `${path}/:key/preview`,
    policy,
    effect: 'read',
    summary: 'Count the stored data that a shorter retention would delete; root only',
    nameZh: '预估缩短保留期的影响',
    params: KeyParams,
    query: Exact({ value: NewValue }),
    answer: Exact({
      /** approximate for data of devices */
      rows: Type.Integer({ minimum: 0 }),
      approximate: Type.Boolean(),
      /** the oldest stored data; null: there is none */
      oldest: NullableTime,
    }),
  }),
  listSystemParameterChanges: endpoint({
    id: 'systemParameters.changes',
    method: 'GET',
    path: `${path}/changes`,
    policy,
    effect: 'read',
    summary: 'List the changes of parameters, newest first; root only',
    nameZh: '查询系统参数修改记录',
    query: Exact({ before: Type.Optional(Id) }),
    answer: Keyset(SystemParameterChange),
  }),
  undoSystemParameterChange: endpoint({
    id: 'systemParameters.undo',
    method: 'POST',
    path: `${path}/changes/:id/undo`,
    policy,
    effect: 'update',
    summary: 'Undo the last change of a parameter; root only',
    nameZh: '撤销系统参数修改',
    params: IdParams,
    body: Exact({}),
    answer: SystemParameterRow,
  }),
  listEnvironmentSettings: endpoint({
    id: 'systemParameters.environment',
    method: 'GET',
    path: `${path}/environment`,
    policy,
    effect: 'read',
    summary: 'List the environment variables of the server, with secrets masked; root only',
    nameZh: '查看环境变量',
    answer: Exact({ items: Type.Array(EnvironmentSetting) }),
  }),
  readBranding: endpoint({
    id: 'branding.read',
    method: 'GET',
    path: '/api/unauth/branding',
    policy: { route: 'public' },
    effect: 'read',
    summary: 'Get the name, logo, color and sign-in text of the installation',
    nameZh: '获取品牌设置',
    answer: Branding,
  }),
  readBrandingLogo: endpoint({
    id: 'branding.logo',
    method: 'GET',
    path: '/api/unauth/branding/logo/:name',
    policy: { route: 'public' },
    effect: 'read',
    summary: 'Get the image of a logo; its name changes with its content',
    nameZh: '获取品牌标志图片',
    params: Exact({ name: Type.String({ maxLength: 80 }) }),
    answer: null,
  }),
};
