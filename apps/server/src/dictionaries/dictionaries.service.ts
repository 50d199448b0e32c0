import {
  type BodyOf,
  type CodeName,
  DICTIONARY_USERS,
  type dictionaryEndpoints,
  type Locale,
  type QueryOf,
  type ResultOf,
} from '@chargehand/contract';
import {
  DICTIONARY_MAX_ENTRIES,
  type Dictionary,
  type DictionaryEntry,
  type DictionaryFault,
  type DictionaryValue,
  dictionaryFault,
  dictionaryLengths,
  hasOrder,
  isChosenFrom,
  isDictionaryCode,
  isRemovable,
  nextPosition,
  REGION_CODE_LENGTH,
  REGION_LEVELS,
  type RegionFault,
  regionFault,
  regionPath,
  sameDictionaryValue,
  undoFault,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { pageOf, searchOf } from '../platform/http/serve/list-queries.ts';
import type { Workbook } from '../platform/http/serve/serve-workbook.ts';
import { type ChangeRecord, findChange, latestChanges, listChanges, storedValues } from './dictionaries.store.ts';
import { dictionaryWorkbook } from './dictionary-export.ts';
import { importDictionary } from './import.service.ts';
import { readDictionary } from './names.ts';
import { type ChangingParts, changing as changingDictionary, defaultOf, recordChanges } from './record-changes.ts';

type Endpoints = typeof dictionaryEndpoints;
export type DictionariesService = ReturnType<typeof dictionariesService>;

/** How often an entry is used, by what uses it. Each is counted up to the limit of the contract. */
export type DictionaryUses = Partial<Record<(typeof DICTIONARY_USERS)[number], number>>;

export interface DictionariesParts extends ChangingParts {
  /** where the entries of each dictionary are used */
  uses: Readonly<Record<Dictionary, (db: Kysely<Database>, code: string) => Promise<DictionaryUses>>>;
}

const CHANGES_SHOWN = 50;
const FAULTS: Readonly<Record<DictionaryFault | RegionFault, CodeName>> = {
  nameEmpty: 'fieldRequired',
  nameLong: 'fieldTooLong',
  nameTaken: 'dictionaryNameTaken',
  lastEnabled: 'dictionaryLastEnabled',
  codeLength: 'regionCodeLength',
  parentUnknown: 'regionUnknown',
  tooDeep: 'regionTooDeep',
};

interface Change {
  dictionary: Dictionary;
  code: string;
  action: ChangeRecord['action'];
  value: DictionaryValue | null;
  undoes?: number;
}

/** Dictionaries with their history. Every change is recorded in the same transaction, and announced to all consoles. */
export function dictionariesService(parts: DictionariesParts) {
  const { db } = parts;

  /** Changes an entry in a transaction in which its dictionary is locked. */
  async function change(trx: Kysely<Database>, caller: Caller, entered: Change): Promise<void> {
    const { dictionary, code, action, value, undoes = null } = entered;
    const stored = await storedValues(trx, dictionary);
    const entries = [...(await read(trx, dictionary)).values()];
    const byDefault = defaultOf(parts, dictionary, code);
    // A value that is the default is none, so that a later release can change the default.
    const after = sameDictionaryValue(value, byDefault) ? null : value;
    const before = stored.get(code) ?? null;
    if (after === null && !isRemovable(byDefault, await usesOf(trx, dictionary, code))) {
      throw new Problem('dictionaryUsed');
    }
    const fault =
      dictionary === 'regions' ? regionFault(entries, code, after) : dictionaryFault(dictionary, entries, code, after);
    if (fault) {
      const values = { limit: dictionaryLengths(dictionary).name, ...REGION_CODE_LENGTH };
      throw new Problem(FAULTS[fault.fault], { field: fault.field, values });
    }
    if (before === null && after !== null && !byDefault && stored.size >= DICTIONARY_MAX_ENTRIES) {
      throw new Problem('dictionaryFull', { values: { most: DICTIONARY_MAX_ENTRIES } });
    }
    if (sameDictionaryValue(before, after)) return;
    await recordChanges(trx, parts, caller, dictionary, [{ code, action, before, after, undoes }]);
  }

  /** Runs a change while no other one of the dictionary runs, and announces it. */
  async function changing(dictionary: Dictionary, run: (trx: Kysely<Database>) => Promise<void>): Promise<null> {
    await changingDictionary(parts, dictionary, run);
    return null;
  }

  async function usesOf(at: Kysely<Database>, dictionary: Dictionary, code: string): Promise<number> {
    const counts = Object.values(await countUses(at, dictionary, code));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** What uses an entry. A region is also used by those below it. */
  async function countUses(at: Kysely<Database>, dictionary: Dictionary, code: string): Promise<DictionaryUses> {
    const counts = await parts.uses[dictionary](at, code);
    if (dictionary !== 'regions') return counts;
    const entries = [...(await read(at, dictionary)).values()];
    return { ...counts, regions: entries.filter(({ parent }) => parent === code).length };
  }

  function read(at: Kysely<Database>, dictionary: Dictionary): Promise<Map<string, DictionaryEntry>> {
    return readDictionary(at, dictionary, parts.shippedRegions());
  }

  return {
    async list(dictionary: Dictionary): Promise<ResultOf<Endpoints['listDictionary']>> {
      const [entries, latest] = await Promise.all([read(db, dictionary), latestChanges(db, dictionary)]);
      return { items: [...entries.values()].map((entry) => ({ ...entry, ...lastOf(latest, entry.code) })) };
    },

    async regions(
      locale: Locale,
      query: QueryOf<Endpoints['listRegionEntries']>,
    ): Promise<ResultOf<Endpoints['listRegionEntries']>> {
      const [entries, latest] = await Promise.all([read(db, 'regions'), latestChanges(db, 'regions')]);
      const wanted = searchOf(query.search)?.toLowerCase() ?? '';
      const found = [...entries.values()].filter(
        ({ code, nameEn, nameZh, changed }) =>
          (changed || query.changed !== true) && `${code}\n${nameEn}\n${nameZh}`.toLowerCase().includes(wanted),
      );
      const { offset, limit } = pageOf(query);
      const items = found.slice(offset, offset + limit).map((entry) => {
        const above = regionPath(entries, entry.code).slice(0, -1);
        const names = above.map((code) => entries.get(code)![locale === 'zh-CN' ? 'nameZh' : 'nameEn']);
        const level = REGION_LEVELS[above.length]!;
        return { ...entry, ...lastOf(latest, entry.code), level, parentName: names.join(' · ') };
      });
      return { items, total: found.length };
    },

    async names(): Promise<ResultOf<Endpoints['readDictionaryNames']>> {
      const [causes, remedies, labels] = await Promise.all([
        readDictionary(db, 'causes'),
        readDictionary(db, 'remedies'),
        readDictionary(db, 'labels'),
      ]);
      const named = (entries: typeof causes) =>
        [...entries.values()].map(({ code, nameEn, nameZh, enabled }) => ({ code, nameEn, nameZh, enabled }));
      return { causes: named(causes), remedies: named(remedies), labels: named(labels) };
    },

    /** @throws {Problem} dictionaryCodeForm, fieldTooLong, dictionaryCodeTaken, and those of values */
    create(caller: Caller, dictionary: Dictionary, entered: BodyOf<Endpoints['createDictionaryEntry']>): Promise<null> {
      return changing(dictionary, async (trx) => {
        const code = entered.code.trim();
        if (!isDictionaryCode(code)) throw new Problem('dictionaryCodeForm', { field: 'code' });
        const limit = dictionaryLengths(dictionary).code;
        if (code.length > limit) throw new Problem('fieldTooLong', { field: 'code', values: { limit } });
        const { parent } = entered;
        if (parent !== undefined && dictionary !== 'regions') throw new Problem('regionUnknown', { field: 'parent' });
        const entries = await read(trx, dictionary);
        if (entries.has(code)) throw new Problem('dictionaryCodeTaken', { field: 'code' });
        const next = nextPosition([...entries.values()].map(({ position }) => position));
        const position = hasOrder(dictionary) ? (entered.position ?? next) : 0;
        const value = { ...trimmed(entered), enabled: true, position, ...(parent !== undefined && { parent }) };
        await change(trx, caller, { dictionary, code, action: 'add', value });
      });
    },

    /** @throws {Problem} notFound, dictionaryChanged, and those of values */
    update(caller: Caller, dictionary: Dictionary, entered: BodyOf<Endpoints['updateDictionaryEntry']>): Promise<null> {
      return changing(dictionary, async (trx) => {
        const { code } = entered;
        const entry = (await read(trx, dictionary)).get(code);
        if (!entry) throw notFound('dictionaryEntry');
        await sameChange(trx, dictionary, code, entered.change);
        const enabled = (isChosenFrom(dictionary) ? entered.enabled : undefined) ?? entry.enabled;
        const position = (hasOrder(dictionary) ? entered.position : undefined) ?? entry.position;
        const { parent } = entry;
        const value = { ...trimmed(entered), enabled, position, ...(parent !== undefined && { parent }) };
        await change(trx, caller, { dictionary, code, action: 'edit', value });
      });
    },

    /** @throws {Problem} notFound, dictionaryChanged, dictionaryUnchanged, dictionaryUsed */
    remove(
      caller: Caller,
      dictionary: Dictionary,
      { code, change: seen }: QueryOf<Endpoints['removeDictionaryEntry']>,
    ): Promise<null> {
      return changing(dictionary, async (trx) => {
        const entry = (await read(trx, dictionary)).get(code);
        if (!entry) throw notFound('dictionaryEntry');
        if (!entry.changed) throw new Problem('dictionaryUnchanged');
        await sameChange(trx, dictionary, code, seen);
        const action = entry.byDefault ? 'reset' : 'remove';
        await change(trx, caller, { dictionary, code, action, value: null });
      });
    },

    /** @throws {Problem} notFound */
    async uses(dictionary: Dictionary, code: string): Promise<ResultOf<Endpoints['readDictionaryUses']>> {
      if (!(await read(db, dictionary)).has(code)) throw notFound('dictionaryEntry');
      const counts = await countUses(db, dictionary, code);
      return { items: DICTIONARY_USERS.flatMap((kind) => (counts[kind] ? [{ kind, count: counts[kind] }] : [])) };
    },

    workbook: (dictionary: Dictionary, locale: Locale): Workbook => dictionaryWorkbook(db, dictionary, locale),

    /** @throws {Problem} those of `importDictionary` */
    imported: (caller: Caller, dictionary: Dictionary, body: BodyOf<Endpoints['importDictionary']>) =>
      importDictionary(parts, caller, dictionary, body),

    async changes(
      dictionary: Dictionary,
      { code, before }: QueryOf<Endpoints['listDictionaryChanges']>,
    ): Promise<ResultOf<Endpoints['listDictionaryChanges']>> {
      const [changes, latest, stored] = await Promise.all([
        listChanges(db, { dictionary, code, before }, CHANGES_SHOWN + 1),
        latestChanges(db, dictionary),
        storedValues(db, dictionary),
      ]);
      return {
        items: changes.slice(0, CHANGES_SHOWN).map(({ dictionary: _, ...one }) => ({
          ...one,
          byDefault: defaultOf(parts, dictionary, one.code),
          undoable: undoFault(one, latest.get(one.code)?.id ?? 0, stored.get(one.code) ?? null) === null,
        })),
        more: changes.length > CHANGES_SHOWN,
      };
    },

    /** @throws {Problem} notFound, dictionaryUndoLater, and those of values */
    async undo(caller: Caller, id: number): Promise<null> {
      const found = await findChange(db, id);
      if (!found) throw notFound('dictionaryChange');
      const { dictionary, code } = found;
      return await changing(dictionary, async (trx) => {
        const latest = (await latestChanges(trx, dictionary)).get(code);
        const current = (await storedValues(trx, dictionary)).get(code) ?? null;
        if (undoFault(found, latest?.id ?? 0, current) !== null) {
          throw new Problem('dictionaryUndoLater', { values: { user: latest?.by ?? '' } });
        }
        await change(trx, caller, { dictionary, code, action: 'undo', value: found.before, undoes: id });
      });
    },
  };
}

/** The last change of an entry in lists. */
function lastOf(latest: Awaited<ReturnType<typeof latestChanges>>, code: string) {
  const last = latest.get(code);
  return { change: last?.id ?? 0, changedAt: last?.at ?? null, changedBy: last?.by ?? null };
}

/** @throws {Problem} dictionaryChanged */
async function sameChange(trx: Kysely<Database>, dictionary: Dictionary, code: string, seen: number): Promise<void> {
  const last = (await latestChanges(trx, dictionary)).get(code);
  if (last && last.id !== seen) throw new Problem('dictionaryChanged', { values: { user: last.by } });
}

function trimmed({ nameEn, nameZh }: { nameEn: string; nameZh: string }) {
  return { nameEn: nameEn.trim(), nameZh: nameZh.trim() };
}
