import { type MessageType, RECOVERY_SETTLE_MS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { listenTo } from '../../platform/database/connections/listen.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { Events } from '../../ports/events.ts';
import { webhookSends } from '../channels/channel-content.ts';
import { changedTexts } from '../channels/channel-texts.ts';
import { insertSends, type NewSend, planPushes } from '../channels/sends.store.ts';
import { readTemplates } from '../channels/templates.service.ts';
import { aboutOf, pathOf, recoveryTypeOf } from './about.ts';
import {
  type DueMail,
  findNames,
  findReceivers,
  forgetMails,
  lockDueMails,
  markWritten,
  nextMailAt,
  planMails,
  storeMessages,
} from './deliveries.store.ts';
import { groupNotices } from './group-notices.ts';
import {
  closeRecovered,
  findIncidents,
  forgetIncidents,
  type IncidentRecord,
  takeTurn,
  takeUnacknowledged,
} from './incidents.store.ts';
import { mailTextOf } from './message-texts.ts';
import type { Candidate } from './receivers.store.ts';
import { type About, type Judge, judgeFor, judgeUsers } from './receivers.ts';

/** Notices, incidents and mails of one transaction. */
const BATCH = 500;
const MAILS = 100;
/** The first mail about a site waits this long for what belongs to it. Milliseconds. */
const SETTLE_MS = 2_000;
/** The minimum time between two mails to a user about the same site. Milliseconds. */
const MAIL_PAUSE_MS = 5 * 60_000;
/** The interval of recovery and escalation, and of notices whose notification was lost. Milliseconds. */
const CHECK_MS = 15_000;
const RETENTION_DAYS = 90;

export interface WorkerParts {
  db: Kysely<Database>;
  pool: pg.Pool;
  events: Events;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  /** ends the mails of some types for a user; undefined when they cannot be ended */
  unsubscribeUrl: (userId: number, types: readonly MessageType[]) => string | undefined;
  /** where a user replies to a mail about an issue; undefined when replies are not read */
  replyAddress: (userId: number, issueId: number) => string | undefined;
}

/**
 * Turns notices into incidents, incidents into messages, and messages into mails. Each step is a transaction that
 * removes its input, so a killed process repeats nothing and loses nothing.
 */
export function messageWorker(parts: WorkerParts): { start(): void; stop(): Promise<void> } {
  const { db, pool, events, mailer, clock, log, unsubscribeUrl, replyAddress } = parts;
  let cancel = () => undefined as unknown;
  let listening: ReturnType<typeof listenTo> | undefined;
  /** notices arrived, possibly during a run */
  let wanted = false;

  /** @returns true when there may be more */
  async function takeBatch(): Promise<boolean> {
    const now = clock.now();
    const { taken, touched } = await db.transaction().execute(async (trx) => {
      if (!(await takeTurn(trx))) return { taken: 0, touched: [] as number[] };
      const grouped = await groupNotices(trx, BATCH);
      const receivers = await notify(trx, grouped.alerts, now);
      const others = grouped.changed.length > 0 ? await findReceivers(trx, grouped.changed) : [];
      return { taken: grouped.taken, touched: [...receivers, ...others] };
    });
    publish(touched);
    return taken === BATCH;
  }

  /** Gives everybody who may see the incidents their message, and plans the mails. @returns the receivers */
  async function notify(trx: Kysely<Database>, incidents: readonly IncidentRecord[], now: Date): Promise<number[]> {
    if (incidents.length === 0) return [];
    const about = incidents.map((incident) => aboutOf(incident));
    const started = incidents.map((incident) => ({ incident, type: incident.type }));
    await insertSends(trx, await webhookSends(trx, started, new Date(now.getTime() + SETTLE_MS)));
    return await deliver(trx, incidents, about, await judgeFor(trx, about, now), now);
  }

  async function deliver(
    trx: Kysely<Database>,
    incidents: readonly IncidentRecord[],
    about: readonly About[],
    judge: Judge,
    now: Date,
    receives: (userId: number, about: About) => boolean = () => true,
  ): Promise<number[]> {
    const messages: { userId: number; incidentId: number }[] = [];
    const mails: DueMail[] = [];
    const pushes: Parameters<typeof planPushes>[1][number][] = [];
    for (const [index, incident] of incidents.entries()) {
      const one = about[index]!;
      for (const candidate of judge.candidates) {
        if (!receives(candidate.id, one)) continue;
        const { inApp, mailAt, pushAt } = judge.decide(candidate, one);
        const message = { userId: candidate.id, incidentId: incident.id };
        if (inApp) messages.push(message);
        const settled = (at: number) => new Date(Math.max(at, now.getTime() + SETTLE_MS));
        if (pushAt !== null) pushes.push({ ...message, type: one.type, dueAt: settled(pushAt) });
        if (mailAt === null) continue;
        const dueAt = settled(mailAt);
        mails.push({ ...message, thread: threadOf(incident), dueAt });
      }
    }
    await storeMessages(trx, messages);
    await planMails(trx, mails, MAIL_PAUSE_MS);
    await planPushes(trx, pushes);
    return messages.map(({ userId }) => userId);
  }

  /** Announces recoveries that are certain. */
  async function closeBatch(): Promise<boolean> {
    const now = clock.now();
    const { closed, touched } = await db.transaction().execute(async (trx) => {
      const incidents = await closeRecovered(trx, new Date(now.getTime() - RECOVERY_SETTLE_MS), now, BATCH);
      if (incidents.length === 0) return { closed: 0, touched: [] };
      const receivers = await findReceivers(
        trx,
        incidents.map(({ id }) => id),
      );
      const about = incidents.map((incident) => ({ ...aboutOf(incident), type: recoveryTypeOf(incident) }));
      const judge = await judgeFor(trx, about, now);
      const mails: DueMail[] = [];
      const pushes: Parameters<typeof planPushes>[1][number][] = [];
      for (const [index, incident] of incidents.entries()) {
        // The users who register devices see that none is waiting any more.
        if (incident.type === 'waitingDevice') continue;
        for (const candidate of judge.candidates) {
          const { mailAt, pushAt } = judge.decide(candidate, about[index]!);
          const { type } = about[index]!;
          if (pushAt !== null) {
            const dueAt = new Date(Math.max(pushAt, now.getTime() + SETTLE_MS));
            pushes.push({ userId: candidate.id, incidentId: incident.id, type, dueAt });
          }
          if (mailAt === null) continue;
          const dueAt = new Date(Math.max(mailAt, now.getTime() + SETTLE_MS));
          mails.push({ userId: candidate.id, incidentId: incident.id, thread: threadOf(incident), dueAt });
        }
      }
      await planMails(trx, mails, MAIL_PAUSE_MS);
      await planPushes(trx, pushes);
      const over = incidents.filter((incident) => recoveryTypeOf(incident) === 'recovery');
      const recovered = over.map((incident) => ({ incident, type: 'recovery' as const }));
      await insertSends(trx, await webhookSends(trx, recovered, new Date(now.getTime() + SETTLE_MS)));
      return { closed: incidents.length, touched: receivers };
    });
    publish(touched);
    return closed === BATCH;
  }

  /** Passes faults that nobody took on to the substitutes on duty. */
  async function escalateBatch(): Promise<boolean> {
    const now = clock.now();
    const { passed, touched } = await db.transaction().execute(async (trx) => {
      const incidents = await takeUnacknowledged(trx, now, BATCH);
      if (incidents.length === 0) return { passed: 0, touched: [] };
      const before = incidents.map((incident) => aboutOf(incident));
      const about = before.map((one) => ({ ...one, escalated: true }));
      const judge = await judgeFor(trx, about, now);
      const added = (userId: number, one: About) =>
        judge.duty(one).has(userId) && !judge.duty({ ...one, escalated: false }).has(userId);
      return { passed: incidents.length, touched: await deliver(trx, incidents, about, judge, now, added) };
    });
    publish(touched);
    return passed === BATCH;
  }

  /** Writes due mails to the outbox, with the state and the rights of now. */
  async function writeMails(): Promise<boolean> {
    const now = clock.now();
    return await db.transaction().execute(async (trx) => {
      const due = await lockDueMails(trx, now, MAILS);
      if (due.length === 0) return false;
      const incidents = await findIncidents(trx, [...new Set(due.flatMap(({ incidentIds }) => incidentIds))]);
      const names = await findNames(
        trx,
        incidents.flatMap(({ devices }) => devices),
        incidents.flatMap(({ siteId }) => siteId ?? []),
      );
      const users = due.map(({ userId }) => userId);
      const judge = await judgeUsers(trx, users, incidents.map(aboutOf), now);
      const templates = await readTemplates(trx);
      const written: { id: number; mailId: number | null }[] = [];
      const sends: NewSend[] = [];
      for (const mail of due) {
        const user = judge.candidates.find(({ id }) => id === mail.userId);
        const wanted = incidents.filter(
          (incident) => user && mail.incidentIds.includes(incident.id) && isWanted(judge, user, incident),
        );
        if (!user?.email || wanted.length === 0) {
          written.push({ id: mail.id, mailId: null });
          continue;
        }
        const url = mailer.urlOf(pathOf(wanted));
        const [only] = wanted;
        const isOfIssue = only?.subjectKind === 'issue' && wanted.length === 1;
        const replyTo = isOfIssue ? replyAddress(user.id, Number(only.subjectId)) : undefined;
        const { linkLabel, ...text } = mailTextOf(
          wanted,
          { ...user, replies: replyTo !== undefined },
          names,
          changedTexts(templates, user.locale, names, url),
        );
        const types = wanted.map((incident) => (incident.closedAt === null ? incident.type : recoveryTypeOf(incident)));
        const ending = unsubscribeUrl(user.id, types);
        const mailId = await mailer.queue(trx, {
          ...text,
          receiver: user.email,
          locale: user.locale,
          link: { label: linkLabel, url },
          ...(ending === undefined ? {} : { unsubscribeUrl: ending }),
          ...(replyTo === undefined ? {} : { replyTo }),
        });
        written.push({ id: mail.id, mailId });
        sends.push({
          ...{ channel: 'email', customerId: user.ownCustomerId, userId: user.id, mailId, receiver: user.email },
          ...{ type: types[0]!, incidentId: wanted[0]!.id, dueAt: null },
        });
      }
      await markWritten(trx, written, now);
      await insertSends(trx, sends);
      return due.length === MAILS;
    });
  }

  function publish(userIds: readonly number[]): void {
    for (const id of new Set(userIds)) events.publish('message.changed', { id, payload: null }, { userId: id });
  }

  const job = clock.repeat(
    async (signal) => {
      do {
        wanted = false;
        for (const step of [takeBatch, closeBatch, escalateBatch, writeMails]) {
          while ((await step()) && !signal.aborted);
        }
      } while (wanted && !signal.aborted);
      await forgetIncidents(db, RETENTION_DAYS, BATCH);
      await forgetMails(db, RETENTION_DAYS);
      cancel();
      const next = await nextMailAt(db);
      const wait = next === null ? CHECK_MS : next.getTime() - clock.now().getTime();
      if (wait < CHECK_MS) cancel = clock.after(Math.max(0, wait), job.wake);
    },
    {
      everyMs: CHECK_MS,
      log,
      failed: 'messages could not be processed; trying again',
      again: 'messages are processed again',
    },
  );

  return {
    start() {
      job.startLater();
      listening = listenTo(pool, 'notices', {
        log,
        onNotification() {
          wanted = true;
          job.wake();
        },
      });
    },
    async stop() {
      cancel();
      await listening?.stop();
      await job.stop();
    },
  };
}

/** True when a user may and wants to receive a mail about an incident now, as it is now. */
function isWanted(judge: Judge, user: Candidate, incident: IncidentRecord): boolean {
  const about = { ...aboutOf(incident), escalated: true };
  const types = incident.closedAt === null ? [incident.type] : [incident.type, recoveryTypeOf(incident)];
  return types.some((type) => judge.decide(user, { ...about, type }).mailAt !== null);
}

/** Incidents of one site share mails. Others have their own, so that nobody waits for news about an account. */
function threadOf({ id, siteId }: IncidentRecord): string {
  return siteId === null ? `incident ${id}` : `site ${siteId}`;
}
