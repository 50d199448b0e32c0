import type { BodyOf, ResultOf, roleMessageEndpoints } from '@chargehand/contract';
import { MESSAGE_TYPES, messageSettingOf } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { findRoleSettings, type RoleSettings, saveRoleSettings } from './role-settings.store.ts';

type Endpoints = typeof roleMessageEndpoints;

/** How users of a role are notified who have not decided themselves. */
export function roleSettingsService({ db }: { db: Kysely<Database> }) {
  const read = async (roleId: number): Promise<ResultOf<Endpoints['readRoleMessages']>> => {
    const role = await findRoleSettings(db, roleId);
    if (!role) throw notFound('role');
    const { emailAlarm, settings } = role;
    return {
      types: MESSAGE_TYPES.map((type) => {
        const { setting, source } = messageSettingOf(type, {
          ...{ own: null, role: settings[type] ?? null, emailAlarm, siteReceiver: false, onCall: false },
        });
        return { type, ...setting, source };
      }),
    };
  };
  return {
    read,
    async save(
      caller: Caller,
      roleId: number,
      { types }: BodyOf<Endpoints['saveRoleMessages']>,
    ): Promise<ResultOf<Endpoints['saveRoleMessages']>> {
      // The last one counts if a type is named twice. Account security cannot be changed.
      const named = new Map(types.map((one) => [one.type, one]));
      named.delete('accountSecurity');
      await db.transaction().execute(async (trx) => {
        const before = await findRoleSettings(trx, roleId);
        if (!before) throw notFound('role');
        await saveRoleSettings(trx, roleId, [...named.values()]);
        const after = await findRoleSettings(trx, roleId);
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType: 'role', objectId: String(roleId), objectName: before.name },
          ...{ customerId: null, siteId: null },
          before: { messages: loggedOf(before.settings) },
          after: { messages: loggedOf(after?.settings ?? {}) },
        });
      });
      return await read(roleId);
    },
  };
}

/** The channels of each type, such as `email, inApp`, as they are logged. */
function loggedOf(settings: RoleSettings['settings']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([type, setting]) => [
      type,
      Object.entries(setting)
        .filter(([, on]) => on === true)
        .map(([name]) => name)
        .sort()
        .join(', '),
    ]),
  );
}
