import {
  type Dictionary,
  type DictionaryEntry,
  dictionaryEntries,
  type RegionValues,
  regionEntries,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { keepDictionary, storedValues } from './dictionaries.store.ts';

const NO_REGIONS: RegionValues = new Map();

/** The entries of a dictionary as they apply, by code and in their order. Those of regions need the shipped ones. */
export async function readDictionary(
  db: Kysely<Database>,
  dictionary: Dictionary,
  shippedRegions = NO_REGIONS,
): Promise<Map<string, DictionaryEntry>> {
  const stored = await storedValues(db, dictionary);
  const entries =
    dictionary === 'regions' ? regionEntries(shippedRegions, stored) : dictionaryEntries(dictionary, stored);
  return new Map(entries.map((entry) => [entry.code, entry]));
}

/** True when a code can be chosen. It is not removed before the end of the transaction. */
export async function canBeChosen(trx: Kysely<Database>, dictionary: Dictionary, code: string): Promise<boolean> {
  await keepDictionary(trx, dictionary);
  return (await readDictionary(trx, dictionary)).get(code)?.enabled ?? false;
}
