import { type Dictionary, type DictionaryEntry, dictionaryEntries } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { keepDictionary, storedValues } from './dictionaries.store.ts';

/** The entries of a dictionary as they apply, by code and in their order. */
export async function readDictionary(
  db: Kysely<Database>,
  dictionary: Dictionary,
): Promise<Map<string, DictionaryEntry>> {
  const entries = dictionaryEntries(dictionary, await storedValues(db, dictionary));
  return new Map(entries.map((entry) => [entry.code, entry]));
}

/** True when a code can be chosen. It is not removed before the end of the transaction. */
export async function canBeChosen(trx: Kysely<Database>, dictionary: Dictionary, code: string): Promise<boolean> {
  await keepDictionary(trx, dictionary);
  return (await readDictionary(trx, dictionary)).get(code)?.enabled ?? false;
}
