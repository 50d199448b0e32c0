import { type MailTime, OTHER_CAUSES, urgencyOf, worstFirst } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { listenTo } from '../../platform/database/connections/listen.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Events } from '../../ports/events.ts';
import { type PlannedPush, planPushes } from '../channels/sends.store.ts';
import { callAboutRecovery, callWebhooks } from '../channels/webhooks/webhook-sends.ts';
import { aboutOf, recoveryTypeOf } from './about.ts';
import {
  type DueMail,
  findReceivers,
  findUnnotified,
  listReceived,
  planMails,
  type Received,
  storeMessages,
  storeReceivers,
} from './deliveries.store.ts';
import { type Alert, type AnnouncedCause, groupNotices, type JoinedFaults, releaseHeld } from './group-notices.ts';
import {
  closeRecovered,
  forgetIncidents,
  type IncidentRecord,
  takeTurn,
  takeUnacknowledged,
} from './incidents.store.ts';
import { type MailWriterParts, mailWriter } from './mail-writer.ts';
import type { Candidate } from './receivers.store.ts';
import { type About, type Judge, judgeFor, judgeUsers } from './receivers.ts';

/** Notices and incidents of one transaction. */
const BATCH = 500;
/** The first mail about a site waits this long for what belongs to it. Milliseconds. */
const SETTLE_MS = 2_000;
/** The interval of recovery and escalation, and of notices whose notification was lost. Milliseconds. */
const CHECK_MS = 15_000;
const RETENTION_DAYS = 90;

export interface WorkerParts extends MailWriterParts {
  pool: pg.Pool;
  events: Events;
}

/**
 * Turns notices into incidents, and incidents into messages and planned mails. Another job writes the mails, so that
 * later notices do not wait for them. Each step is a transaction that removes its input, so a killed process repeats
 * nothing and loses nothing.
 */
export function messageWorker(parts: WorkerParts): { start(): void; stop(): Promise<void> } {
  const { db, pool, events, clock, log } = parts;
  let listening: ReturnType<typeof listenTo> | undefined;
  /** notices arrived, possibly during a run */
  let wanted = false;

  /** @returns true when there may be more */
  async function takeBatch(): Promise<boolean> {
    const now = clock.now();
    const { taken, touched } = await db.transaction().execute(async (trx) => {
      if (!(await takeTurn(trx))) return { taken: 0, touched: [] as number[] };
      const grouped = await groupNotices(trx, BATCH);
      await callWebhooks(trx, grouped, new Date(now.getTime() + SETTLE_MS));
      const receivers = [
        ...(await notify(trx, grouped.alerts, now)),
        ...(await notifyOthers(trx, grouped.faults, now)),
      ];
      const others = grouped.changed.length > 0 ? await findReceivers(trx, grouped.changed) : [];
      return { taken: grouped.taken, touched: [...receivers, ...others] };
    });
    if (taken > 0) announce(touched);
    return taken === BATCH;
  }

  /** Announces what was held back when the limits of the sites allow it again. */
  async function releaseBatch(): Promise<boolean> {
    const now = clock.now();
    const { released, touched } = await db.transaction().execute(async (trx) => {
      if (!(await takeTurn(trx))) return { released: 0, touched: [] as number[] };
      const alerts = await releaseHeld(trx, now, BATCH);
      await callWebhooks(trx, { alerts, faults: [] }, new Date(now.getTime() + SETTLE_MS));
      return { released: alerts.length, touched: await notify(trx, alerts, now) };
    });
    if (released > 0) announce(touched);
    return released === BATCH;
  }

  /** Gives everybody who may see the incidents their message, and plans the mails. @returns the receivers */
  async function notify(trx: Kysely<Database>, alerts: readonly Alert[], now: Date): Promise<number[]> {
    if (alerts.length === 0) return [];
    const judge = await judgeFor(
      trx,
      alerts.map(({ incident }) => aboutOf(incident)),
      now,
    );
    return await deliver(trx, everybody(alerts, judge), judge, now);
  }

  /**
   * Notifies users of faults that began or went on in an incident of which they were not notified, or not of their cause,
   * because they had muted its devices or turned off its type: as if the first fault that they want were an incident of its
   * own.
   */
  async function notifyOthers(trx: Kysely<Database>, joined: readonly JoinedFaults[], now: Date): Promise<number[]> {
    if (joined.length === 0) return [];
    const others = await findUnnotified(
      trx,
      joined.flatMap(({ incident, faults }) =>
        [...new Set(faults.map((fault) => nameIn(incident, fault.cause)))].map((cause) => ({
          ...{ incidentId: incident.id, cause },
          announced: incident.causes[cause]?.announcedAt != null,
        })),
      ),
    );
    if (others.length === 0) return [];
    const userIds = [...new Set(others.map(({ userId }) => userId))];
    const everything = joined.map(({ incident }) => aboutOf(incident));
    const judge = await judgeUsers(trx, userIds, everything, now);
    const candidates = new Map(judge.candidates.map((candidate) => [candidate.id, candidate]));
    const byIncident = new Map(joined.map((one) => [one.incident.id, one]));
    const deliveries = new Map<string, Planned>();
    for (const { userId, incidentId, cause } of others) {
      const candidate = candidates.get(userId);
      const one = byIncident.get(incidentId);
      if (!candidate || !one) continue;
      const { incident, faults } = one;
      const about = faults
        .filter((fault) => nameIn(incident, fault.cause) === cause)
        .map(({ type, deviceId }) => ({ ...aboutOf(incident), type, devices: deviceId === null ? [] : [deviceId] }))
        .find((fault) => judge.decide(candidate, fault).refusal === null);
      if (!about) continue;
      const known = deliveries.get(`${userId} ${incidentId}`);
      const urgency = urgencyOf(incident.causes[cause]?.level ?? incident.level);
      // The worst fault is the one that they read about.
      const worst = known && known.urgency >= urgency ? known : { candidate, incident, about, urgency };
      const causes = [...(known?.causes ?? []), cause];
      deliveries.set(`${userId} ${incidentId}`, { ...worst, causes, critical: worst.urgency === urgencyOf('CA') });
    }
    return await deliver(trx, deliveries.values(), judge, now);
  }

  async function deliver(
    trx: Kysely<Database>,
    deliveries: Iterable<Planned>,
    judge: Judge,
    now: Date,
  ): Promise<number[]> {
    const receivers: Received[] = [];
    const messages: { userId: number; incidentId: number }[] = [];
    const mails: DueMail[] = [];
    const pushes: PlannedPush[] = [];
    for (const { candidate, incident, about, causes, urgency, critical } of deliveries) {
      const { refusal, source, inApp, mail, mailAt, pushAt } = judge.decide(candidate, about);
      if (refusal !== null) continue;
      const { type } = about;
      const message = { userId: candidate.id, incidentId: incident.id };
      receivers.push({ ...message, type, onDuty: source === 'onCall', causes });
      if (inApp) messages.push(message);
      if (pushAt !== null) pushes.push({ ...message, type, dueAt: settled(pushAt, now) });
      if (mailAt === null) continue;
      const due = { thread: threadOf(incident, mail), dueAt: settled(mailAt, now) };
      mails.push({ ...message, ...due, urgency, critical });
    }
    await storeReceivers(trx, receivers);
    await storeMessages(trx, messages);
    await planMails(trx, mails, now);
    await planPushes(trx, pushes);
    return messages.map(({ userId }) => userId);
  }

  /** Announces recoveries that are certain, to the users who were notified of the incident. */
  async function closeBatch(): Promise<boolean> {
    const now = clock.now();
    const { closed, touched } = await db.transaction().execute(async (trx) => {
      const incidents = await closeRecovered(trx, now, BATCH);
      if (incidents.length === 0) return { closed: 0, touched: [] };
      const ids = incidents.map(({ id }) => id);
      const receivers = await findReceivers(trx, ids);
      const received = await listReceived(trx, ids);
      const about = new Map(incidents.map((one) => [one.id, { ...aboutOf(one), type: recoveryTypeOf(one) }]));
      const userIds = [...new Set(received.map(({ userId }) => userId))];
      const judge = await judgeUsers(trx, userIds, [...about.values()], now);
      const mails: DueMail[] = [];
      const pushes: PlannedPush[] = [];
      for (const { candidate, incident, received: known } of pairsOf(incidents, judge.candidates, received)) {
        // The users who register devices see that none is waiting any more.
        if (incident.type === 'waitingDevice') continue;
        const one = about.get(incident.id)!;
        const { mail, mailAt, pushAt } = judge.decide(candidate, one, known);
        const message = { userId: candidate.id, incidentId: incident.id };
        if (pushAt !== null) pushes.push({ ...message, type: one.type, dueAt: settled(pushAt, now) });
        if (mailAt === null) continue;
        const due = { thread: threadOf(incident, mail), dueAt: settled(mailAt, now) };
        mails.push({ ...message, ...due, urgency: 0, critical: false });
      }
      await planMails(trx, mails, now);
      await planPushes(trx, pushes);
      const over = incidents.filter((incident) => recoveryTypeOf(incident) === 'recovery');
      await callAboutRecovery(trx, over, new Date(now.getTime() + SETTLE_MS));
      return { closed: incidents.length, touched: receivers };
    });
    if (closed > 0) announce(touched);
    return closed === BATCH;
  }

  /** Passes faults that nobody took on to the substitutes on duty. */
  async function escalateBatch(): Promise<boolean> {
    const now = clock.now();
    const { passed, touched } = await db.transaction().execute(async (trx) => {
      const incidents = await takeUnacknowledged(trx, now, BATCH);
      if (incidents.length === 0) return { passed: 0, touched: [] };
      const about = incidents.map((incident) => aboutOf(incident));
      const judge = await judgeFor(trx, about, now);
      const passedOn = incidents.map((incident): Alert => ({ incident, causes: openCauses(incident), critical: true }));
      const added = everybody(passedOn, judge).filter(
        ({ candidate: { id }, about: one }) =>
          judge.duty(one).has(id) && !judge.duty({ ...one, escalated: false }).has(id),
      );
      return { passed: incidents.length, touched: await deliver(trx, added, judge, now) };
    });
    if (passed > 0) announce(touched);
    return passed === BATCH;
  }

  /** Call after the commit of messages and planned mails. */
  function announce(userIds: readonly number[]): void {
    writer.planned();
    for (const id of new Set(userIds)) events.publish('message.changed', { id, payload: null }, { userId: id });
  }

  const job = clock.repeat(
    async (signal) => {
      await clock.deleteOld('messages', (now) => forgetIncidents(db, RETENTION_DAYS, now, BATCH));
      do {
        wanted = false;
        for (const step of [takeBatch, releaseBatch, closeBatch, escalateBatch]) {
          while ((await step()) && !signal.aborted);
        }
      } while (wanted && !signal.aborted);
    },
    {
      job: 'messages',
      everyMs: CHECK_MS,
      log,
      failed: 'messages could not be processed; trying again',
      again: 'messages are processed again',
    },
  );

  const writer = mailWriter(parts);

  return {
    start() {
      job.startLater();
      writer.start();
      listening = listenTo(pool, 'notices', {
        log,
        onNotification() {
          wanted = true;
          job.wake();
        },
      });
    },
    async stop() {
      await listening?.stop();
      await job.stop();
      await writer.stop();
    },
  };
}

/** What is sent then, but not before everything that belongs to it has arrived. */
function settled(at: number, now: Date): Date {
  return new Date(Math.max(at, now.getTime() + SETTLE_MS));
}

/** The incidents with the candidates who were notified of them. */
function* pairsOf(
  incidents: readonly IncidentRecord[],
  candidates: readonly Candidate[],
  received: readonly Received[],
): Generator<{ candidate: Candidate; incident: IncidentRecord; received: Received }> {
  const byId = new Map(incidents.map((one) => [one.id, one]));
  const users = new Map(candidates.map((one) => [one.id, one]));
  for (const one of received) {
    const [candidate, incident] = [users.get(one.userId), byId.get(one.incidentId)];
    if (candidate && incident) yield { candidate, incident, received: one };
  }
}

/** What a user may be notified of. */
interface Planned {
  candidate: Candidate;
  incident: IncidentRecord;
  /** what decides about it */
  about: About;
  causes: string[];
  urgency: number;
  critical: boolean;
}

/** Each candidate with each alert: the worst cause that they want decides. */
function* everybody(alerts: readonly Alert[], judge: Judge): Generator<Planned> {
  for (const { incident, causes, critical } of alerts) {
    const whole = aboutOf(incident);
    const names = causes.map(({ name }) => name);
    const abouts = causes.map(({ type, devices, level }) => ({ about: { ...whole, type, devices }, level }));
    for (const candidate of judge.candidates) {
      const wanted = abouts.find(({ about }) => judge.decide(candidate, about).refusal === null) ??
        abouts[0] ?? { about: whole, level: incident.level };
      yield {
        ...{ candidate, incident, about: wanted.about, causes: names, urgency: urgencyOf(wanted.level) },
        critical: critical && (causes.length === 0 || wanted.level === 'CA'),
      };
    }
  }
}

/** The causes of an incident that go on, the worst first. */
function openCauses({ causes }: IncidentRecord): AnnouncedCause[] {
  const open = Object.entries(causes).flatMap(([name, cause]) => (cause.open > 0 ? [{ ...cause, name }] : []));
  return worstFirst(open);
}

/** The cause of an incident to which an alarm with a cause belongs. */
function nameIn({ causes }: IncidentRecord, cause: string): string {
  return cause in causes ? cause : OTHER_CAUSES;
}

/**
 * A user has one digest per day. Other mails are shared by the incidents of a site; incidents without a site have their
 * own, so that nobody waits for news about an account.
 */
function threadOf({ id, siteId }: IncidentRecord, mail: MailTime): string {
  if (mail === 'digest') return 'digest';
  return siteId === null ? `incident ${id}` : `site ${siteId}`;
}
