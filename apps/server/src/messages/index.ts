import type { Room } from '../platform/room.ts';
import { inboxService } from './inbox/inbox.service.ts';
import { messageWorker, type WorkerParts } from './incidents/message-worker.ts';
import { messagesRoutes } from './messages.routes.ts';
import { settingsService } from './settings/settings.service.ts';
import './tables.ts';

/** Messages: what users are notified of, on which channels, and when. Other modules announce through `ports/notices.ts`. */
export function messagesRoom(parts: WorkerParts): Room {
  const worker = messageWorker(parts);
  return {
    name: 'messages',
    role: 'jobs',
    routes: (app) => messagesRoutes(app, { inbox: inboxService(parts), settings: settingsService(parts) }),
    start: worker.start,
    stop: worker.stop,
  };
}
