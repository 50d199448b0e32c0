import { messageEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import type { InboxService } from './inbox/inbox.service.ts';
import type { ReasonsService } from './inbox/reasons.service.ts';
import type { SettingsService } from './settings/settings.service.ts';

/** The messages of the caller, and how they are notified. */
export function messagesRoutes(
  app: FastifyInstance,
  parts: { inbox: InboxService; reasons: ReasonsService; settings: SettingsService },
): void {
  const { inbox, reasons, settings } = parts;
  serve(app, messageEndpoints.listInbox, ({ caller, query }) => inbox.list(caller, query));
  serve(app, messageEndpoints.selectInbox, ({ caller, locale, query }) => inbox.select(caller, locale, query));
  serve(app, messageEndpoints.countInbox, ({ caller }) => inbox.count(caller));
  serve(app, messageEndpoints.markInbox, ({ caller, body }) => inbox.mark(caller, body));
  serve(app, messageEndpoints.explainInbox, ({ caller, query }) => reasons.ofDevice(caller, query));
  serve(app, messageEndpoints.explainSite, ({ caller, params, query }) =>
    reasons.ofSite(caller, params.id, query.type),
  );
  serve(app, messageEndpoints.explainIssue, ({ caller, params, query }) =>
    reasons.ofIssue(caller, params.id, query.type),
  );
  serve(app, messageEndpoints.explainMessage, ({ caller, params }) => reasons.ofMessage(caller, params.id));
  serve(app, messageEndpoints.readMessageSettings, ({ caller }) => settings.read(caller));
  serve(app, messageEndpoints.saveMessageSettings, ({ caller, body }) => settings.save(caller, body));
  serve(app, messageEndpoints.listMessageMutes, ({ caller }) => settings.mutes(caller));
  serve(app, messageEndpoints.muteDevice, ({ caller, params, body }) =>
    settings.muteDevice(caller, params.id, body.until),
  );
  serve(app, messageEndpoints.muteSite, ({ caller, params, body }) => settings.muteSite(caller, params.id, body.until));
}
