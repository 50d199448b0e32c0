import type { Kysely } from 'kysely';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Room } from '../platform/room.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { GuestPages, GuestShares, GuestTerminals } from '../ports/devices/link-guests.ts';
import type { Events } from '../ports/events.ts';
import { guestShares } from './guests/guest-shares.ts';
import { guestVisitsService } from './guests/guest-visits.service.ts';
import { runningUses } from './running-uses.ts';
import { shareChanges } from './share-changes.ts';
import { checkShares, type ShareChecks } from './share-checks.ts';
import { shareMails } from './share-mails.ts';
import { type SharedFilesParts, sharedFiles } from './shared-files.ts';
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

export interface SharesParts {
  db: Kysely<Database>;
  store: ObjectStore;
  bus: Bus;
  events: Events;
  clock: Clock;
  log: Log;
  mailer: Mailer;
  attachments: SharedFilesParts['attachments'];
  checks: Omit<ShareChecks, 'terminalIsOpen' | 'pagesAreOpen'>;
  terminals: GuestTerminals;
  pages: GuestPages;
  /** signs the cookies of visitors */
  key: string;
  /** encrypts links and codes for storage */
  box: SecretBox;
  isPublicHttps: boolean;
}

export interface SharesRoom extends Room {
  /** the invitations into terminals and web pages */
  guests: GuestShares;
}

/** Links by which people without an account download files, upload files into a folder, or join a terminal or the web pages of a device. */
export function sharesRoom(parts: SharesParts): SharesRoom {
  const { db, store, bus, events, clock, log, mailer, attachments, terminals, pages, key, box, isPublicHttps } = parts;
  const checks: ShareChecks = { ...parts.checks, terminalIsOpen: terminals.isOpen, pagesAreOpen: pages.isOpen };
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
  const passes = visitorPasses({ key, clock, isPublicHttps });
  const uploads = uploadsService({ db, store, files, mails, running, changes, log });
  const sweeping = clock.repeat((signal) => clock.deleteOld('uploads', (now) => uploads.sweep(now, signal)), {
    job: 'shareUploads',
    everyMs: SWEEP_MS,
    log,
    failed: 'abandoned uploads of visitors wait for the next sweep',
  });
  const service = sharesService({ db, clock, checks, files, running, changes, box });
  return {
    name: 'shares',
    role: 'api',
    guests: guestShares({ db, clock, checks, shares: service, changes }),
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
}
