import { auditEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import { actionLogFile, listActionLogs, listSiteEvents } from './action-logs.service.ts';

export function actionLogRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, auditEndpoints.listActionLogs, ({ caller, query }) => listActionLogs(db, caller, query));
  serve(app, auditEndpoints.listSiteEvents, ({ caller, query }) => listSiteEvents(db, caller, query));
  serveWorkbook(app, auditEndpoints.exportActionLogs, ({ caller, query, locale }) =>
    actionLogFile(db, caller, locale, query),
  );
}
