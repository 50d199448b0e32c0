import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { alarmsRoutes } from './alarms.routes.ts';

/** Alarm episodes and device events. */
export function alarmsRoom(parts: { db: Kysely<Database> }): { routes(app: FastifyInstance): void } {
  return { routes: (app) => alarmsRoutes(app, parts.db) };
}
