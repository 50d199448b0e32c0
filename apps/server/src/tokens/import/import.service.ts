import type { BodyOf, Locale, QueryOf, ResultOf, TokenImport, tokenEndpoints, WithDates } from '@chargehand/contract';
import { MAX_TOKENS, tokenKey } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { pageOf } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import type { Log } from '../../platform/log.ts';
import { inWorker } from '../../platform/work/workers.ts';
import { inLocale } from '../../platform/xlsx/list-export.ts';
import { type Cell, xlsxOf } from '../../platform/xlsx/xlsx.ts';
import { TOKEN_COLUMNS } from '../list/token-columns.ts';
import { countTokens, insertRemoved, requireClearCaches, takeRevisions } from '../list/tokens.store.ts';
import type { ImportRead, ImportTask, ReadToken } from './import-worker.ts';
import {
  addCounts,
  beginImport,
  endImport,
  failInterrupted,
  faultsAfter,
  findByKeys,
  firstFaults,
  type ImportRecord,
  insertFaults,
  listImports,
  type StoredFault,
  type StoredToken,
  sitesByName,
  type WrittenToken,
  writeTokens,
} from './imports.store.ts';

type Endpoints = typeof tokenEndpoints;
type ProblemParts = ConstructorParameters<typeof Problem>;
export type TokenImports = ReturnType<typeof tokenImports>;

/** Rows with problems that the list of imports shows; the report has all of them. */
const FAULTS_SHOWN = 100;
/** Unpacking and reading a hundred thousand rows takes about ten seconds of processor time. Milliseconds. */
const READ_MS = 25_000;
const REPORT_BATCH = 1_000;

/** Imports of tokens: read in a worker thread, stored in the background in parts, with progress. */
export function tokenImports(parts: {
  db: Kysely<Database>;
  log: Log;
  /** the name of this process, which fails what its former run left */
  node: string;
  changed(): void;
}) {
  const { db, log, node, changed } = parts;
  const running = new Set<Promise<void>>();
  let stopping = false;

  async function run(caller: Caller, importId: number, customerId: number, read: Uint8Array[]): Promise<void> {
    const sites = await sitesByName(caller.scope, db, customerId);
    const seen = new Map<string, number>();
    const totals = { added: 0, changed: 0 };
    for (let part = read.shift(); part; part = read.shift()) {
      // What was stored stays; the import says that it was interrupted.
      if (stopping) throw new Error('the server is stopping');
      const tokens = JSON.parse(Buffer.from(part).toString()) as ReadToken[];
      const counts = await db.transaction().execute(async (trx) => {
        const stored = await storePart(trx, caller, importId, customerId, tokens, { sites, seen });
        await addCounts(trx, importId, stored);
        return stored;
      });
      totals.added += counts.added;
      totals.changed += counts.changed;
    }
    await db.transaction().execute(async (trx) => {
      await endImport(trx, importId, 'done');
      if (totals.changed > 0) await requireClearCaches(trx, customerId);
    });
  }

  return {
    /** @throws {Problem} those of the file and of `inWorker`, and `tokenImportRunning` */
    async begin(
      caller: Caller,
      { customerId, fileName, content }: BodyOf<Endpoints['importTokens']>,
    ): Promise<ResultOf<Endpoints['importTokens']>> {
      const task = { fileName, content, locale: caller.locale };
      const worker = new URL('./import-worker.ts', import.meta.url);
      const read = await inWorker<ImportTask, ImportRead>(caller, worker, task, READ_MS);
      if ('problem' in read) throw new Problem(...read.problem);
      const begun = await beginImport(db, {
        ...{ customer_id: customerId, user_id: caller.userId, user_name: caller.userName },
        ...{ file_name: fileName.slice(0, 255), node, total: read.total },
      });
      if ('running' in begun) throw new Problem('tokenImportRunning', { values: { user: begun.running } });
      await logAction(db, caller, {
        ...{ operation: 'new', objectType: 'token', objectId: String(begun.id), objectName: fileName },
        ...{ customerId, siteId: null, after: { file: fileName, rows: read.total } },
      });
      const work = run(caller, begun.id, customerId, read.parts)
        .catch(async (error) => {
          log.error({ err: error, importId: begun.id }, 'an import of tokens was interrupted');
          await endImport(db, begun.id, 'failed').catch(() => undefined);
        })
        .finally(() => {
          running.delete(work);
          changed();
        });
      running.add(work);
      return { id: begun.id };
    },

    async list(
      caller: Caller,
      query: QueryOf<Endpoints['listTokenImports']>,
    ): Promise<ResultOf<Endpoints['listTokenImports']>> {
      const { items, total } = await listImports(caller.scope, db, query.customerId, pageOf(query));
      const ids = items.map(({ id }) => id);
      const faults = ids.length === 0 ? [] : await firstFaults(db, ids, FAULTS_SHOWN);
      return { items: items.map((item) => rowOf(item, faults, caller.locale)), total };
    },

    report(importId: number, locale: Locale): Workbook {
      const rows = async function* (): AsyncGenerator<Cell[][]> {
        for (let after = 0; ; ) {
          const faults = await faultsAfter(db, importId, after, REPORT_BATCH);
          yield faults.map((fault) => [fault.row, fault.value, messagesOf(fault, locale).join(' ')]);
          if (faults.length < REPORT_BATCH) return;
          after = faults.at(-1)!.row;
        }
      };
      const name = inLocale({ en: 'Skipped rows', zh: '跳过的行' }, locale);
      const columns = [
        { heading: inLocale({ en: 'Row', zh: '行号' }, locale), width: 8 },
        { heading: inLocale(TOKEN_COLUMNS.value, locale), width: 28 },
        { heading: inLocale({ en: 'Reason', zh: '原因' }, locale), width: 90 },
      ];
      return { name, content: xlsxOf({ name, columns, rows: rows() }) };
    },

    start: () => failInterrupted(db, node),
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
  };
}

/** Stores the rows of a part that have no problem. Devices get them like any other change. */
async function storePart(
  trx: Kysely<Database>,
  caller: Caller,
  importId: number,
  customerId: number,
  tokens: readonly ReadToken[],
  { sites, seen }: { sites: ReadonlyMap<string, number>; seen: Map<string, number> },
) {
  // Locks the tokens of the customer first, so that nobody changes them between reading and writing.
  // Twice, for values that devices know with another type.
  const revision = await takeRevisions(trx, customerId, tokens.length * 2);
  const stored = await findByKeys(
    trx,
    customerId,
    tokens.map(({ value }) => tokenKey(value)),
  );
  let room = MAX_TOKENS - (await countTokens(trx, customerId));
  const faults: { row: number; value: string; problems: ProblemParts[] }[] = [];
  const written: WrittenToken[] = [];
  const counts = { done: tokens.length, added: 0, changed: 0, unchanged: 0, skipped: 0 };
  for (const token of tokens) {
    const key = tokenKey(token.value);
    const problems = [...token.problems];
    const twice = seen.get(key);
    const field = inLocale(TOKEN_COLUMNS.value, caller.locale);
    if (twice !== undefined && token.value !== '')
      problems.push(['tokenImportTwice', { values: { field, row: twice } }]);
    const siteIds: number[] = [];
    for (const name of token.sites ?? []) {
      const id = sites.get(name.toLowerCase());
      if (id !== undefined) siteIds.push(id);
      else {
        const values = { field: inLocale(TOKEN_COLUMNS.sites, caller.locale), value: name.slice(0, 100) };
        problems.push(['tokenImportSite', { values }]);
      }
    }
    const before = stored.get(key) ?? null;
    if (!before && room <= 0) problems.push(['tooManyTokens', { values: { limit: MAX_TOKENS } }]);
    const after = merged(before, token, siteIds, caller.userName);
    if (problems.length === 0 && after.valid_from && after.valid_until && after.valid_until <= after.valid_from)
      problems.push(['tokenPeriod', { values: { field: inLocale(TOKEN_COLUMNS.validUntil, caller.locale) } }]);
    if (problems.length > 0) {
      counts.skipped += 1;
      faults.push({ row: token.row, value: token.value, problems: problems.slice(0, 8) });
      continue;
    }
    seen.set(key, token.row);
    if (before && isSame(before, after)) counts.unchanged += 1;
    else {
      if (before) counts.changed += 1;
      else {
        counts.added += 1;
        room -= 1;
      }
      written.push(after);
    }
  }
  const retyped = written.flatMap((after) => {
    const before = stored.get(tokenKey(after.value));
    return before && before.type !== after.type ? [before] : [];
  });
  await insertRemoved(trx, customerId, retyped, revision);
  if (written.length > 0) await writeTokens(trx, customerId, written, revision + tokens.length, caller.userName);
  if (faults.length > 0) await insertFaults(trx, importId, faults);
  return counts;
}

/** A token with what its row contains; what the row leaves out stays. */
function merged(before: StoredToken | null, read: ReadToken, siteIds: number[], by: string): WrittenToken {
  const blocked = read.blocked ?? before?.blocked_at != null;
  return {
    value: read.value,
    type: read.type ?? before?.type ?? 'ISO14443',
    group_value: read.group ?? before?.group_value ?? null,
    holder: read.holder ?? before?.holder ?? '',
    note: read.note ?? before?.note ?? '',
    valid_from: read.validFrom === undefined ? (before?.valid_from ?? null) : new Date(read.validFrom),
    valid_until: read.validUntil === undefined ? (before?.valid_until ?? null) : new Date(read.validUntil),
    blocked_at: blocked ? (before?.blocked_at ?? new Date()) : null,
    blocked_by_name: blocked ? (before?.blocked_by_name ?? by) : null,
    concurrent: read.concurrent ?? before?.concurrent ?? false,
    siteIds: read.sites === undefined ? (before?.siteIds ?? []) : [...new Set(siteIds)].sort((a, b) => a - b),
  };
}

function isSame({ id: _, key: __, ...before }: StoredToken, after: WrittenToken): boolean {
  const text = (token: WrittenToken) => JSON.stringify(Object.entries(token).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(before) === text(after);
}

function rowOf(item: ImportRecord, faults: readonly StoredFault[], locale: Locale): WithDates<TokenImport> {
  const { customerId: _, userName: __, ...shown } = item;
  return {
    ...shown,
    faults: faults
      .filter(({ importId }) => importId === item.id)
      .map((fault) => ({ row: fault.row, value: fault.value, problems: messagesOf(fault, locale) })),
  };
}

function messagesOf({ problems }: StoredFault, locale: Locale): string[] {
  return problems.map((parts) => new Problem(...(parts as ProblemParts)).envelope(locale).message);
}
