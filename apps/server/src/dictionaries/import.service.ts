import type { BodyOf, dictionaryEndpoints, Locale, ResultOf, DictionaryImportRow as Row } from '@chargehand/contract';
import {
  DICTIONARY_MAX_ENTRIES,
  DICTIONARY_MAX_POSITION,
  type Dictionary,
  type DictionaryImportFault,
  type DictionaryImportResult,
  type DictionaryImportRow,
  dictionaryDefault,
  planDictionaryImport,
  sameDictionaryValue,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';
import { mapInSlices } from '../platform/work/slices.ts';
import { inWorker } from '../platform/work/workers.ts';
import { inLocale } from '../platform/xlsx/list-export.ts';
import { lastChange, storedValues } from './dictionaries.store.ts';
import { ENTRY_WORDS } from './dictionary-columns.ts';
import type { ImportRead, ImportTask } from './import-worker.ts';
import { readDictionary } from './names.ts';
import { type ChangingParts, changing, recordChanges } from './record-changes.ts';

type Import = typeof dictionaryEndpoints.importDictionary;

/**
 * Imports the entries of a file in one transaction, or none. A dry run changes nothing and returns what would change.
 * Entries that are not in the file stay as they are.
 * @throws {Problem} those of the file and of `inWorker`, `dictionaryImportFailed`, and `dictionaryImportChanged` when
 * somebody changed the dictionary after the dry run
 */
export async function importDictionary(
  parts: ChangingParts,
  caller: Caller,
  dictionary: Dictionary,
  { fileName, content, dryRun, change = 0 }: BodyOf<Import>,
): Promise<ResultOf<Import>> {
  const rows = await rowsOf(caller, { dictionary, fileName, content, locale: caller.locale });
  if (dryRun) {
    const [entries, last] = await Promise.all([readDictionary(parts.db, dictionary), lastChange(parts.db, dictionary)]);
    const plan = planDictionaryImport(dictionary, [...entries.values()], rows);
    const shown = plan.filter(({ result }) => result !== 'same');
    return {
      ...countsOf(plan, last?.id ?? 0),
      rows: await mapInSlices(shown, (result) => rowOf(result, caller.locale)),
    };
  }
  return await changing(parts, dictionary, async (trx) => {
    const last = await lastChange(trx, dictionary);
    if (last && last.id !== change) throw new Problem('dictionaryImportChanged', { values: { user: last.by } });
    const entries = await readDictionary(trx, dictionary);
    const plan = planDictionaryImport(dictionary, [...entries.values()], rows);
    const { faulty } = countsOf(plan, 0);
    if (faulty > 0) {
      const values = { count: faulty, total: rows.length };
      throw new Problem('dictionaryImportFailed', { field: 'content', values });
    }
    await apply(trx, parts, caller, dictionary, plan);
    return { ...countsOf(plan, (await lastChange(trx, dictionary))?.id ?? 0), rows: [] };
  });
}

/** Every entry that an import changes gets its own change in the history, so that each can be undone. */
async function apply(
  trx: Kysely<Database>,
  parts: ChangingParts,
  caller: Caller,
  dictionary: Dictionary,
  plan: readonly DictionaryImportResult[],
): Promise<void> {
  const stored = await storedValues(trx, dictionary);
  const changes = plan.flatMap(({ code, result, after }) => {
    if (result !== 'add' && result !== 'change') return [];
    // A value that is the default is none, so that a later release can change the default.
    const value = sameDictionaryValue(after, dictionaryDefault(dictionary, code)) ? null : after;
    const action = result === 'add' ? ('add' as const) : ('edit' as const);
    return [{ code, action, before: stored.get(code) ?? null, after: value, undoes: null }];
  });
  if (changes.length > 0) await recordChanges(trx, parts, caller, dictionary, changes);
}

/** The rows of a file, read in a worker thread. @throws {Problem} */
async function rowsOf(caller: Caller, task: ImportTask): Promise<DictionaryImportRow[]> {
  const read = await inWorker<ImportTask, ImportRead>(caller, new URL('./import-worker.ts', import.meta.url), task);
  if ('problem' in read) throw new Problem(...read.problem);
  return (await mapInSlices(read.parts, (part) => JSON.parse(part) as DictionaryImportRow[])).flat();
}

function countsOf(plan: readonly DictionaryImportResult[], change: number) {
  const count = (wanted: DictionaryImportResult['result']) => plan.filter(({ result }) => result === wanted).length;
  return { added: count('add'), changed: count('change'), unchanged: count('same'), faulty: count('fault'), change };
}

function rowOf({ row, code, result, before, after, faults }: DictionaryImportResult, locale: Locale): Row {
  const problems = faults.map((fault) => problemOf(fault, locale).envelope(locale).message);
  return { row, code, result: result === 'same' ? 'change' : result, before, after, problems };
}

/** A fault as a message that names the column by its heading. */
function problemOf(fault: DictionaryImportFault, locale: Locale): Problem {
  const values = { ...fault, field: inLocale(ENTRY_WORDS[fault.field], locale) };
  switch (fault.fault) {
    case 'positionRange':
      return new Problem('dictionaryImportOrder', { values: { ...values, limit: DICTIONARY_MAX_POSITION } });
    case 'full':
      return new Problem('dictionaryFull', { values: { most: DICTIONARY_MAX_ENTRIES } });
    default:
      return new Problem(FAULTS[fault.fault], { values });
  }
}

const FAULTS = {
  missing: 'fieldRequired',
  tooLong: 'fieldTooLong',
  character: 'fieldCharacters',
  codeForm: 'dictionaryCodeForm',
  codeTwice: 'dictionaryImportCodeTwice',
  nameTwice: 'dictionaryImportNameTwice',
  nameTaken: 'dictionaryImportNameTaken',
  enabledForm: 'dictionaryImportEnabled',
  lastEnabled: 'dictionaryLastEnabled',
} as const;
