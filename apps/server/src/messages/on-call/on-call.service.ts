import {
  type BodyOf,
  ON_CALL_DAYS,
  ON_CALL_SHIFTS,
  type onCallEndpoints,
  type QueryOf,
  type ResultOf,
} from '@chargehand/contract';
import {
  compareNaturally,
  ESCALATE_MINUTES,
  inScope,
  keysOfMessage,
  LONGEST_SHIFT_MS,
  permits,
  type ShiftFault,
  scopeOf,
  shiftFault,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Operation } from '../../ports/action-log.ts';
import { type Candidate, findCandidates } from '../incidents/receivers.store.ts';
import {
  copyShifts,
  customerNameOf,
  type DutyPlace,
  deleteShift,
  type EnteredShift,
  findEscalation,
  insertShift,
  isSiteOf,
  listShifts,
  lockSchedule,
  lockShift,
  namesOf,
  type ShiftRecord,
  saveEscalation,
  seenUsers,
  shiftsBeside,
  sitesOf,
  substitutesOf,
  updateShift,
} from './on-call.store.ts';

type Endpoints = typeof onCallEndpoints;
export type OnCallService = ReturnType<typeof onCallService>;

const FAULTS = {
  endsBeforeStart: () => new Problem('shiftEndsBeforeStart', { field: 'to' }),
  tooLong: () => new Problem('shiftTooLong', { field: 'to', values: { days: LONGEST_SHIFT_MS / 86_400_000 } }),
  sameSubstitute: () => new Problem('substituteSame', { field: 'substituteId' }),
  alreadyOnDuty: () => new Problem('alreadyOnDuty', { field: 'userId' }),
} as const satisfies Record<ShiftFault, () => Problem>;

/** Who is on duty for customers and sites, when, and with which substitute. */
export function onCallService(parts: { db: Kysely<Database>; clock: Clock }) {
  const { db, clock } = parts;

  /** The users who may open alarms of a place, of those that the caller sees. */
  const peopleOf = async (
    caller: Pick<Caller, 'scope'>,
    of: Kysely<Database>,
    { customerId, siteId }: DutyPlace,
  ): Promise<Candidate[]> => {
    const candidates = await findCandidates(of, { customerIds: [customerId] }, clock.now());
    const seen = await seenUsers(
      of,
      caller.scope,
      candidates.map(({ id }) => id),
    );
    return candidates.filter((user) => {
      const scope = scopeOf(user);
      // A shift for all sites of a customer needs a user who sees all of them.
      const sees = inScope(scope, { customerId, siteId }) && (siteId !== null || scope.sites === 'all');
      return (
        user.active &&
        sees &&
        seen.has(user.id) &&
        permits({ root: user.root, keys: new Set(user.keys) }, keysOfMessage('fault'))
      );
    });
  };

  /** @throws {Problem} siteUnknown, onDutyUnknown, substituteUnreachable, and for what is wrong with the times */
  const check = async (
    trx: Kysely<Database>,
    caller: Caller,
    customerId: number,
    shift: EnteredShift,
    before: ShiftRecord | null,
  ): Promise<void> => {
    const { siteId, userId, substituteId, from, to } = shift;
    await lockSchedule(trx, customerId);
    if (siteId !== null && !(await isSiteOf(trx, customerId, siteId))) {
      throw new Problem('siteUnknown', { field: 'siteId' });
    }
    const people = new Map((await peopleOf(caller, trx, { customerId, siteId })).map((user) => [user.id, user]));
    // Those who are on duty already stay, also when somebody else edits the shift who does not see them.
    const isKnown = (id: number) => people.has(id) || before?.user?.id === id || before?.substitute?.id === id;
    if (!isKnown(userId)) throw new Problem('onDutyUnknown', { field: 'userId' });
    if (substituteId !== null) {
      if (!isKnown(substituteId)) throw new Problem('onDutyUnknown', { field: 'substituteId' });
      const substitute = people.get(substituteId);
      if (substitute) await requireReachable(trx, substitute, 'substituteId');
    }
    const others = await shiftsBeside(trx, { customerId, siteId }, { from, to }, before?.id ?? null);
    const fault = shiftFault({ userId, substituteId, from: from.getTime(), to: to.getTime() }, others);
    if (fault) throw FAULTS[fault]();
  };

  /** Nobody watches the console as a substitute: without a channel, the escalation ends unnoticed. */
  const requireReachable = async (
    trx: Kysely<Database>,
    { id, userName, email, browsers }: Candidate,
    field: string,
  ): Promise<void> => {
    if (email !== null || browsers > 0) return;
    const name = (await namesOf(trx, [id])).get(id) ?? userName;
    throw new Problem('substituteUnreachable', { field, values: { name } });
  };

  const log = async (
    trx: Kysely<Database>,
    caller: Caller,
    operation: Operation,
    place: DutyPlace,
    before: unknown,
    after: unknown,
  ): Promise<void> => {
    await logAction(trx, caller, {
      ...{ operation, objectType: 'customer', objectId: String(place.customerId) },
      ...{ objectName: await customerNameOf(trx, place.customerId), ...place },
      ...{
        before: before === null ? undefined : { onCall: before },
        after: after === null ? undefined : { onCall: after },
      },
    });
  };

  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listOnCall']>): Promise<ResultOf<Endpoints['listOnCall']>> {
      const from = new Date(query.from);
      const to = new Date(query.to);
      if (to.getTime() - from.getTime() > ON_CALL_DAYS * 86_400_000) {
        throw new Problem('onCallRange', { field: 'to', values: { days: ON_CALL_DAYS } });
      }
      const items = await listShifts(caller.scope, db, { from, to }, query, ON_CALL_SHIFTS);
      return { items };
    },

    async settings(
      caller: Caller,
      customerId: number,
      siteId: number | undefined,
    ): Promise<ResultOf<Endpoints['readOnCallSettings']>> {
      const [minutes, sites, people] = await Promise.all([
        findEscalation(db, customerId),
        sitesOf(db, customerId),
        peopleOf(caller, db, { customerId, siteId: siteId ?? null }),
      ]);
      const names = await namesOf(
        db,
        people.map(({ id }) => id),
      );
      return {
        escalateMinutes: minutes ?? ESCALATE_MINUTES.usual,
        sites,
        people: people
          .map(({ id, userName, email }) => ({
            id,
            name: names.get(id) ?? userName,
            userName,
            reachable: email !== null,
          }))
          .sort((a, b) => compareNaturally(a.name, b.name) || a.id - b.id),
      };
    },

    async saveSettings(
      caller: Caller,
      customerId: number,
      { escalateMinutes }: BodyOf<Endpoints['saveOnCallSettings']>,
    ): Promise<null> {
      await db.transaction().execute(async (trx) => {
        await lockSchedule(trx, customerId);
        const before = (await findEscalation(trx, customerId)) ?? ESCALATE_MINUTES.usual;
        if (before === escalateMinutes) return;
        await saveEscalation(trx, customerId, escalateMinutes);
        await log(trx, caller, 'edit', { customerId, siteId: null }, { minutes: before }, { minutes: escalateMinutes });
      });
      return null;
    },

    async create(
      caller: Caller,
      customerId: number,
      body: BodyOf<Endpoints['createOnCall']>,
    ): Promise<ResultOf<Endpoints['createOnCall']>> {
      const shift = enteredOf(body);
      return await db.transaction().execute(async (trx) => {
        await check(trx, caller, customerId, shift, null);
        const id = await insertShift(trx, customerId, shift);
        const added = await lockShift(trx, customerId, id);
        await log(trx, caller, 'new', { customerId, siteId: shift.siteId }, null, added && loggedOf(added));
        return { id };
      });
    },

    async update(
      caller: Caller,
      customerId: number,
      id: number,
      body: BodyOf<Endpoints['updateOnCall']>,
    ): Promise<null> {
      const shift = enteredOf(body);
      await db.transaction().execute(async (trx) => {
        const before = await lockShift(trx, customerId, id);
        if (!before) throw notFound('onCallShift');
        await check(trx, caller, customerId, shift, before);
        await updateShift(trx, id, shift);
        const after = await lockShift(trx, customerId, id);
        const place = { customerId, siteId: shift.siteId };
        await log(trx, caller, 'edit', place, loggedOf(before), after && loggedOf(after));
      });
      return null;
    },

    async remove(caller: Caller, customerId: number, id: number): Promise<null> {
      await db.transaction().execute(async (trx) => {
        const before = await lockShift(trx, customerId, id);
        if (!before) throw notFound('onCallShift');
        await deleteShift(trx, id);
        await log(trx, caller, 'delete', { customerId, siteId: before.site?.id ?? null }, loggedOf(before), null);
      });
      return null;
    },

    async copyWeek(
      caller: Caller,
      customerId: number,
      { siteId, from, weeks }: BodyOf<Endpoints['copyOnCallWeek']>,
    ): Promise<ResultOf<Endpoints['copyOnCallWeek']>> {
      return await db.transaction().execute(async (trx) => {
        await lockSchedule(trx, customerId);
        const place = { customerId, siteId };
        const substitutes = await substitutesOf(trx, place, new Date(from));
        for (const one of await findCandidates(trx, { userIds: substitutes }, clock.now())) {
          await requireReachable(trx, one, 'from');
        }
        const { wanted, copied } = await copyShifts(trx, place, new Date(from), weeks);
        if (copied > 0) await log(trx, caller, 'new', place, null, { from, weeks, copied });
        return { copied, skipped: wanted - copied };
      });
    },
  };
}

function enteredOf({ from, to, ...shift }: BodyOf<Endpoints['createOnCall']>): EnteredShift {
  return { ...shift, from: new Date(from), to: new Date(to) };
}

function loggedOf({ site, user, substitute, from, to }: ShiftRecord) {
  return {
    ...{ site: site?.name ?? null, user: user.name, substitute: substitute?.name ?? null },
    ...{ from: from.toISOString(), to: to.toISOString() },
  };
}
