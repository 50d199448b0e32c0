import { LIST_NAMES, type ListName, type ListView, type listEndpoints, type ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findPreferences, setPreference } from './preferences.store.ts';

type ListViews = ResultOf<typeof listEndpoints.readPreferences>['lists'];

/** Preferences change nothing in the installation, so they are not in the action log. */
const LIST = 'list.';

/** The list layouts of a user, without lists that no longer exist. */
export async function readListViews(db: Kysely<Database>, userId: number): Promise<ListViews> {
  const kept = await findPreferences(db, userId, LIST);
  return Object.fromEntries(LIST_NAMES.flatMap((name) => (name in kept ? [[name, kept[name]]] : [])));
}

/** Stores the layout of a list for the caller; null restores the default. */
export async function setListView(
  db: Kysely<Database>,
  caller: Caller,
  list: ListName,
  view: ListView | null,
): Promise<void> {
  await setPreference(db, caller.userId, `${LIST}${list}`, view);
}
