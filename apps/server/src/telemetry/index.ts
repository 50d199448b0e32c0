import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { telemetryRoutes } from './telemetry.routes.ts';

/** Readings: latest, history, charts; charging transactions. */
export function telemetryRoom(parts: { db: Kysely<Database> }): { routes(app: FastifyInstance): void } {
  return { routes: (app) => telemetryRoutes(app, parts.db) };
}
