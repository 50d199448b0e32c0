import { fleetEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { listOrder, pageOf, searchOf } from '../platform/http/list-queries.ts';
import { serve } from '../platform/http/serve.ts';
import { listDeviceModels } from './device-models.store.ts';

export function deviceModelsRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, fleetEndpoints.listDeviceModels, ({ query }) =>
    listDeviceModels(db, searchOf(query.search), listOrder(query.sort, 'name').descending, pageOf(query)),
  );
}
