import { telemetryEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { serve } from '../platform/http/serve.ts';
import { readConfiguration } from './configuration.service.ts';
import { readReadingItems, readRuntime } from './runtime.service.ts';
import { readSeries } from './series.service.ts';
import { readTransactions } from './transactions.service.ts';

export function telemetryRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, telemetryEndpoints.readRuntime, ({ caller, params }) => readRuntime(db, caller, params.id));
  serve(app, telemetryEndpoints.readConfiguration, ({ caller, params }) => readConfiguration(db, caller, params.id));
  serve(app, telemetryEndpoints.listReadingItems, ({ caller, params }) => readReadingItems(db, caller, params.id));
  serve(app, telemetryEndpoints.readSeries, ({ caller, params, query }) => readSeries(db, caller, params.id, query));
  serve(app, telemetryEndpoints.listTransactions, ({ caller, params, query }) =>
    readTransactions(db, caller, params.id, query),
  );
}
