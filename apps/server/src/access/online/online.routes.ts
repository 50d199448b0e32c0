import { onlineEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { OnlineService } from './online.service.ts';

/** Online users, and ending their sessions. */
export function onlineRoutes(app: FastifyInstance, online: OnlineService): void {
  serve(app, onlineEndpoints.listOnline, ({ caller, query }) => online.list(caller, query));
  serveWorkbook(app, onlineEndpoints.exportOnline, ({ caller, query, locale }) =>
    online.workbook(caller, locale, query),
  );
  serve(app, onlineEndpoints.kickSession, ({ caller, params, body }) => online.kick(caller, params.id, body));
}
