import { randomBytes } from 'node:crypto';
import type { SiteName } from '../../world.ts';
import { type EndpointCase, fresh, type Ground, onUser } from '../ground.ts';

const FIELDS = {
  description: '',
  allowedAddresses: [],
  allowedOperations: ['open.listSites'],
  rateLimit: 60,
  expiresAt: null,
};

/** An application that acts for a new user of the site. */
const onApplication = async (ground: Ground, site: SiteName, enabled = true) => {
  const { params: user } = await onUser(ground, site);
  const name = fresh('Application');
  const { id } = await ground.db
    .insertInto('applications')
    .values({
      ...{ name, name_key: name.toLowerCase(), description: '', icon: null, user_id: user.id, rate_limit: 60 },
      ...{ app_id: `app_${randomBytes(12).toString('hex')}`, allowed_addresses: [], allowed_operations: [] },
      ...{ expires_at: null, enabled },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
};
const called: EndpointCase = { call: (ground, site) => onApplication(ground, site) };

const WEBHOOK = { webhookUrl: 'https://example.org/hook', description: '', events: ['alarm.raised'], enabled: true };

/** A webhook of such an application. */
const onWebhook = async (ground: Ground, site: SiteName) => {
  const { params } = await onApplication(ground, site);
  const { id } = await ground.db
    .insertInto('application_webhooks')
    .values({ application_id: params.id, url: WEBHOOK.webhookUrl, events: WEBHOOK.events, secret: '', ...NO_TEXT })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { ...params, webhookId: id } };
};
const NO_TEXT = { description: '', enabled: true };
const calledWebhook: EndpointCase = { call: (ground, site) => onWebhook(ground, site) };
const calledWebhookWith = (body: object): EndpointCase => ({
  call: async (ground, site) => ({ ...(await onWebhook(ground, site)), body }),
});

export const APPLICATION_CASES: Record<string, EndpointCase> = {
  'applications.list': {},
  'applications.read': called,
  'applications.usage': called,
  'applications.explain': {
    call: async (ground, site) => ({
      ...(await onApplication(ground, site)),
      query: { operation: 'open.listSites', callerAddress: '203.0.113.7' },
    }),
  },
  'applications.create': {
    call: async (ground, site) => {
      const { params } = await onUser(ground, site);
      return { body: { ...FIELDS, name: fresh('Application'), userId: params.id } };
    },
  },
  'applications.update': {
    call: async (ground, site) => ({
      ...(await onApplication(ground, site)),
      body: { ...FIELDS, name: fresh('Application') },
    }),
  },
  'applications.enable': { call: (ground, site) => onApplication(ground, site, false) },
  'applications.disable': called,
  'applications.delete': called,
  'applications.rotate': { call: async (ground, site) => ({ ...(await onApplication(ground, site)), body: {} }) },
  'applications.removeSecret': {
    call: async (ground, site) => {
      const { params } = await onApplication(ground, site);
      const secret = {
        application_id: params.id,
        secret: '',
        ending: 'abcd',
        valid_until: new Date(Date.now() + 60_000),
      };
      const { id } = await ground.db
        .insertInto('application_secrets')
        .values(secret)
        .returning('id')
        .executeTakeFirstOrThrow();
      return { params: { ...params, secretId: id } };
    },
  },
  'applicationWebhooks.list': called,
  'applicationWebhooks.create': {
    call: async (ground, site) => ({ ...(await onApplication(ground, site)), body: WEBHOOK }),
  },
  'applicationWebhooks.update': calledWebhookWith(WEBHOOK),
  'applicationWebhooks.delete': calledWebhook,
  'applicationWebhooks.rotate': calledWebhookWith({}),
  'applicationWebhooks.test': calledWebhookWith({}),
  'applicationWebhooks.deliveries': calledWebhook,
  'applicationWebhooks.replay': calledWebhookWith({ deliveryId: 1 }),
};
