import type { MessageType } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail, Mailer } from '../../platform/mail/mailer.ts';
import { mailTexts, type Templates } from '../channels/channel-texts.ts';
import { insertSends, type NewSend } from '../channels/sends.store.ts';
import { readTemplates } from '../channels/templates.store.ts';
import { aboutOf, issueOf, pathOf, recoveryTypeOf, shownAs } from './about.ts';
import { findCurrent } from './current.ts';
import {
  forgetMails,
  listReceived,
  lockDueMails,
  markWritten,
  nextMailAt,
  type Received,
  receivedBy,
} from './deliveries.store.ts';
import type { IncidentRecord } from './incidents.store.ts';
import { mailTextOf } from './message-texts.ts';
import { findNames, type Names } from './names.store.ts';
import type { Candidate } from './receivers.store.ts';
import { type Judge, judgeUsers } from './receivers.ts';

/** Mails of one transaction. */
const BATCH = 100;
/** The interval of checks, in case a notification was lost. Milliseconds. */
const CHECK_MS = 15_000;
const RETENTION_DAYS = 90;

export interface MailWriterParts {
  db: Kysely<Database>;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  /** ends the mails of some types for a user; undefined when they cannot be ended */
  unsubscribeUrl: (userId: number, types: readonly MessageType[]) => string | undefined;
  /** where a user replies to a mail about an issue; undefined when replies are not read */
  replyAddress: (userId: number, issueId: number) => string | undefined;
}

/** Writes planned mails to the outbox when they are due. */
export function mailWriter(parts: MailWriterParts): { start(): void; planned(): void; stop(): Promise<void> } {
  const { db, mailer, clock, log } = parts;
  let cancel = () => undefined as unknown;
  /** mails were planned, possibly during a run */
  let wanted = false;

  /** Writes due mails with the state and the rights of now. @returns true when there may be more */
  async function writeBatch(): Promise<boolean> {
    const now = clock.now();
    return await db.transaction().execute(async (trx) => {
      const due = await lockDueMails(trx, now, BATCH);
      if (due.length === 0) return false;
      const incidents = await findCurrent(trx, [...new Set(due.flatMap(({ incidentIds }) => incidentIds))]);
      const names = await findNames(trx, incidents);
      const users = due.map(({ userId }) => userId);
      const judge = await judgeUsers(
        trx,
        users,
        incidents.map(({ stored }) => aboutOf(stored)),
        now,
      );
      const incidentIds = incidents.map(({ id }) => id);
      const received = receivedBy(await listReceived(trx, incidentIds, users));
      const templates = await readTemplates(trx);
      const receivers = new Map(judge.candidates.map((candidate) => [candidate.id, candidate]));
      const wantedMails = due.flatMap(({ id, userId, incidentIds: chosen }) => {
        const user = receivers.get(userId);
        if (!user?.email) return [];
        const typeOf = (one: IncidentRecord) => received(userId, one.id)?.type ?? one.type;
        const about = incidents
          .filter((one) => chosen.includes(one.id) && isWanted(judge, user, one.stored, received(userId, one.id)))
          .map((one) => shownAs(one, typeOf(one)));
        const types = about.map((one) => (one.closedAt === null ? one.type : recoveryTypeOf(one)));
        if (about.length === 0) return [];
        const to = { ...user, email: user.email };
        try {
          const mail = mailer.write(mailOf(parts, to, about, types, names, templates));
          return [{ id, user: to, about, types, mail }];
        } catch (err) {
          // It would fail again each time, and every other mail would wait for it.
          log.error({ err, user: userId, mail: id }, 'a mail about messages could not be built and is left out');
          return [];
        }
      });
      const mailIds = await mailer.queueAll(
        trx,
        wantedMails.map(({ mail }) => mail),
      );
      const written = new Map(wantedMails.map(({ id }, index) => [id, mailIds[index]!]));
      await markWritten(
        trx,
        due.map(({ id }) => ({ id, mailId: written.get(id) ?? null })),
        now,
      );
      const sends = wantedMails.map(
        ({ user, about, types }, index): NewSend => ({
          ...{ channel: 'email', customerId: user.ownCustomerId, userId: user.id, receiver: user.email },
          ...{ mailId: mailIds[index]!, type: types[0]!, incidentId: about[0]!.id, dueAt: null },
        }),
      );
      await insertSends(trx, sends);
      return due.length === BATCH;
    });
  }

  const job = clock.repeat(
    async (signal) => {
      await clock.deleteOld('messageMails', (now) => forgetMails(db, RETENTION_DAYS, now));
      do {
        wanted = false;
        while ((await writeBatch()) && !signal.aborted);
        cancel();
        const next = await nextMailAt(db);
        const wait = next === null ? CHECK_MS : next.getTime() - clock.now().getTime();
        if (wait < CHECK_MS) cancel = clock.after(Math.max(0, wait), planned);
      } while (wanted && !signal.aborted);
    },
    {
      job: 'messageMails',
      everyMs: CHECK_MS,
      log,
      failed: 'mails about messages could not be written; trying again',
      again: 'mails about messages are written again',
    },
  );

  function planned(): void {
    wanted = true;
    job.wake();
  }

  return {
    start: job.startLater,
    planned,
    async stop() {
      await job.stop();
      cancel();
    },
  };
}

/** The mail about some incidents, as they are now. */
function mailOf(
  { mailer, unsubscribeUrl, replyAddress }: MailWriterParts,
  user: Candidate & { email: string },
  about: readonly IncidentRecord[],
  types: readonly MessageType[],
  names: Names,
  templates: Templates,
): Mail {
  const url = mailer.urlOf(pathOf(about));
  const issueId = issueOf(about);
  const replyTo = issueId === null ? undefined : replyAddress(user.id, issueId);
  const { linkLabel, ...text } = mailTextOf(
    about,
    { ...user, replies: replyTo !== undefined },
    names,
    mailTexts(templates, user.locale, names, url),
  );
  const ending = unsubscribeUrl(user.id, types);
  return {
    ...text,
    receiver: user.email,
    locale: user.locale,
    link: { label: linkLabel, url },
    ...(ending === undefined ? {} : { unsubscribeUrl: ending }),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

/**
 * True when a user may and wants to receive a mail about an incident now, as it is now. `received` is what they were
 * notified of.
 */
function isWanted(judge: Judge, user: Candidate, incident: IncidentRecord, received: Received | undefined): boolean {
  const about = { ...aboutOf(incident), escalated: true };
  const types = [
    ...[incident.type, received?.type ?? incident.type],
    ...(incident.closedAt === null ? [] : [recoveryTypeOf(incident)]),
  ];
  return types.some((type) => judge.decide(user, { ...about, type }, received).mailAt !== null);
}
