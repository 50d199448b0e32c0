import type { CodeEntry } from '../operations/message.ts';

/** Applications and the open API: 11650-11699. */
export const APPLICATION_CODES = {
  applicationNameTaken: {
    code: 11650,
    en: 'Another application has this name. Choose a different name.',
    zh: '已有同名应用，请更换名称。',
  },
  applicationNetwork: {
    code: 11651,
    en: '{network} is not a network. Enter addresses or networks such as 203.0.113.0/24 or 2001:db8::/32.',
    zh: '“{network}”不是有效网段，请填写 IP 地址或网段，例如 203.0.113.0/24、2001:db8::/32。',
  },
  applicationOperation: {
    code: 11652,
    en: 'The open API has no operation {operation}.',
    zh: '开放接口中没有操作“{operation}”。',
  },
  applicationExpiry: {
    code: 11653,
    en: 'The application would already have expired. Choose a later time.',
    zh: '到期时间已过，请选择更晚的时间。',
  },
  applicationSecrets: {
    code: 11654,
    en: 'Two secrets are valid already. Remove the older one first.',
    zh: '已有两个有效密钥，请先移除旧密钥。',
  },
  applicationLastSecret: {
    code: 11655,
    en: 'This is the current secret. Create a new one first.',
    zh: '这是当前密钥，请先创建新密钥。',
  },
  tooManyApplications: {
    code: 11656,
    en: 'There can be at most {limit} applications. Delete one that is not used.',
    zh: '最多可创建 {limit} 个应用，请删除不再使用的应用。',
  },
  signatureMissing: {
    code: 11660,
    en: 'The request has no signature and no token. Send the headers Signature-Input and Signature (RFC 9421), or Authorization: Bearer.',
    zh: '请求缺少签名或令牌，请发送 Signature-Input 和 Signature 请求头（RFC 9421），或 Authorization: Bearer。',
  },
  signatureIncomplete: {
    code: 11661,
    en: 'The signature must cover {components} with the parameters created, nonce and keyid, and the algorithm hmac-sha256.',
    zh: '签名须覆盖 {components}，带有 created、nonce、keyid 参数，并使用 hmac-sha256 算法。',
  },
  signatureNonce: {
    code: 11662,
    en: 'The nonce must have 16 to 64 letters, digits or the characters - _ . ~ + / =.',
    zh: 'nonce 须为 16 至 64 个字符，仅限字母、数字及 - _ . ~ + / =。',
  },
  signatureTime: {
    code: 11663,
    en: 'The time of the signature is more than {seconds} seconds away from the time of the server, {time}. Check the clock.',
    zh: '签名时间与服务器时间（{time}）相差超过 {seconds} 秒，请校准时钟。',
  },
  signatureWrong: {
    code: 11664,
    en: 'The signature does not match, or there is no such application.',
    zh: '签名不正确，或应用不存在。',
  },
  signatureReplayed: {
    code: 11665,
    en: 'This nonce was used already. Use a new nonce for each request.',
    zh: 'nonce 已被使用，每次请求须使用新的 nonce。',
  },
  signatureBody: {
    code: 11666,
    en: 'The body does not match its Content-Digest (sha-256).',
    zh: '请求体与 Content-Digest（sha-256）不一致。',
  },
  tokenInvalid: {
    code: 11667,
    en: 'The token is wrong or has expired. Get a new one.',
    zh: '令牌无效或已过期，请重新获取。',
  },
  applicationDisabled: {
    code: 11670,
    en: 'The application is disabled.',
    zh: '应用已停用。',
  },
  applicationExpired: {
    code: 11671,
    en: 'The application has expired.',
    zh: '应用已过期。',
  },
  applicationUser: {
    code: 11672,
    en: 'The user of the application is deleted or disabled.',
    zh: '应用绑定的用户已删除或已停用。',
  },
  applicationAddress: {
    code: 11673,
    en: 'The application may not be used from {address}.',
    zh: '不允许从 {address} 使用该应用。',
  },
  applicationForbidden: {
    code: 11674,
    en: 'The application or its user may not use the operation {operation}.',
    zh: '应用或其绑定用户无权使用操作“{operation}”。',
  },
  applicationRate: {
    code: 11675,
    en: 'The application has reached its limit of requests per minute ({limit}). Try again in {seconds} s.',
    zh: '应用已达到每分钟请求上限（{limit} 次），请在 {seconds} 秒后重试。',
  },
  applicationGuesses: {
    code: 11676,
    en: 'Too many requests from this address were refused. Try again in {seconds} s.',
    zh: '该地址被拒绝的请求过多，请在 {seconds} 秒后重试。',
  },
  applicationStreams: {
    code: 11677,
    en: 'The application has {limit} open event streams. Close one first.',
    zh: '应用已打开 {limit} 个事件流，请先关闭一个。',
  },
  idempotencyKeyUsed: {
    code: 11678,
    en: 'This Idempotency-Key was used for another command or issue. Nothing was sent or created. Use a new key for each one.',
    zh: '该 Idempotency-Key 已用于其他指令或问题，本次未下发也未创建。每条指令、每个问题须使用新的标识。',
  },
  applicationWebhookUrl: {
    code: 11680,
    en: 'Enter an address that starts with https:// and contains no user name.',
    zh: '请填写以 https:// 开头且不含用户名的地址。',
  },
  applicationWebhookPrivate: {
    code: 11681,
    en: 'This address is inside a private network. Enter one on the internet.',
    zh: '该地址位于内网，请填写公网地址。',
  },
  tooManyApplicationWebhooks: {
    code: 11682,
    en: 'An application can have {limit} webhooks. Delete one first.',
    zh: '每个应用最多可有 {limit} 个 Webhook，请先删除一个。',
  },
  applicationWebhookDisabled: {
    code: 11683,
    en: 'The webhook is disabled. Enable it first.',
    zh: '该 Webhook 已停用，请先启用。',
  },
} as const satisfies Record<string, CodeEntry>;
