import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { Room } from '../platform/room.ts';
import { mailsRoutes } from './mails.routes.ts';
import { mailsService } from './mails.service.ts';

export { countWaitingMails } from './mails.store.ts';

/** The outbox for root accounts: mails that were sent, are waiting or failed, and why. */
export function mailsRoom(parts: { db: Kysely<Database>; mailer: Mailer }): Room {
  const { mailer } = parts;
  return {
    name: 'mails',
    role: 'jobs',
    routes: (app) => mailsRoutes(app, mailsService(parts)),
    start: mailer.start,
    stop: mailer.stop,
  };
}
