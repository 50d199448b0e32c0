import { unsubscribing } from '../../../messages/channels/unsubscribe.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { SiteName } from '../../world.ts';
import { CUSTOMER_OF, type EndpointCase, fresh, type Ground } from '../ground.ts';

const VALUES = {
  name: 'Duty chat',
  webhookUrl: 'https://hooks.example.org/x',
  format: 'standard',
  types: [],
  siteIds: [],
  locale: 'en-US',
  enabled: false,
} as const;

const onWebhook = async ({ world, db }: Ground, site: SiteName, format: 'slack' | 'standard' = 'slack') => {
  const { id } = await db
    .insertInto('webhooks')
    .values({
      ...{ customer_id: world.customers[CUSTOMER_OF[site]], name: fresh('Webhook'), url: VALUES.webhookUrl },
      ...{ format, types: [], site_ids: [], locale: 'en-US', enabled: false },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
};

const onSend = async (ground: Ground, site: SiteName) => {
  const { params } = await onWebhook(ground, site);
  const { id } = await ground.db
    .insertInto('message_sends')
    .values({
      ...{ channel: 'webhook', customer_id: ground.world.customers[CUSTOMER_OF[site]], webhook_id: params.id },
      ...{ receiver: 'Webhook', state: 'failed' },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
};

/** The link in a mail to a user who does not exist any more. */
const onMailLink = async ({ db }: Ground) => {
  const secrets = db.selectFrom('server_secrets').select('value').where('name', '=', 'message-channels-key');
  const { value: key } = await secrets.executeTakeFirstOrThrow();
  const { urlFor } = unsubscribing({
    ...{ db, key, clock: systemClock, urlOf: (path) => `http://x${path}`, productName: () => 'North' },
  });
  return { query: { token: new URL(urlFor(2_000_000_000, ['fault'])!).searchParams.get('token')! } };
};

const template = { type: 'fault', channel: 'email', locale: 'en-US' } as const;
const text = { ...template, subject: '{title}', body: '{devices}' };
const key = (length: number) => Buffer.alloc(length, 4).toString('base64url');

export const CHANNEL_CASES: Record<string, EndpointCase> = {
  'pushBrowsers.key': {},
  'pushBrowsers.list': {},
  'pushBrowsers.add': {
    call: () => ({ body: { pushUrl: `https://push.example.org/${fresh('b')}`, p256dh: key(65), auth: key(16) } }),
  },
  'pushBrowsers.remove': {
    call: async ({ world, db }, _site, who) => {
      const { id } = await db
        .insertInto('push_subscriptions')
        .values({ user_id: world.users[who], endpoint: fresh('https://p/'), keys: '', user_agent: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { params: { id } };
    },
  },
  'webhooks.list': {},
  'webhooks.create': {
    call: ({ world }, site) => ({ body: { ...VALUES, customerId: world.customers[CUSTOMER_OF[site]] } }),
  },
  'webhooks.update': {
    call: async (ground, site) => ({ ...(await onWebhook(ground, site)), body: { ...VALUES } }),
  },
  'webhooks.delete': { call: (ground, site) => onWebhook(ground, site) },
  'webhooks.rotate': { call: (ground, site) => onWebhook(ground, site, 'standard') },
  'webhooks.test': { call: (ground, site) => onWebhook(ground, site) },
  'messageSends.list': {},
  'messageSends.again': { call: onSend },
  'messageTemplates.list': {},
  'messageTemplates.save': { call: () => ({ body: text }) },
  'messageTemplates.reset': { call: () => ({ query: template }) },
  'messageTemplates.preview': { call: () => ({ body: text }) },
  'unsubscribe.show': { call: onMailLink, anonymous: 0 },
  'unsubscribe.confirm': { call: onMailLink, anonymous: 0 },
};
