import { type Mailer, mailer } from '../platform/mail/mailer.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { mailsRoutes } from './mails.routes.ts';
import { mailsService } from './mails.service.ts';
import { countWaitingMails } from './mails.store.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    mailer: Mailer;
  }
}

/** The outbox for root accounts: mails that were sent, are waiting or failed, and why. */
export const mails = declareRoom({
  name: 'mails',
  needs: ['db', 'pool', 'clock', 'log', 'config', 'addresses', 'branding'],
  provides: ['mailer'],
  open({ config, addresses, branding, ...parts }) {
    const mailing = mailer({
      ...parts,
      smtp: config.smtp,
      publicUrl: addresses.console,
      productName: branding.name,
    });
    return {
      role: 'jobs',
      routes: (app) => mailsRoutes(app, mailsService({ db: parts.db, mailer: mailing })),
      mailer: mailing,
      start: mailing.start,
      stop: mailing.stop,
      measures: [
        {
          name: 'chargehand_waiting_mails',
          help: 'Outgoing mails that were not sent yet.',
          read: () => countWaitingMails(parts.db),
        },
      ],
    };
  },
});
