import { channelEndpoints, type Locale } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { limitPublicCalls } from '../../access/index.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { sendLinkPage, takeForms } from '../../platform/mail/link-pages.ts';
import type { PushBrowsers } from './push/push-browsers.ts';
import type { SendsService } from './sends.service.ts';
import type { TemplatesService } from './templates.service.ts';
import type { Unsubscribing } from './unsubscribe.ts';
import type { WebhooksService } from './webhooks/webhooks.service.ts';

interface Parts {
  browsers: PushBrowsers;
  webhooks: WebhooksService;
  sends: SendsService;
  templates: TemplatesService;
  unsubscribing: Unsubscribing;
  /** the name of the product in a language */
  productName(locale: Locale): string;
}

/** The channels of messages: browsers, webhooks, the send log, templates, and unsubscribing. */
export function channelsRoutes(app: FastifyInstance, parts: Parts): void {
  const { browsers, webhooks, sends, templates, unsubscribing, productName } = parts;
  serve(app, channelEndpoints.readPushKey, () => browsers.key());
  serve(app, channelEndpoints.listPushBrowsers, ({ caller }) => browsers.list(caller));
  serve(app, channelEndpoints.addPushBrowser, ({ caller, body, request }) =>
    browsers.add(caller, body, request.headers['user-agent'] ?? ''),
  );
  serve(app, channelEndpoints.removePushBrowser, ({ caller, params }) => browsers.remove(caller, params.id));

  serve(app, channelEndpoints.listWebhooks, ({ caller, query }) => webhooks.list(caller, query));
  serve(app, channelEndpoints.createWebhook, ({ caller, body }) => webhooks.create(caller, body));
  serve(app, channelEndpoints.updateWebhook, ({ caller, params, body }) => webhooks.update(caller, params.id, body));
  serve(app, channelEndpoints.deleteWebhook, ({ caller, params }) => webhooks.remove(caller, params.id));
  serve(app, channelEndpoints.rotateWebhookSecret, ({ caller, params, reply }) => {
    reply.header('cache-control', 'no-store');
    return webhooks.rotate(caller, params.id);
  });
  serve(app, channelEndpoints.testWebhook, ({ caller, params }) => webhooks.test(caller, params.id));

  serve(app, channelEndpoints.listSends, ({ caller, query }) => sends.list(caller, query));
  serve(app, channelEndpoints.sendAgain, ({ caller, params }) => sends.again(caller, params.id));

  serve(app, channelEndpoints.listTemplates, () => templates.list());
  serve(app, channelEndpoints.saveTemplate, ({ caller, body }) => templates.save(caller, body));
  serve(app, channelEndpoints.resetTemplate, ({ caller, query }) => templates.reset(caller, query));
  serve(app, channelEndpoints.previewTemplate, ({ body }) => templates.preview(body));

  app.register(async (open) => {
    await limitPublicCalls(open);
    takeForms(open);
    serve(open, channelEndpoints.showUnsubscribe, async ({ query, locale, reply }) =>
      sendLinkPage(reply, locale, productName(locale), unsubscribing.page(query.token, locale)),
    );
    serve(open, channelEndpoints.unsubscribe, async ({ query, locale, reply }) =>
      sendLinkPage(reply, locale, productName(locale), await unsubscribing.confirm(query.token, locale)),
    );
  });
}
