import type { messageEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import { type IssueMessageType, type MessageType, SITE_ACCESS, type SiteTie } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { readIssueReceivers } from '../../issues/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Candidate } from '../incidents/receivers.store.ts';
import { type About, type Judge, judgeUsers } from '../incidents/receivers.ts';
import { findAbout, findPlace } from './reasons.store.ts';

type Endpoints = typeof messageEndpoints;
type Reason = ResultOf<Endpoints['explainInbox']>;
export type ReasonsService = ReturnType<typeof reasonsService>;

/** Why the caller is notified or not: by the same function that decides when a message is sent. */
export function reasonsService({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  return {
    async ofDevice(caller: Caller, { type, deviceId }: QueryOf<Endpoints['explainInbox']>): Promise<Reason> {
      const place = await findPlace(caller.scope, db, { kind: 'device', id: deviceId });
      if (!place) throw notFound('device');
      return (await decide(caller, aboutPlace(type, place, [deviceId]))).reason;
    },

    /** Of a message about the whole site, such as an outage of several devices. */
    async ofSite(caller: Caller, siteId: number, type: MessageType): Promise<ResultOf<Endpoints['explainSite']>> {
      const place = await findPlace(caller.scope, db, { kind: 'site', id: siteId });
      if (!place) throw notFound('site');
      const about = aboutPlace(type, place, []);
      const { reason, judge, user } = await decide(caller, about);
      return { ...reason, ties: user ? siteTies(judge, user, about) : [] };
    },

    /** Of a message for the users who take part in an issue. */
    async ofIssue(caller: Caller, id: number, type: IssueMessageType): Promise<ResultOf<Endpoints['explainIssue']>> {
      const issue = await readIssueReceivers(db, caller, id);
      if (!issue) throw notFound('issue');
      const { deviceId, receivers, ties } = issue;
      const about = aboutPlace(type, issue, deviceId === null ? [] : [deviceId]);
      return { ...(await decide(caller, { ...about, userIds: receivers[type] })).reason, ties };
    },

    /** Of a message that the caller has. */
    async ofMessage(caller: Caller, id: number): Promise<ResultOf<Endpoints['explainMessage']>> {
      const about = await findAbout(db, caller.userId, id);
      if (!about) throw notFound('message');
      const { reason } = await decide(caller, about);
      return { ...reason, named: about.userIds !== null, escalated: about.escalated };
    },
  };

  async function decide({ userId }: Caller, about: About): Promise<{ reason: Reason; judge: Judge; user?: Candidate }> {
    const judge = await judgeUsers(db, [userId], [about], clock.now());
    const [user] = judge.candidates;
    if (!user) {
      const none = { mail: 'off', mailAt: null, push: 'off', pushAt: null } as const;
      return { judge, reason: { refusal: 'inactive', source: null, inApp: false, ...none } };
    }
    const { mailAt, pushAt, ...decision } = judge.decide(user, about);
    const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());
    return { judge, user, reason: { ...decision, mailAt: timeOf(mailAt), pushAt: timeOf(pushAt) } };
  }
}

function aboutPlace(
  type: MessageType,
  { customerId, siteId }: Pick<About, 'customerId' | 'siteId'>,
  devices: readonly number[],
): About {
  return { type, customerId, siteId, devices, actorId: null, userIds: null, escalated: false };
}

function siteTies(judge: Judge, user: Candidate, about: About): SiteTie[] {
  const isIn = (sites: readonly number[]) => about.siteId !== null && sites.includes(about.siteId);
  const onDuty = judge.duty(about).has(user.id);
  const ties: Record<SiteTie, boolean> = {
    assigned: !user.root && user.siteAccess === SITE_ACCESS.assigned && isIn(user.assignedSiteIds),
    receiver: isIn(user.receiverOf),
    onDuty,
    substitute: !onDuty && judge.duty({ ...about, escalated: true }).has(user.id),
  };
  return (Object.keys(ties) as SiteTie[]).filter((tie) => ties[tie]);
}
