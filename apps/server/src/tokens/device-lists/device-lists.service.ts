import { randomUUID } from 'node:crypto';
import type { QueryOf, ResultOf, tokenEndpoints } from '@chargehand/contract';
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
import { findDevicePlace, logAction } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Log } from '../../platform/log.ts';
import type {
  TokenListCall,
  TokenListCalls,
  TokenListCommands,
  TokenListEnd,
} from '../../ports/devices/token-lists.ts';
import { mayEditTokens } from '../list/tokens.service.ts';
import {
  addDevices,
  beginPeriods,
  changedSlice,
  commitWithoutFlush,
  countChanges,
  type Devices,
  findEnded,
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
import { listQueue, type Step } from './list-queue.ts';

type Endpoints = typeof tokenEndpoints;
export type DeviceListsService = ReturnType<typeof deviceLists>;

/** Changes and boots within this time are one query. */
const SOON_MS = 500;
/** Repeated attempts, periods that begin, and what a restart left. Everything else begins with an event. */
const SWEEP_MS = 30_000;
/** Devices of one query. */
const DUE = 1_000;
const CLEANUP_MS = 3_600_000;
/** Devices that were not connected for longer get the full list. */
const REMOVED_DAYS = 90;
/** Checksums that are kept: devices of a site have the same one. */
const SUMMARIES_KEPT = 64;
/** Parts of lists that are kept, of at most 400 entries each: devices of a site have the same ones. */
const SLICES_KEPT = 64;

/** The content of commands for lists, as planned with `device_token_lists`. */
export function tokenListCalls(db: Kysely<Database>): PlannedLists {
  const calls = new Map<string, TokenListCall>();
  return {
    plan(executionId, call) {
      calls.set(executionId, call);
    },
    forget(executionId) {
      calls.delete(executionId);
    },
    async callOf(deviceId, executionId) {
      const known = calls.get(executionId);
      if (known) return known;
      // Planned by a process that ended.
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

export interface PlannedLists extends TokenListCalls {
  /** Keeps the content of a command until it is forgotten. */
  plan(executionId: string, call: TokenListCall): void;
  forget(executionId: string): void;
}

/** Keeps the local authorization lists of devices equal to the tokens of their sites. */
export function deviceLists(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  commands: TokenListCommands;
  planned: PlannedLists;
}) {
  const { db, clock, log, commands, planned } = parts;
  /** devices whose lists wait for commands of people */
  const busy = new Set<number>();
  /** devices of the next query */
  let soon: Set<number> | 'all' | null = null;
  let asking: Promise<void> = Promise.resolve();
  let isMore = false;
  let stopping = false;

  /** Takes the answer of a device, if there is one, and plans the next message to it. */
  async function advance(deviceId: number): Promise<Step> {
    busy.delete(deviceId);
    try {
      return await db.transaction().execute(async (trx) => {
        // The claim of the message flushes it before the message is sent. What a crash of the database loses without a
        // message is found by the sweep.
        await commitWithoutFlush(trx);
        const list = await lockList(trx, deviceId);
        if (!list) return null;
        const now = await settled(trx, list);
        if (now === 'runs') return { executionId: list.executionId!, send: false };
        const executionId = now && (await begin(trx, now));
        return executionId === null ? null : { executionId, send: true };
      });
    } catch (error) {
      log.warn({ err: error, deviceId }, 'the local list of a device was not updated');
      return null;
    }
  }

  /** The list after the end of its command; null before the next attempt. */
  async function settled(trx: Transaction<Database>, list: LockedList): Promise<LockedList | 'runs' | null> {
    const { deviceId, executionId } = list;
    if (executionId === null) return list;
    const end = await commands.endOf(trx, executionId);
    if (end === null) return 'runs';
    planned.forget(executionId);
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
      busy.add(deviceId);
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
        // Revisions without a change of this customer's tokens need no message.
        known: { ...known, revision: Math.max(known.revision ?? 0, list.revision) },
        ...{ state: 'equal', detail: null, pauseMs: 0 },
        equal: { checksum: summary.checksum, entries, leftOut: summary.total - entries },
      });
      return null;
    }
    if (step.do === 'read') return await queue({ known, state: 'sending', command: 'read' });
    const slice = await slices.of(step.do, place, list.revision, step.after, step.limit, capability.atMost);
    const call = { do: 'send', full: step.do === 'full' && step.after === 0, version: step.version } as const;
    const change = { known: listSent(known, step, slice, wanted), state: 'sending', command: 'send' } as const;
    const queued = await queue(change);
    if (queued !== null) planned.plan(queued, { ...call, entries: slice.entries });
    return queued;
  }

  // By the revision: what changed after it was read has a later one, and is sent then.
  const slices = remembered(
    SLICES_KEPT,
    (kind: 'full' | 'differential', place: string, _: number, after: number, limit: number, atMost: number | null) =>
      kind === 'full' ? fullSlice(db, place, after, limit, atMost) : changedSlice(db, place, after, limit),
  );
  const summaries = remembered(SUMMARIES_KEPT, (place: string, _revision: number, atMost: number | null) =>
    summaryOf(db, place, atMost),
  );

  async function find(devices: Devices): Promise<void> {
    await addDevices(db, devices);
    const due = await listDue(db, devices, DUE);
    if (due.length === DUE) isMore = true;
    queue.add(due);
  }

  /** Looks for what is to do for some devices, together with other changes of that time. */
  function changed(devices: Devices): void {
    if (stopping || devices.length === 0) return;
    const first = soon === null;
    if (devices === 'all' || soon === 'all') soon = 'all';
    else soon = new Set([...(soon ?? []), ...devices]);
    if (!first) return;
    clock.after(SOON_MS, () => {
      asking = asking.then(async () => {
        const wanted = soon;
        soon = null;
        if (stopping || wanted === null) return;
        // What fails waits for the sweep.
        await find(wanted === 'all' ? 'all' : [...wanted]).catch((error) => log.warn({ err: error }, NOT_COMPARED));
      });
    });
  }

  const queue = listQueue({
    clock,
    step: advance,
    send: commands.send,
    onEmpty() {
      if (isMore) changed('all');
      isMore = false;
    },
  });

  const job = clock.repeat(
    async () => {
      await beginPeriods(db);
      for (const ended of await findEnded(db, queue.open())) queue.onAnswered(ended.deviceId, ended.executionId);
      if (!stopping) await find('all');
    },
    { job: 'tokenLists', everyMs: SWEEP_MS, log, failed: NOT_COMPARED },
  );
  const cleanup = clock.repeat(
    async () => {
      await clock.deleteOld('tokens', (now) => forgetRemoved(db, new Date(now.getTime() - REMOVED_DAYS * 86_400_000)));
    },
    { job: 'tokenCleanup', everyMs: CLEANUP_MS, log, failed: 'removed tokens wait for the next cleanup' },
  );

  return {
    /** Commands that ended: the next messages of their devices follow, or lists that waited for them. */
    onAnswered(executions: readonly { deviceId: number; executionId: string }[]): void {
      const others = executions.filter(({ deviceId, executionId }) => !queue.onAnswered(deviceId, executionId));
      changed(others.map(({ deviceId }) => deviceId).filter((id) => busy.has(id)));
    },
    /** Devices that connected or booted, or all after a change of tokens or policies. */
    changed,

    async list(
      caller: Caller,
      query: QueryOf<Endpoints['listDeviceTokenLists']>,
    ): Promise<ResultOf<Endpoints['listDeviceTokenLists']>> {
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
            verifiedAt,
            equalAt,
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
        const { name, customerId, siteId } = await findDevicePlace(trx, deviceId);
        await logAction(trx, caller, {
          ...{ operation: 'control', objectType: 'tokenList', objectId: String(deviceId), objectName: name },
          ...{ customerId, siteId, after: {} },
        });
      });
      changed([deviceId]);
      return null;
    },

    start() {
      job.startLater();
      cleanup.startLater();
    },
    async stop() {
      stopping = true;
      await Promise.all([job.stop(), cleanup.stop(), queue.stop(), asking]);
    },
  };
}

const NOT_COMPARED = 'the local lists of devices were not compared';

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
