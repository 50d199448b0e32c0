import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import { mailsRoutes } from './mails.routes.ts';
import { mailsService } from './mails.service.ts';

export { countWaitingMails } from './mails.store.ts';

/** The outbox as root reads it: what was sent to whom, what waits, what failed and why. */
export function mailsRoom(parts: { db: Kysely<Database>; mailer: Mailer }): { routes(app: FastifyInstance): void } {
  return { routes: (app) => mailsRoutes(app, mailsService(parts)) };
}
