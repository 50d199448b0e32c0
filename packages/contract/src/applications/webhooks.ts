import { SEND_STATES, USER_EDIT_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { OPEN_EVENT_TYPES } from '../open/open-events.ts';
import { Exact, Id, IdParams, Keyset, NullableTime, Time, Words } from '../schemas.ts';

const fields = {
  webhookUrl: Type.String({ minLength: 1, maxLength: 2_000 }),
  description: Type.String({ maxLength: 200 }),
  /** the types of events that are sent */
  events: Type.Array(Words(OPEN_EVENT_TYPES), { minItems: 1, maxItems: OPEN_EVENT_TYPES.length, uniqueItems: true }),
  enabled: Type.Boolean(),
};

export const ApplicationWebhook = Exact({
  id: Id,
  ...fields,
  /** types of events that the application or its user may not receive, so they are not sent */
  unreachable: Type.Array(Words(OPEN_EVENT_TYPES)),
  createdAt: Time,
  /** until when the previous secret signs, too; null: there is none */
  previousSecretUntil: NullableTime,
  /** the first failed attempt since the last success */
  failingSince: NullableTime,
  /** when the server disabled it, because it had failed for three days */
  givenUpAt: NullableTime,
  /** deliveries with another attempt to come */
  waiting: Type.Integer({ minimum: 0 }),
});
export type ApplicationWebhook = Static<typeof ApplicationWebhook>;

/** The secret is only in this answer. */
export const ApplicationWebhookSecret = Exact({ id: Id, secret: Type.String() });
export type ApplicationWebhookSecret = Static<typeof ApplicationWebhookSecret>;

export const WebhookDelivery = Exact({
  id: Id,
  /** the `webhook-id`: the same in each attempt and replay */
  messageId: Type.String(),
  /** null: a test */
  eventType: Type.Union([Words(OPEN_EVENT_TYPES), Type.Null()]),
  createdAt: Time,
  state: Words(SEND_STATES),
  /** null while it is being sent, and when it is not waiting */
  nextAttemptAt: NullableTime,
  attemptCount: Type.Integer({ minimum: 0 }),
  /** the latest attempts, the oldest first */
  attempts: Type.Array(
    Exact({
      at: Time,
      /** HTTP status; null without an answer */
      status: Type.Union([Type.Integer(), Type.Null()]),
      /** milliseconds */
      duration: Type.Integer({ minimum: 0 }),
      /** the beginning of the answer, or why there is none */
      answer: Type.String(),
    }),
  ),
  /** the body that is sent */
  content: Type.String(),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const path = '/api/auth/sys/applications/:id/webhooks';
const WebhookParams = Exact({ id: Id, webhookId: Id });
const row = { object: 'application', from: 'params.id' } as const;
const read = { route: { keys: ['auth_application_detail'] }, row } as const;
const changed = {
  route: { keys: ['auth_application_edit'] },
  row,
  level: USER_EDIT_LEVELS,
  withinOwnRights: true,
} as const;

/** Webhooks of applications: Standard Webhooks for the events that the user of the application sees. */
export const applicationWebhookEndpoints = {
  listApplicationWebhooks: endpoint({
    id: 'applicationWebhooks.list',
    method: 'GET',
    path,
    policy: read,
    effect: 'read',
    summary: 'Get the webhooks of an application',
    nameZh: '查询应用网络回调',
    params: IdParams,
    answer: Exact({ items: Type.Array(ApplicationWebhook) }),
  }),
  createApplicationWebhook: endpoint({
    id: 'applicationWebhooks.create',
    method: 'POST',
    path,
    policy: changed,
    effect: 'create',
    summary: 'Add a webhook to an application. The signing secret is only in this answer',
    nameZh: '新增应用网络回调',
    params: IdParams,
    body: Exact(fields),
    answer: ApplicationWebhookSecret,
  }),
  updateApplicationWebhook: endpoint({
    id: 'applicationWebhooks.update',
    method: 'PATCH',
    path: `${path}/:webhookId`,
    policy: changed,
    effect: 'update',
    summary: 'Change a webhook of an application. While it is disabled, no events are collected for it',
    nameZh: '编辑应用网络回调',
    params: WebhookParams,
    body: Exact(fields),
    answer: Type.Null(),
  }),
  deleteApplicationWebhook: endpoint({
    id: 'applicationWebhooks.delete',
    method: 'DELETE',
    path: `${path}/:webhookId`,
    policy: changed,
    effect: 'delete',
    summary: 'Delete a webhook of an application with its delivery log',
    nameZh: '删除应用网络回调',
    params: WebhookParams,
    answer: Type.Null(),
  }),
  rotateApplicationWebhookSecret: endpoint({
    id: 'applicationWebhooks.rotate',
    method: 'POST',
    path: `${path}/:webhookId/secret`,
    policy: changed,
    effect: 'update',
    summary:
      'Replace the signing secret of a webhook of an application. For a day, both secrets sign. The new one is only in this answer',
    nameZh: '更换应用网络回调签名密钥',
    params: WebhookParams,
    body: Exact({}),
    answer: ApplicationWebhookSecret,
  }),
  testApplicationWebhook: endpoint({
    id: 'applicationWebhooks.test',
    method: 'POST',
    path: `${path}/:webhookId/test`,
    policy: changed,
    effect: 'create',
    summary: 'Send a test event to a webhook of an application; its result is in the delivery log',
    nameZh: '测试应用网络回调',
    params: WebhookParams,
    body: Exact({}),
    answer: Exact({ id: Id }),
  }),
  listWebhookDeliveries: endpoint({
    id: 'applicationWebhooks.deliveries',
    method: 'GET',
    path: `${path}/:webhookId/deliveries`,
    policy: read,
    effect: 'read',
    summary: 'List the deliveries of a webhook of an application, newest first',
    nameZh: '查询应用网络回调投递记录',
    params: WebhookParams,
    query: Exact({
      before: Type.Optional(Id),
      limit: Type.Unsafe<10 | 20 | 50 | 100>({ type: 'integer', enum: [10, 20, 50, 100], default: 20 }),
      deliveryState: Type.Optional(Words(SEND_STATES)),
    }),
    answer: Keyset(WebhookDelivery),
  }),
  replayWebhookDeliveries: endpoint({
    id: 'applicationWebhooks.replay',
    method: 'POST',
    path: `${path}/:webhookId/replay`,
    policy: changed,
    effect: 'update',
    summary:
      'Send deliveries again with the same IDs: a single one, or those whose events happened in a range of time, at most 10,000',
    nameZh: '重新投递应用网络回调事件',
    params: WebhookParams,
    /** either a delivery or a range */
    body: Exact({ deliveryId: Type.Optional(Id), from: Type.Optional(Time), to: Type.Optional(Time) }),
    answer: Exact({ count: Type.Integer({ minimum: 0 }) }),
  }),
};
