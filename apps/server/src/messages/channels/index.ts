import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Outbound } from '../../platform/http/outbound/outbound.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { secretBox } from '../../platform/secret-box.ts';
import { pushChannel, webhookChannel } from './channel-content.ts';
import { channelsRoutes } from './channels.routes.ts';
import { pushBrowsers } from './push/push-browsers.ts';
import { type PushKeys, pushDriver } from './push/push-driver.ts';
import { sendWorker } from './send-worker.ts';
import { sendsService } from './sends.service.ts';
import { templatesService } from './templates.service.ts';
import { unsubscribing } from './unsubscribe.ts';
import { webhookDriver } from './webhooks/webhook-driver.ts';
import { webhooksService } from './webhooks/webhooks.service.ts';

export interface ChannelParts {
  db: Kysely<Database>;
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  mailer: Mailer;
  outbound: Outbound;
  /** 32 bytes in base64, for secrets in the database and links in mails */
  channelKey: string;
  pushKeys: PushKeys;
  /** the operator, for push services: https: or mailto: */
  pushContact: () => string;
}

/** The channels of messages: their worker, their routes, and the links that end mails. */
export function messageChannels(parts: ChannelParts) {
  const { db, pool, clock, log, mailer, outbound, channelKey, pushKeys: keys } = parts;
  const box = secretBox(channelKey);
  const { urlOf, productName } = mailer;
  const browsers = pushBrowsers({ db, box, outbound, keys });
  const common = { db, clock, box, urlOf };
  const worker = sendWorker({
    ...{ db, pool, clock, log },
    channels: [
      webhookChannel({ ...common, driver: webhookDriver({ outbound, clock }) }),
      pushChannel({ ...common, browsers, driver: pushDriver({ outbound, keys, contact: parts.pushContact }) }),
    ],
  });
  const links = unsubscribing({ db, clock, key: channelKey, urlOf, productName });
  return {
    ...worker,
    unsubscribeUrl: links.urlFor,
    routes: (app: FastifyInstance) =>
      channelsRoutes(app, {
        browsers,
        webhooks: webhooksService({ ...common, outbound, productName }),
        sends: sendsService({ db, clock, mailer }),
        templates: templatesService({ db, urlOf }),
        unsubscribing: links,
        productName,
      }),
  };
}
