import { isPublicHttps } from '../platform/config/config.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import type { GuestShares } from '../ports/devices/link-guests.ts';
import { guestShares } from './guests/guest-shares.ts';
import { guestVisitsService } from './guests/guest-visits.service.ts';
import { runningUses } from './running-uses.ts';
import { shareChanges } from './share-changes.ts';
import { checkShares, type ShareChecks } from './share-checks.ts';
import { shareMails } from './share-mails.ts';
import { sharedFiles } from './shared-files.ts';
import { sharesRoutes } from './shares.routes.ts';
import { sharesService } from './shares.service.ts';
import { databaseTime, findShares, sealPlainShares } from './shares.store.ts';
import { downloadsService } from './visitors/downloads.service.ts';
import { issueVisitsService } from './visitors/issue-visits.service.ts';
import { uploadsService } from './visitors/uploads.service.ts';
import { visitorPasses } from './visitors/visitor-pass.ts';
import { visitorRoutes } from './visitors/visitors.routes.ts';
import { visitorsService } from './visitors/visitors.service.ts';
import './tables.ts';

/** How often abandoned uploads are removed. Those that were not started hold space for minutes only. Milliseconds. */
const SWEEP_MS = 600_000;

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    /** the invitations into terminals and web pages */
    guestShares: GuestShares;
  }
}

/** Links by which people without an account download files, upload files into a folder, or join a terminal or the web pages of a device. */
export const shares = declareRoom({
  name: 'shares',
  needs: [
    'db',
    'pool',
    'store',
    'bus',
    'events',
    'clock',
    'log',
    'mailer',
    'attachments',
    'config',
    'links',
    'rightsOf',
    'rows',
    'secret',
    'sealedLinks',
  ],
  provides: ['guestShares'],
  async open(parts) {
    const { db, pool, store, bus, events, clock, log, mailer, attachments, links, sealedLinks: box } = parts;
    const { guests: terminals, pageGuests: pages } = links;
    const checks: ShareChecks = {
      ...{ pool, finders: parts.rows.finders, rightsOf: parts.rightsOf },
      ...{ terminalIsOpen: terminals.isOpen, pagesAreOpen: pages.isOpen },
    };
    const key = await parts.secret('share-key');
    const files = sharedFiles({ db, attachments });
    const running = runningUses({
      ...{ bus, clock, log, databaseTime: () => databaseTime(db) },
      async ends(ids) {
        const found = await checkShares(checks, await findShares(db, ids), clock.now());
        return new Map(found.map(({ share, end }) => [share.id, end]));
      },
    });
    const changes = shareChanges({ bus, events });
    const mails = shareMails(mailer);
    const passes = visitorPasses({ key, clock, isPublicHttps: isPublicHttps(parts.config) });
    const uploads = uploadsService({ db, store, files, mails, running, changes, log });
    const sweeping = clock.repeat((signal) => clock.deleteOld('uploads', (now) => uploads.sweep(now, signal)), {
      job: 'shareUploads',
      everyMs: SWEEP_MS,
      log,
      failed: 'abandoned uploads of visitors wait for the next sweep',
    });
    const service = sharesService({ db, clock, checks, files, running, changes, box });
    return {
      role: ['api', 'links'],
      guestShares: guestShares({ db, clock, checks, shares: service, changes }),
      routes(app) {
        sharesRoutes(app, service);
        visitorRoutes(app, {
          visitors: visitorsService({ db, clock, checks, files, passes, changes, box }),
          downloads: downloadsService({ db, clock, files, running, changes, log }),
          uploads,
          issues: issueVisitsService({ db, events, changes }),
          guests: guestVisitsService({ db, passes, terminals, pages, changes }),
        });
      },
      async start() {
        await sealPlainShares(db, box);
        await running.start();
        sweeping.startLater();
      },
      async stop() {
        await running.stop();
        await sweeping.stop();
      },
    };
  },
});
