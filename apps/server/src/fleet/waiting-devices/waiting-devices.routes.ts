import { fleetEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import { forgetUnknownDevice, readAttempts, readBlacklist } from './waiting-devices.service.ts';
import { blacklistWorkbook } from './waiting-devices-export.ts';

export function blacklistRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, fleetEndpoints.listBlacklistEntries, ({ query }) => readBlacklist(db, query));
  serve(app, fleetEndpoints.listConnectionAttempts, ({ query }) => readAttempts(db, query));
  serveWorkbook(app, fleetEndpoints.exportBlacklistEntries, ({ query, locale }) =>
    blacklistWorkbook(db, locale, query),
  );
  serve(app, fleetEndpoints.deleteBlacklistEntry, async ({ caller, params }) => {
    await forgetUnknownDevice(db, caller, params.id);
    return null;
  });
}
