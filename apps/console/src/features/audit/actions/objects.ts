import type { LoggedObject, PermissionKey } from '@chargehand/contract';

/** The kinds of objects in the action log, and the page of each kind for users who may open it. */
export const OBJECTS = {
  device: { path: (id: string) => `/manage/device/detail/${id}`, key: 'auth_device_detail' },
  commandBatch: { path: (id: string) => `/manage/device/batches/${id}`, key: 'auth_device_detail' },
  site: { path: (id: string) => `/manage/site/detail/${id}`, key: 'auth_site_detail' },
  customer: { path: (id: string) => `/manage/customer/detail/${id}`, key: 'auth_customer_detail' },
  user: { path: (id: string) => `/manage/user/detail/${id}`, key: 'auth_user_detail' },
  role: { path: (id: string) => `/manage/role/auth/data/${id}`, key: 'auth_role_authData' },
  deviceModel: { path: (id: string) => `/manage/device-model/${id}`, key: 'auth_deviceModel' },
  firmware: null,
  dataItem: null,
  itemGroup: null,
  modelAlias: null,
  parameterBaseline: null,
  blacklistEntry: null,
  menu: { path: (id: string) => `/manage/system/menu?menu=${encodeURIComponent(id)}`, key: 'auth_menu' },
  interface: null,
  error: null,
  systemParameter: { path: () => '/manage/system/parameter', key: 'auth_system' },
  application: { path: (id: string) => `/manage/system/application/detail/${id}`, key: 'auth_application_detail' },
  attachment: { path: (id: string) => `/manage/attach/list?file=${id}`, key: 'auth_attach' },
  folder: { path: (id: string) => `/manage/attach/list?folder=${id}`, key: 'auth_attach' },
  share: { path: (id: string) => `/manage/attach/shares?share=${id}`, key: 'auth_attach' },
  issue: { path: (id: string) => `/manage/issue/detail/${id}`, key: 'auth_issue_detail' },
  document: { path: (id: string) => `/manage/docs/detail/${id}`, key: 'auth_docs_detail' },
  alarm: null,
  documentCategory: null,
  attachmentQuota: null,
  outgoing: null,
  dictionaryEntry: null,
  job: null,
  mail: null,
  messageSend: null,
  messageTemplate: null,
  webhook: null,
  privacyPolicy: null,
  token: { path: () => '/manage/token/list', key: 'auth_token' },
  tokenList: { path: () => '/manage/token/list?tab=lists', key: 'auth_token' },
  viewing: { path: (id: string) => `/manage/user/detail/${id}`, key: 'auth_user_detail' },
} as const satisfies Record<LoggedObject, { path(id: string): string; key: PermissionKey } | null>;

export type ObjectType = keyof typeof OBJECTS;

export function isObjectType(type: string): type is ObjectType {
  return type in OBJECTS;
}
