import { mailEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import type { MailsService } from './mails.service.ts';

/** Outgoing mails, for root accounts only. */
export function mailsRoutes(app: FastifyInstance, mails: MailsService): void {
  serve(app, mailEndpoints.listMails, ({ query }) => mails.list(query));
  serve(app, mailEndpoints.readMail, ({ caller, params, reply }) => {
    reply.header('cache-control', 'no-store');
    return mails.read(caller, params.id);
  });
  serve(app, mailEndpoints.sendMailAgain, ({ caller, params }) => mails.sendAgain(caller, params.id));
}
