import { auditEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import { listLoginLogs, loginLogFile } from './login-logs.service.ts';

export function loginLogRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, auditEndpoints.listLoginLogs, ({ caller, query }) => listLoginLogs(db, caller, query));
  serveWorkbook(app, auditEndpoints.exportLoginLogs, ({ caller, query, locale }) =>
    loginLogFile(db, caller, locale, query),
  );
}
