import {
  MESSAGE_CHANNELS,
  MESSAGE_TYPES,
  SEND_STATES,
  TEMPLATE_PLACEHOLDERS,
  WEBHOOK_FORMATS,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { LOCALES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import {
  Exact,
  Id,
  IdParams,
  Keyset,
  Lines,
  Matching,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Time,
  Words,
} from '../schemas.ts';

const NullableId = Type.Union([Id, Type.Null()]);

/** A browser that receives the pushes of a user. */
export const PushBrowser = Exact({
  id: Id,
  /** of the browser that was registered */
  userAgent: Type.String(),
  createdAt: Time,
  /** when the push service last accepted a push */
  usedAt: NullableTime,
});
export type PushBrowser = Static<typeof PushBrowser>;

const webhookFields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  webhookUrl: Type.String({ minLength: 1, maxLength: 2_000 }),
  format: Words(WEBHOOK_FORMATS),
  /** empty: every type */
  types: Type.Array(Words(MESSAGE_TYPES), { maxItems: MESSAGE_TYPES.length, uniqueItems: true }),
  /** empty: every site of the customer */
  siteIds: Type.Array(Id, { maxItems: 500, uniqueItems: true }),
  locale: Words(LOCALES),
  enabled: Type.Boolean(),
};

export const WebhookRow = Exact({
  id: Id,
  customerId: Id,
  customerName: Type.String(),
  ...webhookFields,
  /** those of `siteIds` that still exist, with their names */
  sites: Type.Array(Exact({ id: Id, name: Type.String() })),
  /** a signing secret is set */
  signed: Type.Boolean(),
  /** until when the previous secret signs, too; null: there is none */
  previousSecretUntil: NullableTime,
  createdAt: Time,
  /** the latest attempt: when, and its result; null: nothing was sent yet */
  lastAt: NullableTime,
  lastState: Type.Union([Words(SEND_STATES), Type.Null()]),
  lastAnswer: NullableText,
});
export type WebhookRow = Static<typeof WebhookRow>;

/** The secret is only in this answer. */
export const WebhookSecret = Exact({ id: Id, secret: NullableText });
export type WebhookSecret = Static<typeof WebhookSecret>;

export const SendAttempt = Exact({
  at: Time,
  status: Type.Union([Type.Integer(), Type.Null()]),
  answer: Type.String(),
});

export const SendRow = Exact({
  id: Id,
  channel: Words(MESSAGE_CHANNELS),
  /** an address, a browser or the name of a webhook */
  receiver: Type.String(),
  userId: NullableId,
  webhookId: NullableId,
  /** null: a test */
  type: Type.Union([Words(MESSAGE_TYPES), Type.Null()]),
  incidentId: NullableId,
  subject: NullableText,
  /** the Message-ID or webhook-id: the same in each attempt */
  messageId: Type.String(),
  state: Words(SEND_STATES),
  createdAt: Time,
  sentAt: NullableTime,
  nextAttemptAt: NullableTime,
  attemptCount: Type.Integer({ minimum: 0 }),
  /** the latest ones, the oldest first; of mails only the last error is known */
  attempts: Type.Array(SendAttempt),
});
export type SendRow = Static<typeof SendRow>;

const templateText = { subject: Type.String({ maxLength: 200 }), body: Lines({ minLength: 1, maxLength: 2_000 }) };
const templateKey = { type: Words(MESSAGE_TYPES), channel: Words(MESSAGE_CHANNELS), locale: Words(LOCALES) };

export const MessageTemplate = Exact({
  ...templateKey,
  ...templateText,
  /** it differs from the default */
  changed: Type.Boolean(),
});
export type MessageTemplate = Static<typeof MessageTemplate>;

export const TemplatePreview = Exact({
  subject: Type.String(),
  body: Type.String(),
  /** the event that fills it; null: there is none of this type yet, and its values are examples */
  eventAt: NullableTime,
});
export type TemplatePreview = Static<typeof TemplatePreview>;

const own = { route: { keys: ['auth_message_setting'] }, row: 'own' } as const;
const KEYS = ['auth_message_channels'] as const;
const inScope = { route: { keys: KEYS }, row: 'scope' } as const;
const ofWebhook = { route: { keys: KEYS }, row: { object: 'webhook', from: 'params.id', whole: true } } as const;
const templates = { route: { keys: KEYS }, who: 'vendor', row: 'shared' } as const;
const webhooks = '/api/auth/sys/webhooks';

/** Channels of messages: browsers for pushes, webhooks, the send log, templates, and unsubscribing by mail. */
export const channelEndpoints = {
  readPushKey: endpoint({
    id: 'pushBrowsers.key',
    method: 'GET',
    path: '/api/auth/sys/push-browsers/key',
    policy: own,
    effect: 'read',
    summary: 'Get the public key (VAPID) with which browsers subscribe to pushes',
    nameZh: '查看推送公钥',
    answer: Exact({ publicKey: Type.String() }),
  }),
  listPushBrowsers: endpoint({
    id: 'pushBrowsers.list',
    method: 'GET',
    path: '/api/auth/sys/push-browsers',
    policy: own,
    effect: 'list',
    summary: "List the caller's browsers that receive pushes",
    nameZh: '查询接收推送的浏览器',
    answer: Exact({ items: Type.Array(PushBrowser) }),
  }),
  addPushBrowser: endpoint({
    id: 'pushBrowsers.add',
    method: 'POST',
    path: '/api/auth/sys/push-browsers',
    policy: own,
    effect: 'session',
    summary: 'Register a browser for pushes to the caller. It stops receiving those of another user',
    nameZh: '登记接收推送的浏览器',
    body: Exact({
      pushUrl: Type.String({ minLength: 1, maxLength: 2_000 }),
      p256dh: Matching('^[A-Za-z0-9_-]{80,100}=*$', 'base64url', { maxLength: 104 }),
      auth: Matching('^[A-Za-z0-9_-]{16,32}=*$', 'base64url', { maxLength: 36 }),
    }),
    answer: PushBrowser,
  }),
  removePushBrowser: endpoint({
    id: 'pushBrowsers.remove',
    method: 'DELETE',
    path: '/api/auth/sys/push-browsers/:id',
    policy: own,
    effect: 'session',
    summary: 'Stop the pushes to a browser of the caller',
    nameZh: '停止向浏览器推送',
    params: IdParams,
    answer: Type.Null(),
  }),
  listWebhooks: endpoint({
    id: 'webhooks.list',
    method: 'GET',
    path: webhooks,
    policy: inScope,
    effect: 'list',
    summary: 'List the webhooks of the customers that the caller sees completely',
    nameZh: '查询网络回调列表',
    query: Exact({ ...Paging(['name', 'createdAt']), search: Type.Optional(Type.String({ maxLength: 100 })) }),
    answer: Page(WebhookRow),
  }),
  createWebhook: endpoint({
    id: 'webhooks.create',
    method: 'POST',
    path: webhooks,
    policy: { route: { keys: KEYS }, row: { object: 'customer', from: 'body.customerId', whole: true } },
    effect: 'create',
    summary: 'Add a webhook to a customer. The signing secret is only in this answer',
    nameZh: '新增网络回调',
    body: Exact({
      customerId: Id,
      ...webhookFields,
      /** the secret of DingTalk or Feishu; other formats get one */
      secret: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answer: WebhookSecret,
  }),
  updateWebhook: endpoint({
    id: 'webhooks.update',
    method: 'PATCH',
    path: `${webhooks}/:id`,
    policy: ofWebhook,
    effect: 'update',
    summary: 'Change a webhook',
    nameZh: '编辑网络回调',
    params: IdParams,
    body: Exact({ ...webhookFields, secret: Type.Optional(Type.String({ maxLength: 200 })) }),
    answer: Type.Null(),
  }),
  deleteWebhook: endpoint({
    id: 'webhooks.delete',
    method: 'DELETE',
    path: `${webhooks}/:id`,
    policy: ofWebhook,
    effect: 'delete',
    summary: 'Delete a webhook. What waits for it is not sent',
    nameZh: '删除网络回调',
    params: IdParams,
    answer: Type.Null(),
  }),
  rotateWebhookSecret: endpoint({
    id: 'webhooks.rotate',
    method: 'POST',
    path: `${webhooks}/:id/secret`,
    policy: ofWebhook,
    effect: 'update',
    summary:
      'Replace the signing secret of a webhook. For a day, both secrets sign. The new one is only in this answer',
    nameZh: '更换网络回调签名密钥',
    params: IdParams,
    answer: WebhookSecret,
  }),
  testWebhook: endpoint({
    id: 'webhooks.test',
    method: 'POST',
    path: `${webhooks}/:id/test`,
    policy: ofWebhook,
    effect: 'control',
    summary: 'Send a test message to a webhook; its result is in the send log',
    nameZh: '测试网络回调',
    params: IdParams,
    answer: Exact({ id: Id }),
  }),
  listSends: endpoint({
    id: 'messageSends.list',
    method: 'GET',
    path: '/api/auth/sys/message-sends',
    policy: inScope,
    effect: 'list',
    summary: 'List what was sent to users and webhooks of the customers that the caller sees completely, newest first',
    nameZh: '查询消息发送记录',
    query: Exact({
      before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      channel: Type.Optional(Words(MESSAGE_CHANNELS)),
      sendState: Type.Optional(Words(SEND_STATES)),
      type: Type.Optional(Words(MESSAGE_TYPES)),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    }),
    answer: Keyset(SendRow),
  }),
  sendAgain: endpoint({
    id: 'messageSends.again',
    method: 'POST',
    path: '/api/auth/sys/message-sends/:id/again',
    policy: { route: { keys: KEYS }, row: { object: 'messageSend', from: 'params.id', whole: true } },
    effect: 'control',
    summary: 'Send a failed or sent message to its receiver again, with the same ID',
    nameZh: '重新发送消息',
    params: IdParams,
    answer: Type.Null(),
  }),
  listTemplates: endpoint({
    id: 'messageTemplates.list',
    method: 'GET',
    path: '/api/auth/sys/message-templates',
    policy: templates,
    effect: 'list',
    summary: 'List the texts of every type of message, by channel and language',
    nameZh: '查询消息模板',
    answer: Exact({ items: Type.Array(MessageTemplate), placeholders: Type.Array(Words(TEMPLATE_PLACEHOLDERS)) }),
  }),
  saveTemplate: endpoint({
    id: 'messageTemplates.save',
    method: 'PUT',
    path: '/api/auth/sys/message-templates',
    policy: templates,
    effect: 'update',
    summary: 'Change the text of a type of message on a channel in a language',
    nameZh: '编辑消息模板',
    body: Exact({ ...templateKey, ...templateText }),
    answer: Type.Null(),
  }),
  resetTemplate: endpoint({
    id: 'messageTemplates.reset',
    method: 'DELETE',
    path: '/api/auth/sys/message-templates',
    policy: templates,
    effect: 'update',
    summary: 'Use the default text of a type of message on a channel in a language again',
    nameZh: '恢复默认消息模板',
    query: Exact(templateKey),
    answer: Type.Null(),
  }),
  previewTemplate: endpoint({
    id: 'messageTemplates.preview',
    method: 'POST',
    path: '/api/auth/sys/message-templates/preview',
    policy: templates,
    effect: 'read',
    summary: 'Fill a text with the latest event of its type',
    nameZh: '预览消息模板',
    body: Exact({ ...templateKey, ...templateText }),
    answer: TemplatePreview,
  }),
  showUnsubscribe: endpoint({
    id: 'unsubscribe.show',
    method: 'GET',
    path: '/api/unauth/unsubscribe',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'A page with the button that ends the mails of a type (HTML)',
    nameZh: '查看退订页面',
    query: Exact({ token: Type.String({ maxLength: 200 }) }),
    answer: null,
  }),
  unsubscribe: endpoint({
    id: 'unsubscribe.confirm',
    method: 'POST',
    path: '/api/unauth/unsubscribe',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'End the mails of a type for the receiver of a mail, without sign-in (RFC 8058)',
    nameZh: '退订邮件',
    query: Exact({ token: Type.String({ maxLength: 200 }) }),
    answer: null,
  }),
};
