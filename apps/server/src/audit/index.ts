import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { actionLogRoutes } from './action-logs/action-logs.routes.ts';
import { framesRoutes } from './frames/frames.routes.ts';
import type { FramesParts } from './frames/frames.service.ts';
import { framePacker } from './frames/packing/packer.ts';
import { loginLogRoutes } from './login-logs/login-logs.routes.ts';
import './tables.ts';

export { logAction, logActions } from './action-logs/action-logs.store.ts';
export { listFramesBefore } from './frames/frames.store.ts';
export { frameStatements } from './frames/new-frames.store.ts';
export { loadPastActions, loadPastLogins, type PastAction, type PastLogin } from './history.store.ts';
export { type LoginReason, latestSignIns, logLogins } from './login-logs/login-logs.store.ts';

/** Sign-in log, action log, protocol log and error log. */
export function auditRoom(parts: FramesParts & { clock: Clock; log: Log }): Room {
  const packer = framePacker(parts.db, parts.clock, parts.log);
  return {
    name: 'audit',
    role: 'jobs',
    routes(app) {
      actionLogRoutes(app, parts);
      loginLogRoutes(app, parts);
      framesRoutes(app, parts);
    },
    start: packer.startLater,
    stop: packer.stop,
  };
}
