import { type AnswerOf, LIST_NAMES, type ListLook, type ListName, type listEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findPreferences, setPreference } from './preferences.store.ts';

type ListLooks = AnswerOf<typeof listEndpoints.readPreferences>['lists'];

/** What everybody keeps for themselves is no change of the installation: it is not in the action log. */
const LIST = 'list.';

/** How a user arranged their lists; lists that the product no longer has are left out. */
export async function readListLooks(db: Kysely<Database>, userId: number): Promise<ListLooks> {
  const kept = await findPreferences(db, userId, LIST);
  return Object.fromEntries(LIST_NAMES.flatMap((name) => (name in kept ? [[name, kept[name]]] : [])));
}

/** Keeps how the caller wants a list to look; null has it look as it comes. */
export async function setListLook(
  db: Kysely<Database>,
  caller: Caller,
  list: ListName,
  look: ListLook | null,
): Promise<void> {
  await setPreference(db, caller.userId, `${LIST}${list}`, look);
}
