interface Bilingual {
  en: string;
  zh: string;
}

/**
 * The texts of the mails about accounts. `{name}` is replaced with a value. A mail has a subject, paragraphs, a label
 * for its link if it has one, and notes.
 */
export const MAIL_WORDS = {
  signature: {
    en: 'Chargehand. This is an automated message. Replies are not read.',
    zh: 'Chargehand（系统自动发送，请勿回复）',
  },
  greeting: { en: 'Hello {name},', zh: '{name}，您好：' },

  resetPassword: {
    subject: { en: 'Reset your {product} password', zh: '重置您的 {product} 密码' },
    text: {
      en: 'We received a request to reset the password of the account {userName}. Open the link to choose a new password.',
      zh: '我们收到了重置账号 {userName} 密码的请求，请打开以下链接设置新密码。',
    },
    link: { en: 'Choose a new password', zh: '设置新密码' },
    validity: {
      en: 'The link is valid for {hours} hours and can be used once. If you request another link, this one stops working.',
      zh: '链接 {hours} 小时内有效，仅可使用一次；重新获取后，此链接失效。',
    },
    otherwise: {
      en: 'If you did not request this, ignore this mail. Your password does not change.',
      zh: '如非本人操作，请忽略本邮件，您的密码不会改变。',
    },
  },

  invitation: {
    subject: { en: 'Your {product} account', zh: '您的 {product} 账号已开通' },
    text: {
      en: 'An account was created for you on {product}, the platform for monitoring and operating charging piles. Your user name is {userName}. Open the link to choose your password.',
      zh: '管理员已为您开通 {product} 充电设备运维平台的账号，用户名为 {userName}，请打开以下链接设置密码。',
    },
    link: { en: 'Choose your password', zh: '设置密码' },
    validity: {
      en: 'The link is valid for {hours} hours and can be used once. Your administrator can send it again.',
      zh: '链接 {hours} 小时内有效，仅可使用一次；如已过期，可请管理员重新发送。',
    },
    otherwise: {
      en: 'If you did not expect this mail, ignore it.',
      zh: '如您并未申请，请忽略本邮件。',
    },
  },

  changeEmail: {
    subject: { en: 'Confirm your {product} email address', zh: '确认您的 {product} 邮箱' },
    text: {
      en: 'The account {userName} requested this address as its new email address. Open the link to confirm it.',
      zh: '账号 {userName} 申请将邮箱更换为本邮箱，请打开以下链接确认。',
    },
    link: { en: 'Confirm this address', zh: '确认更换' },
    validity: {
      en: 'The link is valid for {hours} hours and can be used once.',
      zh: '链接 {hours} 小时内有效，仅可使用一次。',
    },
    otherwise: {
      en: 'If you did not request this, ignore this mail. The address of the account does not change.',
      zh: '如非本人操作，请忽略本邮件，账号的邮箱不会改变。',
    },
  },

  emailNotice: {
    subject: { en: 'Your {product} email address is about to change', zh: '您的 {product} 邮箱即将更换' },
    text: {
      en: 'The account {userName} requested to change its email address to {address}. The change takes effect when the new address is confirmed.',
      zh: '账号 {userName} 申请将邮箱更换为 {address}，在新邮箱中确认后生效。',
    },
    otherwise: {
      en: 'If you did not request this, change your password now. This cancels the request. Then contact your administrator.',
      zh: '如非本人操作，请立即修改密码（修改后该申请自动作废），并联系管理员。',
    },
  },
} as const satisfies Record<string, Bilingual | Record<string, Bilingual>>;
