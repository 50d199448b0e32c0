import {
  DEFAULT_ZONE,
  type Delivery,
  decideDelivery,
  inScope,
  isFaultType,
  isForVendor,
  keysOfMessage,
  type MessageType,
  minuteOfDayIn,
  onDuty,
  permits,
  type ReceiverFacts,
  scopeOf,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Received } from './deliveries.store.ts';
import { type Candidate, findCandidates, findShifts, type PlacedShift } from './receivers.store.ts';

/** What a message is about, as far as its receivers depend on it. */
export interface About {
  type: MessageType;
  customerId: number | null;
  siteId: number | null;
  devices: readonly number[];
  actorId: number | null;
  userIds: readonly number[] | null;
  /** it was passed to the substitutes */
  escalated: boolean;
}

/** Decides about the messages of candidates at one time. */
export interface Judge {
  candidates: readonly Candidate[];
  /** `received`: what the candidate was notified of about the incident */
  decide(candidate: Candidate, about: About, received?: Pick<Received, 'onDuty'>): Delivery;
  /** the users on duty for a place */
  duty(about: About): Set<number>;
}

/** Everybody who may have to be notified of some incidents, by their rights and settings of now. */
export async function judgeFor(db: Kysely<Database>, about: readonly About[], now: Date): Promise<Judge> {
  const open = about.filter(({ userIds }) => userIds === null);
  const named = new Set(about.flatMap(({ userIds }) => userIds ?? []));
  const customers = new Set(open.map(({ customerId }) => customerId));
  const [everybody, users] = await Promise.all([
    open.length === 0
      ? []
      : findCandidates(
          db,
          { customerIds: customers.has(null) ? null : [...customers].filter((id) => id !== null) },
          now,
        ),
    named.size === 0 ? [] : findCandidates(db, { userIds: [...named] }, now),
  ]);
  const candidates = [...new Map([...everybody, ...users].map((one) => [one.id, one])).values()];
  return await judge(db, candidates, about, now);
}

/** Decides about the messages of some users only. */
export async function judgeUsers(
  db: Kysely<Database>,
  userIds: readonly number[],
  about: readonly About[],
  now: Date,
): Promise<Judge> {
  return await judge(db, await findCandidates(db, { userIds }, now), about, now);
}

async function judge(
  db: Kysely<Database>,
  candidates: readonly Candidate[],
  about: readonly About[],
  now: Date,
): Promise<Judge> {
  const customerIds = new Set(about.flatMap(({ customerId }) => customerId ?? []));
  const shifts = customerIds.size === 0 ? [] : await findShifts(db, [...customerIds], now);
  const minuteOfDay = minuteOfDayIn(DEFAULT_ZONE, now);
  const duty = (one: About) => dutyOf(shifts, one, now);
  return {
    candidates,
    duty,
    decide(candidate, one, received) {
      const facts = { ...factsOf(candidate, one, duty(one)), wasOnCall: received?.onDuty ?? false };
      return decideDelivery(one.type, facts, { now: now.getTime(), minuteOfDay });
    },
  };
}

function dutyOf(shifts: readonly PlacedShift[], about: About, now: Date): Set<number> {
  const here = shifts.filter(
    ({ customerId, siteId }) => customerId === about.customerId && (siteId === null || siteId === about.siteId),
  );
  return onDuty(here, now.getTime(), about.escalated);
}

function factsOf(user: Candidate, about: About, duty: ReadonlySet<number>): Omit<ReceiverFacts, 'wasOnCall'> {
  const { type, customerId, siteId, devices } = about;
  const setting = (settings: Candidate['own']) => settings[type] ?? null;
  return {
    active: user.active,
    actor: about.actorId === user.id,
    named: about.userIds === null || about.userIds.includes(user.id),
    inScope: customerId === null || inScope(scopeOf(user), { customerId, siteId }),
    permitted:
      permits({ root: user.root, keys: new Set(user.keys) }, keysOfMessage(type)) &&
      (user.vendor || !isForVendor(type)),
    muted:
      (isFaultType(type) || type === 'recovery') &&
      ((siteId !== null && user.mutedSites.includes(siteId)) ||
        (devices.length > 0 && devices.every((id) => user.mutedDevices.includes(id)))),
    hasAddress: user.email !== null,
    hasBrowser: user.browsers > 0,
    own: setting(user.own),
    role: setting(user.role),
    emailAlarm: user.emailAlarm,
    siteReceiver: siteId !== null && user.receiverOf.includes(siteId),
    onCall: duty.has(user.id),
    quiet: user.quietFrom === null || user.quietTo === null ? null : { from: user.quietFrom, to: user.quietTo },
    digestAt: user.digestAt,
  };
}
