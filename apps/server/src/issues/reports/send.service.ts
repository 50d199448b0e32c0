import { randomBytes } from 'node:crypto';
import type { BodyOf, publicReportEndpoints, ReportPlace } from '@chargehand/contract';
import {
  contentOfText,
  ISSUE_PRIORITIES,
  isReporterContact,
  linesOf,
  REPORT_LIMITS,
  reportTarget,
  reportTitle,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { uniqueViolation } from '../../platform/database/violations.ts';
import { Problem } from '../../platform/http/problem.ts';
import { isMailAddress } from '../../platform/mail/mailbox.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { tokenHash } from '../../platform/token-hash.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { type AnnouncedIssue, announceAnswer, announceReported } from '../work/issue-notices.ts';
import { followersOf, logIssue } from '../work/issue-state.ts';
import { insertIssue, type Origin, subjectOf } from '../work/new-issue.ts';
import { lockUnclosed, openRootOf } from '../work/open-root.ts';
import { insertForeignComment, touchIssues } from '../work/work.store.ts';
import { findEnteredPlace, findLinkPlace, type ReportPlaceRecord } from './report-places.store.ts';
import { countRecent, findSent, insertReport } from './reports.store.ts';
import { listKnown, listSiteReceivers, lockPlace } from './target.store.ts';

type Entered = BodyOf<(typeof publicReportEndpoints)['sendReport']>;

/** What reports need of captchas: a proof of work that is valid once. */
export interface ProofOfWork {
  redeem(captchaId: string, solution: string | undefined): Promise<boolean>;
}

/** Random bytes of the link of a reporter. */
const FOLLOW_BYTES = 16;

export type SendService = ReturnType<typeof sendService>;

/** Takes reports of people without an account. Nobody has checked anything before. */
export function sendService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  changes: IssueChanges;
  proof: ProofOfWork;
  /** encrypts the links of reporters for storage */
  box: SecretBox;
}) {
  const { db, clock, changes, proof, box } = parts;

  return {
    /** The place of a link. @throws {Problem} reportLinkUnknown, whatever is wrong with it */
    async open(token: string): Promise<ReportPlace> {
      const place = await findLinkPlace(db, token);
      if (!place) throw new Problem('reportLinkUnknown', { field: 's' });
      return { siteName: place.siteName ?? '', deviceName: place.deviceName };
    },

    /**
     * Stores a report, in an issue that exists or in a new one. Cheap checks come first: the work of the server for a
     * refused report is a few lookups by index.
     */
    async send(entered: Entered, address: string): Promise<{ follow: string }> {
      const sent = await findSent(db, entered.requestKey, box);
      if (sent !== null) return { follow: sent };
      const problem = linesOf(entered.problem).trim();
      if (problem === '') throw new Problem('fieldRequired', { field: 'problem' });
      const contact = enteredContact(entered.contact);
      const sn = entered.sn?.trim() ?? '';
      const typed = entered.place?.trim() ?? '';
      const place = await placeOf(entered.s, sn, typed);
      const values = { ...entered, problem, contact, sn, place: typed, linked: entered.s !== undefined };
      try {
        await requireRoom(db, place);
        if (!(await proof.redeem(entered.captchaId, entered.captcha))) {
          throw new Problem('captchaWrong', { field: 'captcha' });
        }
        const { follow, issue } = await db.transaction().execute((trx) => store(trx, place, values, address));
        await changes.changed(issue);
        return { follow };
      } catch (error) {
        // The same report was sent twice at the same time, as phones do when the network comes and goes.
        if (!uniqueViolation(error) && !(error instanceof Problem)) throw error;
        const other = await findSent(db, entered.requestKey, box);
        if (other === null) throw error;
        return { follow: other };
      }
    },
  };

  async function placeOf(token: string | undefined, sn: string, place: string): Promise<ReportPlaceRecord> {
    if (token === undefined) {
      if (sn === '' && place === '') throw new Problem('reportPlace', { field: 'place' });
      return await findEnteredPlace(db, { sn, place });
    }
    const linked = await findLinkPlace(db, token);
    if (!linked) throw new Problem('reportLinkUnknown', { field: 's' });
    return linked;
  }

  /** @throws {Problem} reportTooMany */
  async function requireRoom(trx: Kysely<Database>, place: ReportPlaceRecord): Promise<void> {
    const recent = await countRecent(trx, place);
    const { perDevice, perSite, unplaced } = REPORT_LIMITS;
    if (recent.device < perDevice && recent.site < perSite && recent.unplaced < unplaced) return;
    throw new Problem('reportTooMany', { status: 429, values: { minutes: 60 } });
  }

  interface Values extends Omit<Entered, 'contact' | 'sn' | 'place'> {
    contact: string | null;
    sn: string;
    place: string;
    linked: boolean;
  }

  async function store(
    trx: Kysely<Database>,
    place: ReportPlaceRecord,
    entered: Values,
    address: string,
  ): Promise<{ follow: string; issue: AnnouncedIssue }> {
    const { type, problem, connector = null, contact, linked } = entered;
    const { deviceId } = place;
    await lockPlace(trx, place);
    // Reports that arrived at the same time have not counted each other before.
    await requireRoom(trx, place);
    const known = deviceId === null ? { alarms: [], issues: [] } : await listKnown(trx, { ...place, deviceId });
    const target = reportTarget({ type, connector }, known.alarms, known.issues);
    const joined = target !== null && 'issueId' in target ? await lockOpen(trx, target.issueId) : null;
    const origin: Origin | null =
      target !== null && 'alarmId' in target
        ? { alarmId: target.alarmId }
        : deviceId !== null
          ? { deviceId }
          : place.siteId !== null
            ? { siteId: place.siteId }
            : { customerId: place.customerId };
    const issue = joined ?? (await create(trx, origin, entered, address));
    const follow = randomBytes(FOLLOW_BYTES).toString('base64url');
    const id = await insertReport(trx, {
      ...{ sealed_follow_token: box.close(follow), follow_token_hash: tokenHash(follow) },
      ...{ issue_id: issue.id, request_key: entered.requestKey, device_id: deviceId, site_id: place.siteId },
      ...{ site_name: linked ? place.siteName : null, device_name: linked ? place.deviceName : null },
      ...{ connector, sn: entered.sn, place: entered.place, type, description: problem, locale: entered.locale },
      ...{ contact, had_contact: contact !== null, joined: joined !== null },
      notify: (entered.notify ?? true) && contact !== null && isMailAddress(contact),
    });
    if (joined) {
      await insertForeignComment(trx, {
        issue_id: joined.id,
        body: contentOfText(problem),
        data: { reportId: id, message: 0 },
      });
      await touchIssues(trx, [joined.id]);
      const userIds = await followersOf(trx, joined.id);
      await announceAnswer(trx, joined, 'reported', id, { userIds });
    } else await announceReported(trx, issue, await listSiteReceivers(trx, issue.siteId));
    return { follow, issue };
  }

  async function create(
    trx: Kysely<Database>,
    origin: Origin,
    { type, problem, writtenAt }: Values,
    address: string,
  ): Promise<AnnouncedIssue> {
    const now = clock.now();
    const subject = await subjectOf(trx, origin);
    const written = writtenAt === undefined ? now : new Date(writtenAt);
    const values = {
      ...{ title: reportTitle(problem), type, priority: ISSUE_PRIORITIES[subject.level ?? 'OA'] },
      ...{ body: contentOfText(problem), labels: [], assigneeId: null, dueAt: null },
      // A wrong clock of a phone makes no issue of tomorrow.
      occurredAt: subject.at ?? (written < now ? written : now),
    };
    const nobody = { userId: null, userName: '' } as const;
    const issue = await insertIssue(trx, nobody, subject, values, { origin: 'report' }, now);
    await logIssue(trx, { ...nobody, address }, issue, { after: { title: values.title, type } }, 'new');
    return issue;
  }
}

/**
 * Locks an issue that a report joins, or the one that it was merged into meanwhile; null when it was closed meanwhile.
 * The issues on the way are not locked, so that merging them does not end in a deadlock.
 */
async function lockOpen(trx: Kysely<Database>, id: number): Promise<AnnouncedIssue | null> {
  for (let open: number | null = id; open !== null; open = await openRootOf(trx, id)) {
    const issue = await lockUnclosed(trx, open);
    if (issue) return issue;
  }
  return null;
}

/** A contact as it is stored. @throws {Problem} reportContact */
function enteredContact(entered: string | undefined): string | null {
  const contact = entered?.trim() ?? '';
  if (contact === '') return null;
  if (!isReporterContact(contact) || (contact.includes('@') && !isMailAddress(contact))) {
    throw new Problem('reportContact', { field: 'contact' });
  }
  return contact;
}
