import { listEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { readListViews, setListView } from './preferences.service.ts';

/** The preferences of the caller. */
export function preferencesRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, listEndpoints.readPreferences, async ({ caller }) => ({ lists: await readListViews(db, caller.userId) }));
  serve(app, listEndpoints.setPreference, ({ caller, body }) => setListView(db, caller, body.list, body.view));
}
