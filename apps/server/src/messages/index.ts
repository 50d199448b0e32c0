import { roleMessageEndpoints } from '@chargehand/contract';
import { serve } from '../platform/http/serve/serve.ts';
import type { Room } from '../platform/room.ts';
import { type ChannelParts, messageChannels } from './channels/index.ts';
import { inboxService } from './inbox/inbox.service.ts';
import { reasonsService } from './inbox/reasons.service.ts';
import { messageWorker, type WorkerParts } from './incidents/message-worker.ts';
import { messagesRoutes } from './messages.routes.ts';
import { onCallRoutes } from './on-call/on-call.routes.ts';
import { onCallService } from './on-call/on-call.service.ts';
import { roleSettingsService } from './settings/role-settings.service.ts';
import { settingsService } from './settings/settings.service.ts';
import './tables.ts';

export { channelKeys } from './channels/channel-keys.ts';
export { channelRows } from './channels/channel-rows.ts';
export { dropSends } from './channels/sends.store.ts';

/** Messages: what users are notified of, on which channels, and when. Other modules announce through `ports/notices.ts`. */
export function messagesRoom(parts: Omit<WorkerParts, 'unsubscribeUrl'> & ChannelParts): Room {
  const channels = messageChannels(parts);
  const worker = messageWorker({ ...parts, unsubscribeUrl: channels.unsubscribeUrl });
  return {
    name: 'messages',
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
}
