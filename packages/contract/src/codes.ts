import { type Locale, SOME_DEVICES_BUSY_CODE } from './constants.ts';
import { type CodeEntry, textOf } from './message.ts';
import { RANGE_FAULTS } from './range-faults.ts';

/**
 * Every envelope code but 0. `{name}` is filled with the value given; `{field}` with the label of the field at fault.
 * 20001-20004 and 20013 are the spec's (§4, §6); 1xxxx are ours, one block of hundreds a room.
 */
export const CODES = {
  notSignedIn: { code: 20001, en: 'You are not signed in. Please sign in.', zh: '您尚未登录，请先登录。' },
  sessionExpired: {
    code: 20002,
    en: 'Your session has expired. Please sign in again.',
    zh: '登录已过期，请重新登录。',
  },
  signedOutElsewhere: {
    code: 20003,
    en: 'You were signed out because this account signed in elsewhere or an administrator ended the session.',
    zh: '该账号已在其他地方登录或被管理员强制下线，请重新登录。',
  },
  /** 20003 with the reason: what `sessionEndText` says */
  sessionEndedFor: { code: 20003, en: '{why}', zh: '{why}' },
  accountDisabled: {
    code: 20004,
    en: 'This account, or the customer it belongs to, was disabled or removed. Please contact the administrator.',
    zh: '该账号或其所属客户已被停用或删除，请联系管理员。',
  },
  noPermission: {
    code: 20013,
    en: 'You have no permission for this. Please contact the administrator.',
    zh: '您没有此操作的权限，请联系管理员。',
  },

  // wire
  routeNotFound: { code: 10001, en: 'There is no such API.', zh: '接口不存在。' },
  internalError: { code: 10002, en: 'System error, please try again later.', zh: '系统错误，请稍后重试。' },
  bodyTooLarge: { code: 10003, en: 'The request is too large: at most {limit}.', zh: '请求内容过大，最大 {limit}。' },
  tooManyRequests: {
    code: 10004,
    en: 'Too many requests. Please wait {seconds} s and try again.',
    zh: '请求过于频繁，请 {seconds} 秒后再试。',
  },
  badBody: { code: 10005, en: 'The request body is not valid JSON.', zh: '请求内容不是有效的 JSON。' },
  csrfMissing: {
    code: 10006,
    en: 'The request was refused because its x-csrf header does not belong to your session. Reload the page and try again.',
    zh: '请求被拒绝：x-csrf 请求头与当前登录不匹配，请刷新页面后重试。',
  },
  databaseAway: {
    code: 10007,
    en: 'The database cannot be reached at the moment. Nothing was changed; please try again shortly.',
    zh: '数据库暂时无法访问，数据未做任何改动，请稍后重试。',
  },
  tooManyStreams: {
    code: 10008,
    en: 'This session has {limit} live connections open already. Close some tabs.',
    zh: '当前登录已打开 {limit} 个实时连接，请关闭部分标签页。',
  },
  fieldRequired: { code: 10010, en: '{field} is required.', zh: '请填写{field}。' },
  fieldUnknown: { code: 10011, en: '{field} is not a known field.', zh: '未知字段：{field}。' },
  fieldType: { code: 10012, en: '{field} must be of type {expected}.', zh: '{field}的类型应为 {expected}。' },
  fieldTooShort: {
    code: 10013,
    en: '{field} must have at least {limit} characters.',
    zh: '{field}至少需要 {limit} 个字符。',
  },
  fieldTooLong: {
    code: 10014,
    en: '{field} must have at most {limit} characters.',
    zh: '{field}最多 {limit} 个字符。',
  },
  fieldTooSmall: { code: 10015, en: '{field} must be at least {limit}.', zh: '{field}不能小于 {limit}。' },
  fieldTooLarge: { code: 10016, en: '{field} must be at most {limit}.', zh: '{field}不能大于 {limit}。' },
  fieldFormat: {
    code: 10017,
    en: '{field} does not have the right format: {expected}.',
    zh: '{field}格式不正确：{expected}。',
  },
  fieldChoice: { code: 10018, en: '{field} must be one of: {expected}.', zh: '{field}只能是：{expected}。' },
  fieldCharacters: {
    code: 10019,
    en: '{field} contains an invisible character that is not allowed ({character}). Type it anew instead of pasting it.',
    zh: '{field}包含不允许的不可见字符（{character}），请手动输入，不要粘贴。',
  },
  fieldItems: {
    code: 10020,
    en: '{field} must have between {min} and {max} entries.',
    zh: '{field}的条目数应在 {min} 到 {max} 之间。',
  },
  notTried: {
    code: 10022,
    en: 'Not tried, because one before it failed unexpectedly. Try again.',
    zh: '因前面的记录意外失败而未执行，请重试。',
  },
  notFound: {
    code: 10021,
    en: 'This {thing} does not exist, or you have no access to it.',
    zh: '{thing}不存在，或您无权访问。',
  },

  // access
  captchaWrong: {
    code: 10101,
    en: 'The captcha is wrong or has expired. Please solve it again.',
    zh: '验证码错误或已过期，请重新验证。',
  },
  credentialsWrong: {
    code: 10102,
    en: 'User name or password is wrong. Attempts left before the account is locked: {left}.',
    zh: '用户名或密码错误，再错 {left} 次账号将被锁定。',
  },
  accountLocked: {
    code: 10103,
    en: 'Too many failed sign-ins for this account. Try again in {minutes} min.',
    zh: '该账号登录失败次数过多，请 {minutes} 分钟后再试。',
  },
  addressLocked: {
    code: 10104,
    en: 'Too many failed sign-ins from your network address. Try again in {minutes} min.',
    zh: '您的网络地址登录失败次数过多，请 {minutes} 分钟后再试。',
  },
  decryptionFailed: {
    code: 10105,
    en: '{field} could not be decrypted. Reload the page and try again.',
    zh: '{field}解密失败，请刷新页面后重试。',
  },
  privacyVersionWrong: {
    code: 10106,
    en: 'This is not the current privacy policy. Reload the page to read the newest version.',
    zh: '隐私政策版本不是最新，请刷新页面阅读最新版本。',
  },
  privacyNotAccepted: {
    code: 10107,
    en: 'Please accept the privacy policy first.',
    zh: '请先同意隐私政策。',
  },

  // people
  roleNameExists: { code: 10121, en: 'A role of this name already exists.', zh: '角色名称已存在。' },
  roleInUse: {
    code: 10122,
    en: 'This role is held by {count} users. Give them another role first.',
    zh: '该角色正被 {count} 个用户使用，请先为这些用户更换角色。',
  },
  roleUnknown: {
    code: 10123,
    en: 'The role does not exist, or you may not hand it out.',
    zh: '角色不存在，或您无权分配该角色。',
  },
  grantExceeds: {
    code: 10124,
    en: 'You cannot grant more than you hold yourself. Beyond your own rights: {field}.',
    zh: '不能授予超出自身的权限，超出的部分：{field}。',
  },
  roleExceeds: {
    code: 10125,
    en: 'This role gives more than you hold yourself. Ask somebody with more rights to change it.',
    zh: '该角色的权限高于您自身的权限，请联系权限更高的管理员修改。',
  },
  menuUnknown: { code: 10126, en: 'There is no menu {key}.', zh: '菜单 {key} 不存在。' },
  userNameExists: { code: 10131, en: 'The user name is already taken.', zh: '用户名已存在。' },
  userNameFormat: {
    code: 10132,
    en: 'The user name must have 6 to 32 characters: letters, digits and underscore.',
    zh: '用户名应为 6 到 32 个字符，只能包含字母、数字和下划线。',
  },
  userEmailExists: { code: 10133, en: 'The email is already used by another account.', zh: '邮箱已被其他账号使用。' },
  passwordWeak: {
    code: 10134,
    en: 'The password is not strong enough: 8 to 32 characters with upper and lower case letters, digits and a special character.',
    zh: '密码强度不足：应为 8 到 32 个字符，并同时包含大写字母、小写字母、数字和特殊字符。',
  },
  userCustomerUnknown: {
    code: 10135,
    en: 'The customer does not exist, or you have no access to it.',
    zh: '客户不存在，或您无权访问。',
  },
  userExceeds: {
    code: 10136,
    en: 'This user holds more rights than you do. Ask somebody with more rights.',
    zh: '该用户的权限高于您，请联系权限更高的管理员操作。',
  },
  ownAccount: {
    code: 10137,
    en: 'You cannot do this to your own account.',
    zh: '不能对自己的账号执行此操作。',
  },
  lastRoot: {
    code: 10138,
    en: 'This is the last enabled root account. Without it nobody could administer the installation.',
    zh: '这是最后一个启用的超级管理员账号，停用或删除后将无人能够管理系统。',
  },
  maxSitesExceeded: {
    code: 10139,
    en: 'More sites are assigned than the limit of this user allows.',
    zh: '分配的站点数超过了该用户的站点数上限。',
  },
  siteNotOfCustomer: {
    code: 10140,
    en: 'The site {site} belongs to a customer that this user does not see.',
    zh: '站点“{site}”所属的客户不在该用户的可见范围内。',
  },
  currentPasswordWrong: {
    code: 10191,
    en: 'The current password is wrong. Attempts left before the account is locked: {left}.',
    zh: '当前密码错误，再错 {left} 次账号将被锁定。',
  },
  passwordSame: {
    code: 10192,
    en: 'The new password is the present one. Choose another.',
    zh: '新密码与当前密码相同，请更换。',
  },
  passwordGiven: {
    code: 10150,
    en: 'Your password was set by somebody else. Choose one of your own first.',
    zh: '当前密码由他人设置，请先设置您自己的密码。',
  },
  passwordOwn: {
    code: 10151,
    en: 'You have chosen a password of your own already. Change it under My account.',
    zh: '您已设置自己的密码，如需修改请前往“我的账户”。',
  },
  linkExpired: {
    code: 10153,
    en: 'This link has expired or was used already. Ask for a new one.',
    zh: '链接已失效或已被使用，请重新获取。',
  },
  mailsTooOften: {
    code: 10154,
    en: 'Mails were asked for too often. Try again in {minutes} min.',
    zh: '邮件请求过于频繁，请 {minutes} 分钟后再试。',
  },
  invitationNeedsEmail: {
    code: 10155,
    en: 'An invitation goes by mail: enter an email address, or set a first password.',
    zh: '邀请通过邮件发送：请填写邮箱，或设置初始密码。',
  },
  notInvited: {
    code: 10156,
    en: 'This user is not waiting for an invitation: a password has been set.',
    zh: '该用户已有密码，无需邀请。',
  },
  userDisabled: { code: 10157, en: 'The user is disabled. Enable them first.', zh: '该用户已停用，请先启用。' },
  emailSame: { code: 10158, en: 'This is your email address already.', zh: '该邮箱就是您当前的邮箱。' },
  mailPurged: {
    code: 10160,
    en: 'The link in this mail has expired and its text was removed. It cannot be sent again.',
    zh: '邮件中的链接已过期，正文已清除，无法重新发送。',
  },
  policySame: {
    code: 10193,
    en: 'This is the text of version {version}, which is in force: there is nothing to publish.',
    zh: '内容与现行版本 {version} 相同，无需发布。',
  },

  // menus and interfaces
  menuBuiltIn: {
    code: 10161,
    en: 'This menu is part of the product: the console asks for its key. It can be renamed and moved, not deleted.',
    zh: '该菜单为系统内置，控制台依赖其权限标识，只能改名和移动，不能删除。',
  },
  menuHasInterfaces: {
    code: 10162,
    en: 'The menu carries interfaces. Detach them first.',
    zh: '该菜单下还有接口，请先移除接口。',
  },
  menuHasChildren: {
    code: 10163,
    en: 'The menu has menus below it. Move or delete them first.',
    zh: '该菜单下还有子菜单，请先移走或删除子菜单。',
  },
  menuInUse: {
    code: 10164,
    en: 'Roles hold this menu. Take it from them first.',
    zh: '该菜单已授权给角色，请先取消角色的授权。',
  },
  menuOwnAncestor: {
    code: 10165,
    en: 'A menu cannot be put under itself or under a menu below it.',
    zh: '菜单不能移动到自身或其下级菜单之下。',
  },
  menuExceeds: {
    code: 10166,
    en: 'This menu gives more than you hold yourself. Ask somebody with more rights to change it.',
    zh: '该菜单包含您不具备的权限，请联系权限更高的管理员修改。',
  },
  interfaceExceeds: {
    code: 10167,
    en: 'You do not reach the interface {id} yourself, so you cannot say who does.',
    zh: '您自身无权访问接口 {id}，不能设置其授权。',
  },
  interfaceUnknown: { code: 10168, en: 'There is no interface {id}.', zh: '接口 {id} 不存在。' },
  interfacePublic: {
    code: 10169,
    en: 'The interface {id} needs no sign-in: whom it is open to cannot be changed.',
    zh: '接口 {id} 无需登录即可访问，不能更改其授权。',
  },

  // viewing as another user
  viewingReadOnly: {
    code: 10171,
    en: 'You are viewing the console as {name}: nothing can be changed. Stop viewing first.',
    zh: '您正在以 {name} 的身份查看，不能做任何更改，请先结束查看。',
  },
  viewingOver: {
    code: 10172,
    en: 'Viewing as another user is over, or was started in another tab. Reload the page to go on.',
    zh: '以其他用户身份查看的状态已变化，请刷新页面后继续。',
  },
  viewingRoot: {
    code: 10173,
    en: 'A root account cannot be viewed as.',
    zh: '不能以其他超级管理员的身份查看。',
  },
  viewingDisabled: {
    code: 10174,
    en: 'This user, or the customer they belong to, is disabled: there is nothing they would see.',
    zh: '该用户或其所属客户已停用，无法以其身份查看。',
  },

  // files
  fileUnknown: {
    code: 10801,
    en: '{field}: the uploaded file is not there any more. Please upload it again.',
    zh: '{field}：上传的文件已不存在，请重新上传。',
  },
  fileNameless: {
    code: 10802,
    en: '{field}: the file name must have an extension.',
    zh: '{field}：文件名必须带有扩展名。',
  },
  fileType: {
    code: 10803,
    en: '{field}: only these types are accepted: {types}.',
    zh: '{field}：仅支持以下类型：{types}。',
  },
  fileContent: {
    code: 10804,
    en: '{field}: the content of the file is not what its name says. Accepted: {types}.',
    zh: '{field}：文件内容与扩展名不符，仅支持：{types}。',
  },
  fileTooLarge: {
    code: 10805,
    en: '{field}: the file is too large, at most {limit}.',
    zh: '{field}：文件过大，最大 {limit}。',
  },
  deviceLogGone: {
    code: 10807,
    en: 'The file of this log is not in the object store any more.',
    zh: '该日志的文件已不在对象存储中。',
  },
  fileEmpty: { code: 10806, en: '{field}: the file is empty.', zh: '{field}：文件为空。' },

  // fleet
  deviceNameExists: { code: 10201, en: 'The device name already exists.', zh: '设备名称已存在。' },
  deviceSnExists: { code: 10202, en: 'The device SN already exists.', zh: '设备 SN 已存在。' },
  deviceSnFormat: {
    code: 10203,
    en: 'The SN must have 4 to 48 characters: letters, digits, dot, dash or underscore, starting with a letter or digit.',
    zh: 'SN 应为 4 到 48 个字符，只能包含字母、数字、点、短横线和下划线，并以字母或数字开头。',
  },
  siteUnknown: {
    code: 10204,
    en: 'The site does not exist, or you have no access to it.',
    zh: '站点不存在，或您无权访问。',
  },
  deviceModelUnknown: { code: 10205, en: 'This model cannot be selected.', zh: '该型号不可选择。' },
  deviceHasOpenTransaction: {
    code: 10206,
    en: 'The device has a charging session in progress. End it before deleting the device.',
    zh: '设备正在充电，请先结束充电再删除。',
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
  customerNameExists: { code: 10209, en: 'A customer has this name already.', zh: '客户名称已存在。' },
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
    en: 'The platform vendor runs this installation: it cannot be deleted, disabled or made read-only.',
    zh: '平台厂商是本系统的运营方，不能删除、停用或设为只读。',
  },
  customerUnknown: {
    code: 10214,
    en: 'The customer does not exist, or you have no access to it.',
    zh: '客户不存在，或您无权访问。',
  },
  siteNameExists: { code: 10215, en: 'The customer has a site of this name already.', zh: '该客户下已有同名站点。' },
  siteCodeExists: { code: 10216, en: 'The customer has a site of this code already.', zh: '该客户下站点编码已存在。' },
  siteHasDevices: {
    code: 10217,
    en: 'The site has devices. Move or delete them first.',
    zh: '该站点下还有设备，请先移走或删除设备。',
  },
  regionUnknown: { code: 10221, en: '{field}: there is no such region.', zh: '{field}：该地区不存在。' },
  regionWithoutWhole: {
    code: 10222,
    en: '{field}: choose what it lies in first.',
    zh: '{field}：请先选择其上级地区。',
  },
  positionIncomplete: {
    code: 10223,
    en: '{field} is missing: a position has a latitude and a longitude.',
    zh: '缺少{field}：位置需要同时填写纬度和经度。',
  },
  receiverUnknown: {
    code: 10224,
    en: 'The user does not exist, or does not see this site.',
    zh: '该用户不存在，或无权查看此站点。',
  },
  importUnsupported: {
    code: 10225,
    en: 'Unsupported file type: only .json and .xlsx files can be imported.',
    zh: '不支持的文件类型：只能导入 .json 和 .xlsx 文件。',
  },
  importMustBeJson: {
    code: 10226,
    en: 'The import file must be JSON: it cannot be read at line {line}, column {column}.',
    zh: '导入文件必须为 JSON：第 {line} 行第 {column} 列无法解析。',
  },
  importMustBeList: {
    code: 10227,
    en: 'The import file must be JSON with a list of devices: [{ "sn": "…", "name": "…", "site": "…", "model": "…" }].',
    zh: '导入文件必须为 JSON，且内容为设备列表：[{ "sn": "…", "name": "…", "site": "…", "model": "…" }]。',
  },
  importNotXlsx: {
    code: 10228,
    en: 'Upload file format error: this is not a readable .xlsx file.',
    zh: '上传文件格式错误：无法读取该 .xlsx 文件。',
  },
  importInflates: {
    code: 10229,
    en: 'Upload file format error: unpacked, the file is larger than {limit}.',
    zh: '上传文件格式错误：文件解压后超过 {limit}。',
  },
  importEmpty: { code: 10230, en: 'The imported data is empty.', zh: '导入数据为空。' },
  importTooManyRows: {
    code: 10231,
    en: 'The file has {count} rows; at most {limit} can be imported at once. Split it into several files.',
    zh: '文件包含 {count} 行，一次最多导入 {limit} 行，请拆分后再导入。',
  },
  importTooLarge: {
    code: 10232,
    en: 'The import file is too large: at most {limit}.',
    zh: '导入文件过大，最大 {limit}。',
  },
  importFailed: {
    code: 10233,
    en: 'Import failed: {count} of {total} rows have problems. Nothing was imported.',
    zh: '导入失败：{total} 行中有 {count} 行存在问题，未导入任何设备。',
  },
  importRaced: {
    code: 10234,
    en: 'Import failed: one of the devices was registered, or its site or model removed, in the meantime. Nothing was imported; check the file again.',
    zh: '导入失败：期间有设备被登记，或其站点、型号被删除，未导入任何设备，请重新检查文件。',
  },
  importColumnUnknown: {
    code: 10235,
    en: 'Upload file format error: there is no column "{column}". Known are: {columns}.',
    zh: '上传文件格式错误：未知的列“{column}”，可用的列：{columns}。',
  },
  importColumnMissing: {
    code: 10236,
    en: 'Upload file format error: the column "{column}" is missing from the first row.',
    zh: '上传文件格式错误：首行缺少列“{column}”。',
  },
  importColumnTwice: {
    code: 10237,
    en: 'Upload file format error: the column "{column}" stands there twice.',
    zh: '上传文件格式错误：列“{column}”重复。',
  },
  importSnTwice: {
    code: 10238,
    en: 'The device SN already exists: row {row} of this file has it, too.',
    zh: '设备 SN 已存在：与本文件第 {row} 行重复。',
  },
  importNameTwice: {
    code: 10239,
    en: 'The device name already exists: row {row} of this file has it for the same customer.',
    zh: '设备名称已存在：与本文件第 {row} 行重复（同一客户）。',
  },
  importSiteUnknown: {
    code: 10240,
    en: 'The site "{site}" does not exist, or you have no access to it. Give its name or its code.',
    zh: '站点“{site}”不存在，或您无权访问，请填写站点名称或编码。',
  },
  importSiteAmbiguous: {
    code: 10241,
    en: 'Several sites are called "{site}". Name the customer, too.',
    zh: '有多个站点名为“{site}”，请同时填写客户。',
  },
  importModelUnknown: {
    code: 10242,
    en: 'This model cannot be selected: there is no device model "{model}".',
    zh: '该型号不可选择：设备型号“{model}”不存在。',
  },
  importModelNear: {
    code: 10243,
    en: 'This model cannot be selected: there is no device model "{model}". Did you mean "{near}"?',
    zh: '该型号不可选择：设备型号“{model}”不存在，是否为“{near}”？',
  },
  importRowShape: {
    code: 10244,
    en: 'A row must be an object such as { "sn": "…", "name": "…", "site": "…", "model": "…" }.',
    zh: '每一行应为对象，例如 { "sn": "…", "name": "…", "site": "…", "model": "…" }。',
  },
  picturesFull: {
    code: 10245,
    en: 'A device has at most {limit} pictures. Remove one first.',
    zh: '每台设备最多 {limit} 张图片，请先删除一张。',
  },
  picturesChanged: {
    code: 10246,
    en: 'The pictures changed in the meantime. Look at them anew, then order them.',
    zh: '图片已发生变化，请刷新后再调整顺序。',
  },
  maintenanceRuns: {
    code: 10247,
    en: 'The device is in maintenance already.',
    zh: '设备已处于维护状态。',
  },
  maintenanceRunsNot: {
    code: 10248,
    en: 'The device is not in maintenance.',
    zh: '设备未处于维护状态。',
  },
  deviceSameSite: { code: 10249, en: 'The device stands at this site already.', zh: '设备已在该站点。' },

  // data model and device models
  ...RANGE_FAULTS,
  itemGroupNameExists: { code: 10431, en: 'A group has this name already.', zh: '分组名称已存在。' },
  itemGroupInUse: {
    code: 10432,
    en: 'Data items or device models use this group. Move them to another one first.',
    zh: '该分组下还有数据项，或正被设备型号使用，请先移到其他分组。',
  },
  itemGroupUnknown: { code: 10433, en: 'The group does not exist any more.', zh: '分组不存在。' },
  itemKeyExists: { code: 10434, en: 'A data item has this key already.', zh: '已有数据项使用该协议键。' },
  itemKeyFormat: {
    code: 10435,
    en: 'The key must have 1 to 100 printable ASCII characters and no blanks at its ends.',
    zh: '协议键应为 1 到 100 个可打印的 ASCII 字符，首尾不能有空格。',
  },
  dataItemInUse: {
    code: 10436,
    en: 'Device models use this item: it can neither be deleted nor change its type or key.',
    zh: '该数据项正被设备型号使用，不能删除，也不能修改类型和协议键。',
  },
  dataItemUnknown: { code: 10437, en: 'A data item does not exist any more.', zh: '数据项不存在。' },
  orderStale: {
    code: 10438,
    en: 'The list has changed meanwhile. Reload it and order it again.',
    zh: '列表已发生变化，请刷新后重新排序。',
  },
  deviceModelNameExists: { code: 10441, en: 'A device model has this name already.', zh: '设备型号名称已存在。' },
  deviceModelChanged: {
    code: 10442,
    en: '{name} has changed this model meanwhile. Reload it; your changes are not saved.',
    zh: '{name} 已修改过该型号，请刷新后重试；您的修改尚未保存。',
  },
  deviceModelInUse: {
    code: 10443,
    en: 'Devices are of this model. Give them another one first.',
    zh: '仍有设备使用该型号，请先为这些设备更换型号。',
  },
  deviceModelHasChildren: {
    code: 10444,
    en: 'Other models inherit from this one. Give them another parent first.',
    zh: '仍有型号继承自该型号，请先更换其父型号。',
  },
  deviceModelCircle: {
    code: 10445,
    en: 'A model cannot inherit from itself, nor from one that inherits from it.',
    zh: '型号不能继承自身，也不能继承自其下级型号。',
  },
  deviceModelParentUnknown: { code: 10446, en: 'The parent model does not exist.', zh: '父型号不存在。' },
  modelItemTwice: {
    code: 10447,
    en: '{key} is listed twice.',
    zh: '{key} 重复。',
  },
  modelItemRange: {
    code: 10448,
    en: 'The range of {key} does not fit: {reason}',
    zh: '{key} 的取值范围不正确：{reason}',
  },
  controlTypeTwice: {
    code: 10449,
    en: 'Control type {type} is listed twice: it is unique within a model.',
    zh: '控制类型 {type} 重复，同一型号中不能重复。',
  },
  controlLevelLow: {
    code: 10450,
    en: 'Control type {type}: its level must be greater than the parameter write level {level} of the model {model}.',
    zh: '控制类型 {type}：控制等级必须大于型号 {model} 的参数写入等级 {level}。',
  },
  ruleItemMissing: {
    code: 10481,
    en: 'Alarm rule {code}: its item is not among the config items of the model {model}.',
    zh: '告警规则 {code}：其数据项不在型号 {model} 的配置项中。',
  },
  ruleType: {
    code: 10482,
    en: 'Alarm rule {code}: an item of this type has no bounds.',
    zh: '告警规则 {code}：该类型的数据项不支持上下限条件。',
  },
  ruleBounds: {
    code: 10483,
    en: 'Alarm rule {code}: the condition needs its bounds, and no others.',
    zh: '告警规则 {code}：请按条件填写对应的上下限。',
  },
  ruleOrder: {
    code: 10484,
    en: 'Alarm rule {code}: the lower bound must be below the upper one.',
    zh: '告警规则 {code}：下限必须小于上限。',
  },
  ruleValues: {
    code: 10485,
    en: 'Alarm rule {code}: the condition needs at least one value; conditions with bounds have none.',
    zh: '告警规则 {code}：该条件至少需要一个取值；上下限条件无需取值。',
  },
  ruleHysteresis: {
    code: 10486,
    en: 'Alarm rule {code}: only conditions with bounds have a hysteresis, at most half of what lies between them.',
    zh: '告警规则 {code}：仅上下限条件可设回差，且不得超过上下限之差的一半。',
  },
  ruleDuration: {
    code: 10487,
    en: 'Alarm rule {code}: a missing value is waited for at least 10 s, a change lasts at least 1 s.',
    zh: '告警规则 {code}：数据缺失至少等待 10 秒，数值变化至少持续 1 秒。',
  },
  modelLevelsOrder: {
    code: 10451,
    en: 'The control level must be greater than the parameter write level.',
    zh: '控制等级必须大于参数写入等级。',
  },
  controlReadingWrong: {
    code: 10452,
    en: 'Control type {type}: types 9 and 10 need one of their two meanings, the others have none.',
    zh: '控制类型 {type}：类型 9 和 10 必须选择其中一种含义，其他类型无需选择。',
  },
  importNotJson: {
    code: 10461,
    en: 'The file is not valid JSON (line {line}, column {column}).',
    zh: '导入文件不是有效的 JSON（第 {line} 行第 {column} 列）。',
  },
  importNotModel: {
    code: 10462,
    en: 'The file is not a device model of this form.',
    zh: '该文件不是此格式的设备型号文件。',
  },
  importRefused: {
    code: 10463,
    en: 'The file was not imported because of {count} problems. A dry run lists them.',
    zh: '文件存在 {count} 个问题，未导入。可先试运行查看详情。',
  },
  importTypeDiffers: {
    code: 10464,
    en: 'The data item {key} is here already, with another type.',
    zh: '数据项 {key} 已存在，但类型不同。',
  },
  importItemMissing: {
    code: 10465,
    en: 'The item {key} is not described in the file.',
    zh: '文件中没有数据项 {key} 的定义。',
  },
  importGroupMissing: {
    code: 10466,
    en: 'The group {key} is not described in the file.',
    zh: '文件中没有分组 {key} 的定义。',
  },
  modelAliasExists: {
    code: 10471,
    en: 'This vendor and model are an alias already.',
    zh: '该厂商与上报型号的别名已存在。',
  },

  // telemetry
  rangeTurned: { code: 10251, en: 'The end of the range must be after its start.', zh: '结束时间必须晚于开始时间。' },
  rangeTooLong: {
    code: 10252,
    en: 'The range may span at most {days} days.',
    zh: '时间范围最多 {days} 天。',
  },

  // operations
  deviceBusy: { code: 10301, en: 'The device is busy with another command.', zh: '设备忙，正在执行其他指令。' },
  deviceDisabled: { code: 10302, en: 'The device is disabled. Enable it first.', zh: '设备已停用，请先启用。' },
  deviceOffline: { code: 10303, en: 'The device is offline.', zh: '设备离线。' },
  connectorUnknown: { code: 10304, en: 'The device has no connector {connector}.', zh: '设备没有 {connector} 号枪。' },
  sameValue: { code: 10305, en: 'The parameter already has this value.', zh: '参数值与当前值相同，无需设置。' },
  parameterUnknown: { code: 10306, en: 'The device has no parameter {key}.', zh: '设备没有参数 {key}。' },
  parameterReadonly: { code: 10307, en: 'The parameter {key} can only be read.', zh: '参数 {key} 为只读。' },
  parameterSecret: {
    code: 10309,
    en: 'The parameter {key} is the password of the connection. Change the gateway password of the device instead.',
    zh: '参数 {key} 是设备的接入密码，请在设备信息中修改接入密码。',
  },
  parameterHoldsSecret: {
    code: 10391,
    en: 'The parameter {key} holds a password. It is not set from here, because what is sent to devices is kept in logs.',
    zh: '参数 {key} 为密码类参数，下发内容会记入日志，因此不支持在此设置。',
  },
  baselineNameExists: { code: 10392, en: 'The model has a baseline of this name already.', zh: '该型号已有同名基准。' },
  baselineEmpty: {
    code: 10393,
    en: 'The device has told no parameters that could be kept. Read them first.',
    zh: '设备没有可保存的参数，请先读取参数。',
  },
  comparedWithOne: {
    code: 10394,
    en: 'Choose either another device or a baseline to compare with.',
    zh: '请选择另一台设备或一个基准进行对比。',
  },
  paramMissing: { code: 10308, en: '{field} is required for this command.', zh: '该指令需要填写{field}。' },
  controlNotOffered: {
    code: 10340,
    en: 'Devices of the model {model} have no such control.',
    zh: '型号 {model} 的设备没有该控制项。',
  },
  sessionInProgress: {
    code: 10341,
    en: 'A vehicle is being charged, and this control must not be given then. Wait until the session has ended, or end it first.',
    zh: '设备正在充电，此时不能执行该控制。请等待充电结束，或先结束充电。',
  },
  maintenanceNeeded: {
    code: 10342,
    en: 'This control is given to devices in maintenance only. Set the device to maintenance first.',
    zh: '该控制仅能在维护状态下执行，请先将设备设为维护状态。',
  },
  executionNotQueued: {
    code: 10343,
    en: 'The device was asked already, or the command is over: it cannot be taken back.',
    zh: '指令已下发或已结束，无法取消。',
  },
  someDevicesBusy: {
    code: SOME_DEVICES_BUSY_CODE,
    en: 'Some devices are busy with other commands: {busy} of {total}.',
    zh: '部分设备忙，正在执行其他指令：共 {total} 台，其中 {busy} 台忙。',
  },
  batchSites: {
    code: 10345,
    en: 'Only devices of one site can be controlled together.',
    zh: '只能对同一站点的设备批量下发指令。',
  },
  batchIncapable: {
    code: 10346,
    en: 'Not every device can be asked this together with others: devices of the model {model} cannot.',
    zh: '并非所有设备都支持批量执行：型号 {model} 的设备不支持。',
  },
  queueTooShort: {
    code: 10347,
    en: 'With so many devices one after another, the commands must be allowed to wait for at least {minutes} minutes.',
    zh: '设备数量较多，需依次下发，等待时间至少为 {minutes} 分钟。',
  },
  batchRunning: {
    code: 10348,
    en: 'The batch is still under way. Wait until it is over, or cancel the rest first.',
    zh: '批量指令仍在执行，请等待结束或先取消其余设备。',
  },
  batchOver: {
    code: 10349,
    en: 'The batch is over: nothing of it waits any more.',
    zh: '批量指令已结束，没有等待中的设备。',
  },
  batchNothingToRerun: {
    code: 10350,
    en: 'There is no device left to ask again.',
    zh: '没有需要重新执行的设备。',
  },

  // firmware and logs of devices
  firmwareUnknown: {
    code: 10371,
    en: 'There is no such firmware file for this kind of device.',
    zh: '没有适用于该设备的此固件文件。',
  },
  firmwareSize: {
    code: 10372,
    en: 'What arrived has {arrived} bytes, the file has {expected}: the upload broke off. Upload it again.',
    zh: '收到 {arrived} 字节，文件应为 {expected} 字节，上传不完整，请重新上传。',
  },
  firmwareChecksum: {
    code: 10373,
    en: 'What arrived is not the file: its checksum is {arrived}.',
    zh: '收到的内容与文件不一致，其校验和为 {arrived}。',
  },
  firmwareAwaited: {
    code: 10374,
    en: 'A device is about to fetch this file. It can be deleted when the upgrade has ended.',
    zh: '有设备正在等待下载该文件，升级结束后才能删除。',
  },
  firmwareRunning: {
    code: 10375,
    en: 'The device runs version {version} already.',
    zh: '设备已运行版本 {version}。',
  },
  ftpOff: {
    code: 10376,
    en: 'FTP is switched off: choose HTTP, or ask the operator to set CHARGEHAND_FTP_PORT.',
    zh: 'FTP 服务未启用，请选择 HTTP，或联系管理员设置 CHARGEHAND_FTP_PORT。',
  },
  logTimesTurned: {
    code: 10377,
    en: 'The end of the time must be after its start.',
    zh: '结束时间必须晚于开始时间。',
  },
} as const satisfies Record<string, CodeEntry>;

export type CodeName = keyof typeof CODES;

/** The message of a code in a language, its `{name}` parts filled. */
export function messageOf(name: CodeName, locale: Locale, values: Record<string, string | number> = {}): string {
  return textOf(CODES[name], locale, values);
}
