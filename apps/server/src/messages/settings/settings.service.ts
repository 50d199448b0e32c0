import type { BodyOf, messageEndpoints, ResultOf } from '@chargehand/contract';
import { MESSAGE_TYPES, messageSettingOf, scopeOf } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { findCandidates } from '../incidents/receivers.store.ts';
import { listMutes, ownShifts, receiverSites, saveMute, saveSettings } from './settings.store.ts';

type Endpoints = typeof messageEndpoints;
export type SettingsService = ReturnType<typeof settingsService>;

/** A device that is muted for longer is forgotten: it should be disabled, or the type turned off. */
const MUTE_DAYS = 90;
/** So many shifts and sites are named. */
const PLACES_SHOWN = 10;

/** How the caller is notified. */
export function settingsService(parts: { db: Kysely<Database>; clock: Clock }) {
  const { db, clock } = parts;

  const read = async ({ userId }: Pick<Caller, 'userId'>): Promise<ResultOf<Endpoints['readMessageSettings']>> => {
    const [user] = await findCandidates(db, { userIds: [userId] }, clock.now());
    if (!user) throw notFound('user');
    const scope = scopeOf(user);
    const [shifts, receiverOf] = await Promise.all([
      ownShifts(scope, db, userId, clock.now(), PLACES_SHOWN),
      receiverSites(scope, db, userId, PLACES_SHOWN),
    ]);
    const { emailAlarm, quietFrom, quietTo, digestAt, email, browsers } = user;
    return {
      types: MESSAGE_TYPES.map((type) => {
        const role = user.role[type] ?? null;
        // Sites and shifts decide per place; they are named in `shifts` and `receiverOf`.
        const facts = { role, emailAlarm, siteReceiver: false, onCall: false };
        const now = messageSettingOf(type, { ...facts, own: user.own[type] ?? null });
        const usual = messageSettingOf(type, { ...facts, own: null });
        return { type, ...now.setting, source: now.source, usual: { ...usual.setting, source: usual.source } };
      }),
      shifts,
      receiverOf,
      quiet: quietFrom === null || quietTo === null ? null : { from: quietFrom, to: quietTo },
      digestAt,
      email,
      browsers,
    };
  };

  const mute = async (
    { userId }: Caller,
    place: { deviceId: number | null; siteId: number | null },
    until: string | null,
  ): Promise<null> => {
    const now = clock.now();
    const end = until === null ? null : new Date(until);
    if (end && end.getTime() - now.getTime() > MUTE_DAYS * 86_400_000) {
      throw new Problem('muteTooLong', { field: 'until', values: { days: MUTE_DAYS } });
    }
    await db.transaction().execute((trx) => saveMute(trx, userId, place, end, now));
    return null;
  };

  return {
    read,
    async save(
      caller: Caller,
      { types, quiet, digestAt }: BodyOf<Endpoints['saveMessageSettings']>,
    ): Promise<ResultOf<Endpoints['saveMessageSettings']>> {
      // The last one counts if a type is named twice.
      const settings = [...new Map(types.map((one) => [one.type, one])).values()];
      await db.transaction().execute((trx) => saveSettings(trx, caller.userId, settings, { quiet, digestAt }));
      return await read(caller);
    },
    async mutes({ scope, userId }: Caller): Promise<ResultOf<Endpoints['listMessageMutes']>> {
      return { items: await listMutes(scope, db, userId, clock.now()) };
    },
    muteDevice: (caller: Caller, deviceId: number, until: string | null) =>
      mute(caller, { deviceId, siteId: null }, until),
    muteSite: (caller: Caller, siteId: number, until: string | null) => mute(caller, { deviceId: null, siteId }, until),
  };
}
