import type { CodeEntry } from '../operations/message.ts';

export const PEOPLE_CODES = {
  roleNameExists: { code: 10121, en: 'A role with this name already exists.', zh: '角色名称已存在。' },
  rolePresetAndCopy: {
    code: 11140,
    en: 'A role starts from a preset or from another role. Leave out preset or copyOf.',
    zh: '新角色只能基于预设或另一个角色之一，请去掉 preset 或 copyOf。',
  },
  roleOrPreset: {
    code: 11141,
    en: 'A user has one role. Give roleId or rolePreset, not both.',
    zh: '每个用户只有一个角色，roleId 与 rolePreset 只能填写一个。',
  },
  roleInUse: {
    code: 10122,
    en: 'Users still have this role ({count}). Assign another role to them first.',
    zh: '该角色正被 {count} 个用户使用，请先为这些用户更换角色。',
  },
  roleUnknown: {
    code: 10123,
    en: 'The role does not exist, or you may not assign it.',
    zh: '角色不存在，或您无权分配该角色。',
  },
  grantExceeds: {
    code: 10124,
    en: 'You cannot grant more than you have yourself. Beyond your own permissions: {field}.',
    zh: '不能授予超出自身的权限，超出的部分：{field}。',
  },
  roleExceeds: {
    code: 10125,
    en: 'This role has more permissions than you have. Ask an administrator with more permissions to change it.',
    zh: '该角色的权限高于您自身的权限，请联系权限更高的管理员修改。',
  },
  menuUnknown: { code: 10126, en: 'The menu {key} does not exist.', zh: '菜单 {key} 不存在。' },
  userNameExists: { code: 10131, en: 'The user name is already taken.', zh: '用户名已存在。' },
  userNameFormat: {
    code: 10132,
    en: 'The user name must have 6 to 32 characters: letters, digits and underscore.',
    zh: '用户名应为 6 到 32 个字符，只能包含字母、数字和下划线。',
  },
  userEmailExists: { code: 10133, en: 'The email is already used by another account.', zh: '邮箱已被其他账号使用。' },
  passwordWeak: {
    code: 10134,
    en: 'The password is not strong enough: {least} to 32 characters with upper and lower case letters, digits and a special character.',
    zh: '密码强度不足：应为 {least} 到 32 个字符，并同时包含大写字母、小写字母、数字和特殊字符。',
  },
  userCustomerUnknown: {
    code: 10135,
    en: 'The customer does not exist, or you do not have access to it.',
    zh: '客户不存在，或您无权访问。',
  },
  userExceeds: {
    code: 10136,
    en: 'This user has more permissions than you have. Ask an administrator with more permissions.',
    zh: '该用户的权限高于您，请联系权限更高的管理员操作。',
  },
  ownAccount: {
    code: 10137,
    en: 'You cannot do this to your own account.',
    zh: '不能对自己的账号执行此操作。',
  },
  lastRoot: {
    code: 10138,
    en: 'This is the last enabled root account. Without it, nobody can administer the installation.',
    zh: '这是最后一个启用的超级管理员账号，停用或删除后将无人能够管理系统。',
  },
  maxSitesExceeded: {
    code: 10139,
    en: 'The assigned sites exceed the site limit of this user.',
    zh: '分配的站点数超过了该用户的站点数上限。',
  },
  seenSitesExceed: {
    code: 11125,
    en: 'This user would see {sites} sites, but may have at most {max}. Raise the site limit or assign sites.',
    zh: '该用户将可查看 {sites} 个站点，超过其上限 {max} 个。请提高站点数上限，或改为指定站点。',
  },
  roleSitesExceed: {
    code: 11126,
    en: '{name} would see {sites} sites, but may have at most {max}. Raise the site limit of this user first.',
    zh: '用户 {name} 将可查看 {sites} 个站点，超过其上限 {max} 个。请先提高该用户的站点数上限。',
  },
  siteNotOfCustomer: {
    code: 10140,
    en: 'The site {site} belongs to a customer this user cannot see.',
    zh: '站点“{site}”所属的客户不在该用户的可见范围内。',
  },
  currentPasswordWrong: {
    code: 10191,
    en: 'The current password is wrong. Attempts left before the account is locked: {left}.',
    zh: '当前密码错误，再错 {left} 次账号将被锁定。',
  },
  passwordSame: {
    code: 10192,
    en: 'The new password is the same as the current one. Choose another.',
    zh: '新密码与当前密码相同，请更换。',
  },
  passwordGiven: {
    code: 10150,
    en: 'Someone else set your password. Choose a new one first.',
    zh: '当前密码由他人设置，请先设置您自己的密码。',
  },
  passwordOwn: {
    code: 10151,
    en: 'You have already chosen your own password. Change it under My account.',
    zh: '您已设置自己的密码，如需修改请前往“我的账号”。',
  },
  linkExpired: {
    code: 10153,
    en: 'This link has expired or was already used. Request a new one.',
    zh: '链接已失效或已被使用，请重新获取。',
  },
  mailsTooOften: {
    code: 10154,
    en: 'Too many mails were requested. Try again in {minutes} min.',
    zh: '邮件请求过于频繁，请 {minutes} 分钟后再试。',
  },
  invitationNeedsEmail: {
    code: 10155,
    en: 'Invitations are sent by mail. Enter an email address, or set a first password.',
    zh: '邀请通过邮件发送：请填写邮箱，或设置初始密码。',
  },
  notInvited: {
    code: 10156,
    en: 'This user already has a password and needs no invitation.',
    zh: '该用户已有密码，无需邀请。',
  },
  userDisabled: { code: 10157, en: 'The user is disabled. Enable the user first.', zh: '该用户已停用，请先启用。' },
  emailSame: { code: 10158, en: 'This is already your email address.', zh: '该邮箱就是您当前的邮箱。' },
  mailPurged: {
    code: 10160,
    en: 'The link in this mail has expired and its text was deleted. The mail cannot be sent again.',
    zh: '邮件中的链接已过期，正文已清除，无法重新发送。',
  },
  passwordGuessable: {
    code: 10904,
    en: 'This password is easy to guess: it is a common password or contains the user name. Choose another.',
    zh: '该密码容易被猜到：属于常见密码，或包含用户名，请更换。',
  },
  vendorExceeds: {
    code: 10900,
    en: 'This customer is the platform vendor. Only users of the platform vendor can add users to it.',
    zh: '该客户为平台厂商，只有平台厂商的人员才能向其中添加用户。',
  },
  maxSitesExceeds: {
    code: 10901,
    en: 'Your own limit is {max} sites. You cannot give a user a higher limit.',
    zh: '您自己的站点数上限为 {max}，不能为用户设置更高的上限。',
  },
  ownEmail: {
    code: 10902,
    en: 'Change your own email address under My account, where your current password is required.',
    zh: '修改自己的邮箱请前往“我的账号”，并输入当前密码。',
  },
  policySame: {
    code: 10193,
    en: 'This text is the same as the current version {version}. There is nothing to publish.',
    zh: '内容与现行版本 {version} 相同，无需发布。',
  },
} as const satisfies Record<string, CodeEntry>;
