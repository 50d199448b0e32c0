import { REPORT_LIMITS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { AttachmentsRoom } from '../attachments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import { listenOn } from '../platform/http/listen.ts';
import type { Log } from '../platform/log.ts';
import { type InboundServer, inboundServer } from '../platform/mail/inbound-server.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Certificate } from '../platform/tls/certificate.ts';
import type { Events } from '../ports/events.ts';
import { evidenceService } from './evidence/evidence.service.ts';
import { issueChanges } from './issue-changes.ts';
import { issuesRoutes } from './issues.routes.ts';
import { issueSearch } from './list/issue-search.ts';
import { listService } from './list/list.service.ts';
import { viewsService } from './list/views.service.ts';
import { peopleService } from './people/people.service.ts';
import { type RepliesParts, repliesService } from './replies/replies.service.ts';
import { replyAddresses } from './replies/reply-address.ts';
import { followService } from './reports/follow.service.ts';
import { reportFilesService } from './reports/report-files.service.ts';
import { reportLinksService } from './reports/report-links.service.ts';
import { reportMails } from './reports/report-mails.ts';
import { sealPlainReportLinks } from './reports/report-tokens.store.ts';
import { reportUnsubscribing } from './reports/report-unsubscribing.ts';
import { reportsRoutes } from './reports/reports.routes.ts';
import { deleteContacts, sealPlainReports } from './reports/reports.store.ts';
import { type ProofOfWork, sendService } from './reports/send.service.ts';
import { timelineEvents } from './timeline-events.ts';
import { createService } from './work/create.service.ts';
import { linksService } from './work/links.service.ts';
import { remind } from './work/reminders.ts';
import { workService } from './work/work.service.ts';
import './tables.ts';

export { countIssuesOfEnd, countIssuesOfLabel } from './list/issues.store.ts';
export { addOutsideComment } from './outside/outside-comments.ts';
export { countSharedComments } from './outside/shared-issue.store.ts';
export { filesOfSharedIssue, readSharedIssue } from './outside/shared-issue.ts';
export { loadPastIssues, type PastIssue, type PastIssueStep } from './past/past-issues.ts';
export { readIssueReceivers } from './people/issue-receivers.ts';
export { replyAddresses } from './replies/reply-address.ts';
export { reportTokens } from './reports/report-tokens.store.ts';

/** How often due dates are looked at. Milliseconds. */
const REMIND_MS = 60_000;
/**
 * How often abandoned uploads and old contacts of reporters are removed. Uploads that were not started hold space for
 * minutes only. Milliseconds.
 */
const SWEEP_MS = 600_000;

/** Issues: reported problems with their timeline, their links and the times they took. */
export function issuesRoom(parts: {
  db: Kysely<Database>;
  events: Events;
  clock: Clock;
  log: Log;
  mailer: Mailer;
  store: ObjectStore;
  attachments: Pick<
    AttachmentsRoom,
    'arrive' | 'settle' | 'settled' | 'hasArrived' | 'reserveSpace' | 'countAnnounced'
  >;
  /** for reports of people without an account */
  proof: ProofOfWork;
  /** encrypts the links of reporters for storage */
  box: SecretBox;
  /** makes replies to mails comments; null when no mails are received */
  inbound:
    | (Pick<RepliesParts, 'rightsOf' | 'addresses'> &
        Pick<Parameters<typeof inboundServer>[0], 'host' | 'port' | 'domain' | 'certificate'>)
    | null;
}): Room & Pick<InboundServer, 'useCertificate'> {
  const { db, events, clock, log, mailer, proof, attachments, box } = parts;
  const changes = issueChanges(db, events);
  const reminding = clock.repeat(() => remind(db, clock.now()), {
    job: 'issueReminders',
    everyMs: REMIND_MS,
    log,
    failed: 'reminders of issues wait for the next round',
  });
  const reporters = reportMails(mailer, box);
  const reportFiles = reportFilesService({ ...parts, changes });
  const sweeping = clock.repeat(
    async (signal) => {
      await clock.deleteOld('uploads', (now) => reportFiles.sweep(now, signal));
      await clock.deleteOld('reporterContacts', (now) =>
        deleteContacts(db, new Date(now.getTime() - REPORT_LIMITS.contactDays * 86_400_000)),
      );
    },
    {
      job: 'issueCleanup',
      everyMs: SWEEP_MS,
      log,
      failed: 'old uploads and contacts of reporters wait for the next round',
    },
  );
  const inbound = parts.inbound && inboundMails(parts, parts.inbound, changes);
  return {
    name: 'issues',
    role: 'jobs',
    routes(app) {
      issuesRoutes(app, {
        db,
        issues: listService(db),
        evidence: evidenceService(db),
        people: peopleService(db),
        views: viewsService(db),
        create: createService({ db, clock, changes, attachments }),
        work: workService({ db, clock, changes, reporters, attachments }),
        links: linksService({ db, changes }),
      });
      reportsRoutes(app, {
        sending: sendService({ db, clock, changes, proof, box }),
        following: followService({ db, changes }),
        files: reportFiles,
        links: reportLinksService({ db, mailer, box }),
        unsubscribing: reportUnsubscribing(db),
        productName: mailer.productName,
      });
    },
    useCertificate: (certificate) => inbound?.useCertificate(certificate),
    async start() {
      await inbound?.listen();
      reminding.startLater();
      sweeping.startLater();
    },
    async stop() {
      await inbound?.stop();
      await reminding.stop();
      await sweeping.stop();
    },
  };
}

/** Receives replies to mails about issues. */
function inboundMails(
  parts: Omit<Parameters<typeof repliesService>[0], 'rightsOf' | 'addresses' | 'changes'>,
  inbound: NonNullable<Parameters<typeof issuesRoom>[0]['inbound']>,
  changes: ReturnType<typeof issueChanges>,
): InboundServer {
  const { addresses } = inbound;
  const server = inboundServer({
    ...inbound,
    log: parts.log,
    knows: (receiver) => addresses.read(receiver, parts.clock.now()) !== null,
    take: repliesService({ ...parts, ...inbound, changes }),
  });
  return {
    ...server,
    listen: () =>
      listenOn({ host: inbound.host, port: inbound.port, setting: 'CHARGEHAND_SMTP_PORT' }, () => server.listen()),
  };
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    issues: Pick<InboundServer, 'useCertificate'>;
    /** encrypts links and codes for storage */
    sealedLinks: SecretBox;
    /** the address for replies to a mail about an issue; undefined when no mails are received */
    replyAddressFor: (userId: number, issueId: number) => string | undefined;
    certificate: Certificate | null;
  }
}

export const issues = declareRoom({
  name: 'issues',
  needs: [
    'db',
    'events',
    'clock',
    'log',
    'mailer',
    'store',
    'attachments',
    'access',
    'config',
    'certificate',
    'sealedLinks',
    'secret',
    'rightsOf',
  ],
  provides: ['issues', 'issueSearch', 'replyAddressFor'],
  async open({ access, config, certificate, sealedLinks: box, secret, rightsOf, ...parts }) {
    const { db, clock } = parts;
    // Before requests and jobs of any role open them.
    await sealPlainReports(db, box);
    await sealPlainReportLinks(db, box);
    const { inboundMail } = config;
    const inbound = inboundMail && {
      ...{ ...inboundMail, host: config.host, certificate, rightsOf },
      addresses: replyAddresses({ key: await secret('reply-key'), domain: inboundMail.domain }),
    };
    const room = issuesRoom({ ...parts, proof: access.captcha, box, inbound: inbound ?? null });
    return {
      ...room,
      issues: room,
      issueSearch: issueSearch(db),
      replyAddressFor: (userId, issueId) => inbound?.addresses.addressFor({ userId, issueId }, clock.now()),
    };
  },
});

/** Announces the entries of timelines in every process. */
export const timelines = declareRoom({
  name: 'timelines',
  needs: ['db', 'pool', 'events', 'log'],
  open: timelineEvents,
});
