import { type Dictionary, type DictionaryValue, dictionaryDefault, type RegionValues } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logActions } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Events } from '../ports/events.ts';
import { type ChangeRecord, insertChanges, lockDictionary, storeValue } from './dictionaries.store.ts';

export interface ChangingParts {
  db: Kysely<Database>;
  clock: Clock;
  events: Events;
  /** the shipped regions */
  shippedRegions(): RegionValues;
  /** called after the commit of a change, before its answer */
  changed(dictionary: Dictionary): Promise<void>;
  /** sets the name of an alarm code where alarms read it, in the transaction of the change; null: it has no name */
  applyAlarmName(
    trx: Kysely<Database>,
    code: string,
    names: Pick<DictionaryValue, 'nameEn' | 'nameZh'> | null,
  ): Promise<void>;
}

/** The shipped value of an entry; null: the installation added it. */
export function defaultOf(
  { shippedRegions }: Pick<ChangingParts, 'shippedRegions'>,
  dictionary: Dictionary,
  code: string,
): DictionaryValue | null {
  if (dictionary === 'regions') return shippedRegions().get(code) ?? null;
  return dictionaryDefault(dictionary, code);
}

/** A checked change of an entry. Null: its default, or no entry. */
type CheckedChange = Pick<ChangeRecord, 'code' | 'action' | 'before' | 'after' | 'undoes'>;

/** Runs changes while no other ones of the dictionary run, and announces them. */
export async function changing<T>(
  { db, events, changed }: ChangingParts,
  dictionary: Dictionary,
  run: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const result = await db.transaction().execute(async (trx) => {
    await lockDictionary(trx, dictionary);
    return await run(trx);
  });
  await changed(dictionary);
  events.publish('dictionary.changed', { id: 0 });
  return result;
}

/** Stores changes of entries, and records them in the history and in the action log. */
export async function recordChanges(
  trx: Kysely<Database>,
  parts: ChangingParts,
  caller: Caller,
  dictionary: Dictionary,
  changes: readonly CheckedChange[],
): Promise<void> {
  for (const { code, after } of changes) {
    await storeValue(trx, dictionary, code, after);
    if (dictionary === 'alarmNames') {
      await parts.applyAlarmName(trx, code, after ?? defaultOf(parts, dictionary, code));
    }
  }
  const { userId, userName } = caller;
  const made = { dictionary, at: parts.clock.now(), by: userName, userId };
  await insertChanges(
    trx,
    changes.map((change) => ({ ...change, ...made })),
  );
  await logActions(
    trx,
    caller,
    changes.map(({ code, before, after }) => {
      const byDefault = defaultOf(parts, dictionary, code);
      return {
        operation: before === null && !byDefault ? 'new' : after === null && !byDefault ? 'delete' : 'edit',
        ...{ objectType: 'dictionaryEntry', objectId: `${dictionary}/${code}`, objectName: code },
        ...{
          customerId: null,
          siteId: null,
          before: before ?? byDefault ?? undefined,
          after: after ?? byDefault ?? undefined,
        },
      };
    }),
  );
}
