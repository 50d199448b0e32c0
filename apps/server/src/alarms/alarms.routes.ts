import { alarmEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { serve } from '../platform/http/serve.ts';
import { readAlarms, readDeviceEvents } from './alarms.service.ts';
import { readSiteAlarms, readSiteEvents } from './site-alarms.service.ts';

export function alarmsRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, alarmEndpoints.listAlarms, ({ caller, params, query }) => readAlarms(db, caller, params.id, query));
  serve(app, alarmEndpoints.listDeviceEvents, ({ caller, params, query }) =>
    readDeviceEvents(db, caller, params.id, query),
  );
  serve(app, alarmEndpoints.listSiteAlarms, ({ caller, params, query }) =>
    readSiteAlarms(db, caller, params.id, query),
  );
  serve(app, alarmEndpoints.listSiteEvents, ({ caller, params, query }) =>
    readSiteEvents(db, caller, params.id, query),
  );
}
