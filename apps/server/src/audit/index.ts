import type { Room } from '../platform/room.ts';
import { actionLogRoutes } from './action-logs/action-logs.routes.ts';
import { framesRoutes } from './frames/frames.routes.ts';
import type { FramesParts } from './frames/frames.service.ts';
import { loginLogRoutes } from './login-logs/login-logs.routes.ts';
import './tables.ts';

export { logAction, logActions } from './action-logs/action-logs.store.ts';
export { loadPastActions, loadPastLogins, type PastAction, type PastLogin } from './history.store.ts';
export { type LoginReason, latestSignIns, logLogins } from './login-logs/login-logs.store.ts';

/** Sign-in log, action log, protocol log and error log. */
export function auditRoom(parts: FramesParts): Room {
  return {
    name: 'audit',
    routes(app) {
      actionLogRoutes(app, parts);
      loginLogRoutes(app, parts);
      framesRoutes(app, parts);
    },
  };
}
