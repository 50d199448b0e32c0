import { roleMessageEndpoints } from '@chargehand/contract';
import { serve } from '../platform/http/serve/serve.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { channelKeys } from './channels/channel-keys.ts';
import { messageChannels } from './channels/index.ts';
import { inboxService } from './inbox/inbox.service.ts';
import { reasonsService } from './inbox/reasons.service.ts';
import { messageWorker } from './incidents/message-worker.ts';
import { messagesRoutes } from './messages.routes.ts';
import { onCallRoutes } from './on-call/on-call.routes.ts';
import { onCallService } from './on-call/on-call.service.ts';
import { roleSettingsService } from './settings/role-settings.service.ts';
import { settingsService } from './settings/settings.service.ts';
import './tables.ts';

export { channelRows } from './channels/channel-rows.ts';
export { dropSends } from './channels/sends.store.ts';

/** Messages: what users are notified of, on which channels, and when. Other modules announce through `ports/notices.ts`. */
export const messages = declareRoom({
  name: 'messages',
  needs: ['db', 'pool', 'events', 'mailer', 'clock', 'log', 'config', 'outbound', 'secret', 'replyAddressFor'],
  async open({ secret, config, replyAddressFor, ...rest }) {
    const { mailer } = rest;
    const parts = {
      ...{ ...rest, ...(await channelKeys(secret)), replyAddress: replyAddressFor },
      // Push services accept no http: address, which a console on this machine has.
      pushContact: () =>
        config.smtp ? `mailto:${config.smtp.from.address}` : mailer.urlOf('/').replace(/^http:/, 'https:'),
    };
    const channels = messageChannels(parts);
    const worker = messageWorker({ ...parts, unsubscribeUrl: channels.unsubscribeUrl });
    return {
      role: 'jobs',
      routes(app) {
        messagesRoutes(app, {
          ...{ inbox: inboxService(parts), reasons: reasonsService(parts), settings: settingsService(parts) },
        });
        onCallRoutes(app, onCallService(parts));
        const roles = roleSettingsService(parts);
        serve(app, roleMessageEndpoints.readRoleMessages, ({ params }) => roles.read(params.id));
        serve(app, roleMessageEndpoints.saveRoleMessages, ({ caller, params, body }) =>
          roles.save(caller, params.id, body),
        );
        channels.routes(app);
      },
      start() {
        worker.start();
        channels.start();
      },
      async stop() {
        await Promise.all([worker.stop(), channels.stop()]);
      },
    };
  },
});
