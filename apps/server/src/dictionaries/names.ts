import {
  type Dictionary,
  type DictionaryEntry,
  dictionaryEntries,
  issueLabelNames,
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

/** How labels of issues name entries of the dictionary of labels. */
export async function readLabelNames(db: Kysely<Database>): Promise<ReturnType<typeof issueLabelNames>> {
  return issueLabelNames((await readDictionary(db, 'labels')).values());
}

/** Entered labels as an issue stores them. Their entries are not removed before the end of the transaction. */
export async function storedLabels(trx: Kysely<Database>, entered: readonly string[]): Promise<string[]> {
  if (entered.length === 0) return [];
  await keepDictionary(trx, 'labels');
  return (await readLabelNames(trx)).stored(entered);
}
