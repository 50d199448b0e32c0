import type { CodeEntry } from '../operations/message.ts';

export const FLEET_CODES = {
  deviceNameExists: { code: 10201, en: 'The device name already exists.', zh: '设备名称已存在。' },
  deviceSnUnavailable: {
    code: 11080,
    en: 'This SN cannot be registered. If the device is yours, contact the platform administrator.',
    zh: '该 SN 无法注册。如设备归您所有，请联系平台管理员。',
  },
  customerNameUnavailable: {
    code: 11081,
    en: 'This name cannot be used. Choose another one.',
    zh: '该名称不可用，请更换。',
  },
  customerCodeUnavailable: {
    code: 11082,
    en: 'This code cannot be used. Choose another one.',
    zh: '该编码不可用，请更换。',
  },
  deviceSnExists: { code: 10202, en: 'The device SN already exists.', zh: '设备 SN 已存在。' },
  deviceSnFormat: {
    code: 10203,
    en: 'The SN must have 1 to 48 characters: letters, digits, * - _ = : + | @ . and spaces between them, with at least one letter or digit.',
    zh: 'SN 应为 1 到 48 个字符，可包含字母、数字、* - _ = : + | @ . 以及中间的空格，且至少有一个字母或数字。',
  },
  siteUnknown: {
    code: 10204,
    en: 'The site does not exist, or you do not have access to it.',
    zh: '站点不存在，或您无权访问。',
  },
  deviceModelUnknown: { code: 10205, en: 'This model cannot be selected.', zh: '该型号不可选择。' },
  deviceHasOpenTransaction: {
    code: 10206,
    en: 'The device has a charging session in progress. Wait until it ends. If the device no longer reports the session, close it on the device page.',
    zh: '设备正在充电。请等待充电结束；如设备已不再上报该会话，请在设备详情页手动关闭。',
  },
  datesOutOfOrder: {
    code: 10207,
    en: 'The install date cannot be before the arrival date.',
    zh: '安装日期不能早于到货日期。',
  },
  placeCodeFormat: {
    code: 10208,
    en: 'The code must have 1 to 32 characters: letters, digits, dot, dash or underscore, starting with a letter or digit.',
    zh: '编码应为 1 到 32 个字符，只能包含字母、数字、点、短横线和下划线，并以字母或数字开头。',
  },
  customerNameExists: { code: 10209, en: 'A customer with this name already exists.', zh: '客户名称已存在。' },
  customerCodeExists: { code: 10210, en: 'A customer has this code already.', zh: '客户编码已存在。' },
  customerHasSites: {
    code: 10211,
    en: 'The customer has sites. Delete them first.',
    zh: '该客户下还有站点，请先删除站点。',
  },
  customerHasUsers: {
    code: 10212,
    en: 'The customer has users. Remove them first.',
    zh: '该客户下还有用户，请先移除用户。',
  },
  platformVendorKept: {
    code: 10213,
    en: 'The platform vendor operates this installation. It cannot be deleted, disabled or made read-only.',
    zh: '平台厂商是本系统的运营方，不能删除、停用或设为只读。',
  },
  customerUnknown: {
    code: 10214,
    en: 'The customer does not exist, or you do not have access to it.',
    zh: '客户不存在，或您无权访问。',
  },
  siteNameExists: { code: 10215, en: 'The customer already has a site with this name.', zh: '该客户下已有同名站点。' },
  siteCodeExists: {
    code: 10216,
    en: 'The customer already has a site with this code.',
    zh: '该客户下站点编码已存在。',
  },
  siteHasDevices: {
    code: 10217,
    en: 'The site has devices. Move or delete them first.',
    zh: '该站点下还有设备，请先移走或删除设备。',
  },
  regionUnknown: { code: 10221, en: '{field}: this region does not exist.', zh: '{field}：该地区不存在。' },
  regionWithoutWhole: {
    code: 10222,
    en: '{field}: choose the country or province first.',
    zh: '{field}：请先选择其上级地区。',
  },
  regionOff: {
    code: 11830,
    en: '{field}: this region is turned off. Choose another one.',
    zh: '{field}：该地区已停用，请另选。',
  },
  regionTooDeep: {
    code: 11831,
    en: '{field}: a city has no regions below it. Choose a country or a province.',
    zh: '{field}：城市下不能再有地区，请选择国家或省份。',
  },
  regionCodeLength: {
    code: 11832,
    en: '{field}: the code of a region has {least} to {most} characters.',
    zh: '{field}：地区代码需为 {least} 到 {most} 个字符。',
  },
  positionIncomplete: {
    code: 10223,
    en: '{field} is missing. A position requires both latitude and longitude.',
    zh: '缺少{field}：位置需要同时填写纬度和经度。',
  },
  receiverUnknown: {
    code: 10224,
    en: 'The user does not exist, or cannot see this site.',
    zh: '该用户不存在，或无权查看此站点。',
  },
  picturesFull: {
    code: 10245,
    en: 'A device can have at most {limit} pictures. Remove one first.',
    zh: '每台设备最多 {limit} 张图片，请先删除一张。',
  },
  picturesChanged: {
    code: 10246,
    en: 'The pictures have changed. Reload them, then order them again.',
    zh: '图片已发生变化，请刷新后再调整顺序。',
  },
  maintenanceRuns: {
    code: 10247,
    en: 'The device is already in maintenance.',
    zh: '设备已处于维护状态。',
  },
  maintenanceRunsNot: {
    code: 10248,
    en: 'The device is not in maintenance.',
    zh: '设备未处于维护状态。',
  },
  deviceSameSite: { code: 10249, en: 'The device is already at this site.', zh: '设备已在该站点。' },
  siteLimitReached: {
    code: 10905,
    en: 'You have reached the site limit of your account. Ask an administrator to raise it.',
    zh: '您的站点数已达账号上限，请联系管理员提高上限。',
  },
  issuePrefixFormat: {
    code: 12390,
    en: 'The issue prefix must have 2 to 4 capital letters or digits and begin with a letter, such as HVC.',
    zh: '问题编号前缀应为 2 到 4 个大写字母或数字，且以字母开头，例如 HVC。',
  },
  issuePrefixTaken: {
    code: 12391,
    en: 'Another customer uses this issue prefix. Choose another one.',
    zh: '该问题编号前缀已被其他客户使用，请更换。',
  },
} as const satisfies Record<string, CodeEntry>;
