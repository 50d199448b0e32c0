import { randomUUID } from 'node:crypto';
import type { AnswerOf, QueryOf, tokenEndpoints } from '@chargehand/contract';
import {
  EXECUTION_RESULTS,
  type KnownList,
  type ListAnswer,
  listAnswered,
  listCapability,
  listDoubted,
  listPause,
  listReported,
  listSent,
  nextListStep,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Log } from '../../platform/log.ts';
import type { TokenListCommands, TokenListDesk, TokenListEnd } from '../../ports/devices/token-lists.ts';
import { mayEditTokens } from '../list/tokens.service.ts';
import {
  addDevices,
  beginPeriods,
  changedSlice,
  countChanges,
  countOpen,
  findPlanned,
  forgetRemoved,
  fullSlice,
  type ListChange,
  type LockedList,
  listDue,
  listLists,
  listParameters,
  lockList,
  requireFull,
  summaryOf,
  writeList,
} from './device-lists.store.ts';

type Endpoints = typeof tokenEndpoints;
export type DeviceListsService = ReturnType<typeof deviceLists>;

/**
 * Messages to all devices that are open at a time. With more, a change of ten thousand tokens would delay the messages
 * of devices.
 */
const PARALLEL = 4;
const CHECK_MS = 2_000;
/** Between two steps of a device while people's commands wait for it. */
const BUSY_MS = 5_000;
const CLEANUP_MS = 3_600_000;
/** Devices that were not connected for longer get the full list. */
const REMOVED_DAYS = 90;
/** Checksums that are kept: devices of a site have the same one. */
const SUMMARIES_KEPT = 64;

/** The content of commands for lists, as planned with `device_token_lists`. */
export function tokenListDesk(db: Kysely<Database>): TokenListDesk {
  return {
    async callOf(deviceId, executionId) {
      const planned = await findPlanned(db, deviceId, executionId);
      if (!planned) return null;
      const { command, version, full, after, cursor, place } = planned;
      if (command === 'clearCache' || command === 'read') return { do: command };
      if (version === null || place === null) return null;
      // As many as were planned: tokens that changed since then have a later revision, and come with it.
      const slice = full
        ? await fullSlice(db, place, after, SLICE_LIMIT, null)
        : await changedSlice(db, place, after, SLICE_LIMIT);
      const entries = slice.entries.slice(0, slice.cursors.filter((one) => one <= cursor).length);
      return { do: 'send', full: full && after === 0, version, entries };
    },
  };
}

/** More than any message has. */
const SLICE_LIMIT = 1_000;

/** Keeps the local authorization lists of devices equal to the tokens of their sites. */
export function deviceLists(parts: { db: Kysely<Database>; clock: Clock; log: Log; commands: TokenListCommands }) {
  const { db, clock, log, commands } = parts;
  /** commands of this process whose answers are awaited */
  const open = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  /** Takes the answer of a device, if there is one, and sends the next message to it. */
  async function advance(deviceId: number): Promise<void> {
    const executionId = await db.transaction().execute(async (trx) => {
      const list = await lockList(trx, deviceId);
      if (!list) return null;
      const now = await settled(trx, list);
      return now ? await begin(trx, now) : null;
    });
    if (executionId === null) return;
    open.set(executionId, deviceId);
    await commands.send(deviceId);
  }

  /** The list after the end of its command; null while the command runs, or before the next attempt. */
  async function settled(trx: Transaction<Database>, list: LockedList): Promise<LockedList | null> {
    const { deviceId, executionId } = list;
    if (executionId === null) return list;
    const end = await commands.endOf(trx, executionId);
    if (end === null) return null;
    open.delete(executionId);
    await commands.forget(trx, executionId);
    const change = list.command === 'clearCache' ? clearedBy(end) : endedBy(list.known, list.command === 'read', end);
    await writeList(trx, deviceId, { ...change, executionId: null, command: null });
    const { known = list.known, state = list.state, pauseMs = 0 } = change;
    if (pauseMs > 0) return null;
    const clearCacheSince = change.clearing === 'done' ? null : list.clearCacheSince;
    const booted = list.booted && !change.verified;
    return { ...list, known, state, executionId: null, clearCacheSince, booted, stale: false, command: null };
  }

  /** Plans the next message. Returns the id of its command; null when there is nothing to do, or others come first. */
  async function begin(trx: Transaction<Database>, list: LockedList): Promise<string | null> {
    const { deviceId, place } = list;
    if (!list.connected || stopping) return null;
    const executionId = randomUUID();
    const queue = async (change: ListChange): Promise<string | null> => {
      if (await commands.begin(trx, { id: deviceId, siteId: list.siteId }, executionId)) {
        await writeList(trx, deviceId, { ...change, executionId });
        return executionId;
      }
      await writeList(trx, deviceId, { pauseMs: BUSY_MS });
      return null;
    };
    // First, because a blocked token is accepted from the cache until then.
    if (list.clearCacheSince !== null) return await queue({ clearing: 'begins', command: 'clearCache' });
    // A device without a list that needs none.
    if (place === 'empty' && list.known.place === null && list.known.sent === null) return null;
    const capability = listCapability(await listParameters(trx, deviceId));
    if (typeof capability === 'string') {
      await writeList(trx, deviceId, { state: capability, verified: true, known: { ...list.known, sent: null } });
      return null;
    }
    if (!list.booted && (list.state === 'unsupported' || list.state === 'off')) return null;
    const known = list.booted || list.stale ? listDoubted(list.known) : list.known;
    const summary = await summaries.of(place, list.revision, capability.atMost);
    const changes =
      place === 'empty' || known.revision === null ? 0 : await countChanges(trx, list.customerId, known.revision);
    const wanted = { place, revision: list.revision, entries: summary.total, changes, forgotten: list.forgotten };
    const step = nextListStep(known, wanted, capability);
    if (step.do === 'nothing') {
      const entries = Math.min(summary.total, capability.atMost ?? summary.total);
      await writeList(trx, deviceId, {
        ...{ known, state: 'equal', detail: null, pauseMs: 0 },
        equal: { checksum: summary.checksum, entries, leftOut: summary.total - entries },
      });
      return null;
    }
    if (step.do === 'read') return await queue({ known, state: 'sending', command: 'read' });
    const slice =
      step.do === 'full'
        ? await fullSlice(trx, place, step.after, step.limit, capability.atMost)
        : await changedSlice(trx, place, step.after, step.limit);
    return await queue({ known: listSent(known, step, slice, wanted), state: 'sending', command: 'send' });
  }

  const summaries = remembered(SUMMARIES_KEPT, (place: string, _revision: number, atMost: number | null) =>
    summaryOf(db, place, atMost),
  );
  function run(deviceId: number): Promise<void> {
    const work = advance(deviceId)
      .catch((error) => log.warn({ err: error, deviceId }, 'the local list of a device was not updated'))
      .finally(() => underWay.delete(work));
    underWay.add(work);
    return work;
  }

  async function check(): Promise<void> {
    await beginPeriods(db);
    await addDevices(db);
    const room = PARALLEL - (await countOpen(db));
    if (room <= 0 || stopping) return;
    await Promise.all((await listDue(db, room)).map(run));
  }

  const job = clock.repeat(check, {
    ...{ job: 'tokenLists', everyMs: CHECK_MS, log, failed: 'the local lists of devices were not compared' },
  });
  const cleanup = clock.repeat(
    async () => {
      await clock.deleteOld('tokens', (now) => forgetRemoved(db, new Date(now.getTime() - REMOVED_DAYS * 86_400_000)));
    },
    { job: 'tokenCleanup', everyMs: CLEANUP_MS, log, failed: 'removed tokens wait for the next cleanup' },
  );

  return {
    /** Commands that ended. The next messages of their devices follow at once, or those of other devices. */
    onAnswered(executions: readonly { deviceId: number; executionId: string }[]): void {
      if (stopping) return;
      for (const { executionId, deviceId } of executions) {
        if (open.get(executionId) === deviceId) void run(deviceId).then(() => job.wake());
      }
    },
    /** Tokens or policies changed. */
    changed: () => job.wake(),
    check,

    async list(
      caller: Caller,
      query: QueryOf<Endpoints['listDeviceTokenLists']>,
    ): Promise<AnswerOf<Endpoints['listDeviceTokenLists']>> {
      const order = listOrder(query.sort, 'sn');
      const filters = { ...query, search: searchOf(query.search), state: query.listState };
      const { items, total } = await listLists(caller.scope, db, filters, order, pageOf(query));
      const mayResend = mayEditTokens(caller);
      const rows = await Promise.all(
        items.map(async ({ place, revision, verifiedAt, equalAt, ...row }) => {
          const wanted = await summaries.of(place, revision, row.leftOut > 0 ? row.entries : null);
          return {
            ...row,
            wantedChecksum: wanted.checksum,
            wantedEntries: wanted.total,
            verifiedAt: verifiedAt?.toISOString() ?? null,
            equalAt: equalAt?.toISOString() ?? null,
            mayResend,
          };
        }),
      );
      return { items: rows, total };
    },

    /** @throws {Problem} tokenNoList */
    async resend(caller: Caller, deviceId: number): Promise<null> {
      await db.transaction().execute(async (trx) => {
        if (!(await requireFull(trx, deviceId))) throw new Problem('tokenNoList');
        const device = await trx
          .selectFrom('devices')
          .select(['name', 'customer_id as customerId', 'site_id as siteId'])
          .where('id', '=', deviceId)
          .executeTakeFirstOrThrow();
        const { name, customerId, siteId } = device;
        await logAction(trx, caller, {
          ...{ operation: 'control', objectType: 'tokenList', objectId: String(deviceId), objectName: name },
          ...{ customerId, siteId, after: {} },
        });
      });
      job.wake();
      return null;
    },

    start() {
      job.startLater();
      cleanup.startLater();
    },
    async stop() {
      stopping = true;
      await Promise.all([job.stop(), cleanup.stop()]);
      await Promise.all(underWay);
    },
  };
}

/** What the end of a message says about the list. */
function endedBy(known: KnownList, isRead: boolean, end: TokenListEnd | 'gone'): ListChange {
  const { result, reason, detail } = end === 'gone' ? LOST : end;
  if (reason === 'notSupported' || detail === 'NotSupported')
    return { known: { ...known, sent: null, full: null, verify: false }, state: 'unsupported', verified: true, detail };
  if (isRead) {
    const version = result === EXECUTION_RESULTS.success ? Number(detail) : Number.NaN;
    // -1: the charge point has no list (OCPP 1.6 §5.10).
    if (version < 0)
      return { known: { ...known, sent: null, verify: false }, state: 'unsupported', verified: true, detail: null };
    return Number.isInteger(version)
      ? { known: listReported(known, version), verified: true, detail: null }
      : failed(known, detail ?? reason);
  }
  const answer: ListAnswer = answerOf(result, detail);
  const next = listAnswered(known, answer);
  return answer === 'accepted' ? { known: next, detail: null } : failedAnswer(next, detail ?? reason);
}

const LOST: TokenListEnd = { result: EXECUTION_RESULTS.timeout, reason: null, detail: null };
/** After so many failures the page says that the list is not up to date. */
const FAILED_AFTER = 2;

function answerOf(result: number, detail: string | null): ListAnswer {
  if (result === EXECUTION_RESULTS.success) return 'accepted';
  if (detail === 'VersionMismatch') return 'mismatch';
  return result === EXECUTION_RESULTS.failure ? 'failed' : 'lost';
}

function failed(known: KnownList, detail: string | null): ListChange {
  return failedAnswer({ ...known, failures: known.failures + 1 }, detail);
}

function failedAnswer(known: KnownList, detail: string | null): ListChange {
  const state = known.failures >= FAILED_AFTER ? 'failed' : 'sending';
  return { known, state, detail: detail?.slice(0, 500) ?? null, pauseMs: listPause(known.failures) };
}

function clearedBy(end: TokenListEnd | 'gone'): ListChange {
  const { result } = end === 'gone' ? LOST : end;
  // A device that rejects it has no cache (OCPP 1.6 §5.4), so nothing is left to clear.
  const done = result === EXECUTION_RESULTS.success || result === EXECUTION_RESULTS.failure;
  return done ? { clearing: 'done' } : { clearing: 'failed', pauseMs: listPause(1) };
}

/** Keeps the latest results of a function by its arguments. */
function remembered<A extends readonly unknown[], R>(most: number, load: (...args: A) => Promise<R>) {
  const known = new Map<string, Promise<R>>();
  return {
    of(...args: A): Promise<R> {
      const key = JSON.stringify(args);
      const found = known.get(key);
      if (found) return found;
      const loading = load(...args);
      known.set(key, loading);
      loading.catch(() => known.delete(key));
      if (known.size > most) known.delete(known.keys().next().value!);
      return loading;
    },
  };
}
