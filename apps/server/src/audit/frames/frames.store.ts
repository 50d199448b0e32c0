import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope, type Stay, staysInScope } from '../../ports/devices/device-scope.ts';
import { type FrameBatch, unpackFrames } from './packing/batches.ts';
import { actionKey, messageIdKey } from './packing/keys.ts';

/** One entry of the protocol log. */
export interface FrameRecord {
  id: number;
  at: Date;
  type: number;
  action: string | null;
  messageId: string | null;
  body: string | null;
  bytes: number;
  note: string | null;
}

export interface FrameFilters {
  types?: readonly number[] | undefined;
  action?: string | undefined;
  messageId?: string | undefined;
  search?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Up to `limit` matching frames of a device in scope, newest first, before a frame (null: from the end). */
export function listFramesBefore(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  filters: FrameFilters,
  before: number | null,
  limit: number,
): Promise<FrameRecord[]> {
  return listFrames({ scope, db, deviceId, filters, limit, order: 'desc' }, before);
}

/** Up to `limit` matching frames of a device in scope, oldest first, after a frame. */
export function listFramesAfter(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  filters: FrameFilters,
  after: number,
  limit: number,
): Promise<FrameRecord[]> {
  return listFrames({ scope, db, deviceId, filters, limit, order: 'asc' }, after);
}

interface Wanted {
  scope: Scope;
  db: Kysely<Database>;
  deviceId: number;
  filters: FrameFilters;
  limit: number;
  order: 'asc' | 'desc';
}

/** Batches that one query reads: more with each query that did not find enough frames. */
const FEWEST_BATCHES = 2;
const MOST_BATCHES = 16;

/** Frames from the batches and from the frames that are not packed yet, in the order of their IDs. */
async function listFrames(wanted: Wanted, start: number | null): Promise<FrameRecord[]> {
  const { scope, db, deviceId, filters, limit, order } = wanted;
  const stays = await staysInScope(scope, db, deviceId);
  const matches = matcher(filters, stays);
  const found: FrameRecord[] = [];
  let most = FEWEST_BATCHES;
  for (let cursor: number | null = start; found.length < limit; most = Math.min(2 * most, MOST_BATCHES)) {
    const { batches, unpacked } = await readPart(wanted, cursor, most);
    // Beyond the end, other rows may come between those that were read.
    const end = nearest(order, [
      batches.length === most ? (order === 'desc' ? batches.at(-1)?.firstId : batches.at(-1)?.lastId) : undefined,
      unpacked.length === limit ? unpacked.at(-1)?.id : undefined,
    ]);
    const isWithin = (id: number) =>
      (cursor === null || (order === 'desc' ? id < cursor : id > cursor)) &&
      (end === null || (order === 'desc' ? id >= end : id <= end));
    const part = unpacked.filter(({ id }) => isWithin(id));
    for (const batch of batches) {
      if (end !== null && (order === 'desc' ? batch.lastId < end : batch.firstId > end)) continue;
      for (const { connectionId: _, ...frame } of await unpackFrames(batch, filters.messageId)) {
        if (isWithin(frame.id) && matches(frame)) part.push(frame);
      }
    }
    part.sort((one, other) => (order === 'desc' ? other.id - one.id : one.id - other.id));
    for (const frame of part) found.push(frame);
    if (end === null) break;
    cursor = end;
  }
  return found.slice(0, limit);
}

/** The end that comes first in an order; null if there is none. */
function nearest(order: 'asc' | 'desc', ends: readonly (number | undefined)[]): number | null {
  const some = ends.filter((end) => end !== undefined);
  if (some.length === 0) return null;
  return order === 'desc' ? Math.max(...some) : Math.min(...some);
}

type BatchPart = Pick<FrameBatch, 'firstId' | 'lastId' | 'dictionary' | 'data'>;

/**
 * The next batches and frames beyond a cursor. One statement reads both, so that it finds a frame that is packed
 * meanwhile exactly once.
 */
async function readPart(
  { scope, db, deviceId, filters, limit, order }: Wanted,
  cursor: number | null,
  most: number,
): Promise<{ batches: BatchPart[]; unpacked: FrameRecord[] }> {
  const beyond = (first: string, last: string) => {
    if (cursor === null) return sql<SqlBool>`true`;
    return order === 'desc' ? sql<SqlBool>`${sql.ref(first)} < ${cursor}` : sql<SqlBool>`${sql.ref(last)} > ${cursor}`;
  };
  const direction = sql.raw(order);
  const { rows } = await sql<FrameRecord & BatchPart>`
    (select null::bigint as id, null::timestamptz as at, null::smallint as type, null as action, null as "messageId",
            null as body, null::int as bytes, null as note, first_id as "firstId", last_id as "lastId", dictionary, data
       from frame_batches
      where ${inBatches(scope, deviceId, filters)} and ${beyond('first_id', 'last_id')}
      order by last_id ${direction} limit ${most})
    union all
    (select id, at, type, action, message_id, body, bytes, note, null, null, null, null
       from protocol_frames
      where ${inFrames(scope, deviceId, filters)} and ${beyond('id', 'id')}
      order by id ${direction} limit ${limit})`.execute(db);
  return {
    batches: rows.filter(({ id }) => id === null),
    unpacked: rows
      .filter(({ id }) => id !== null)
      .map(({ firstId: _f, lastId: _l, dictionary: _d, data: _, ...frame }) => frame),
  };
}

const DAY_MS = 86_400_000;

/** The batches that may have matching frames. */
function inBatches(scope: Scope, deviceId: number, filters: FrameFilters): RawBuilder<SqlBool> {
  // Not `@>`, so that the index of keys is not used: it would find the batches of all devices.
  const keys = keysWanted(filters).map((key) => sql<SqlBool>`${key} = any(keys)`);
  return sql.join([sql`device_id = ${deviceInScope(scope, deviceId)}`, ...keys, ...batchTimes(filters)], sql` and `);
}

/** The numbers that a batch with matching frames has. */
export function keysWanted({ action, messageId }: FrameFilters): number[] {
  return [
    ...(action === undefined ? [] : [actionKey(action)]),
    ...(messageId === undefined ? [] : [messageIdKey(messageId)]),
  ];
}

/** Conditions for batches that may have frames of a time range. */
export function batchTimes({ from, to }: FrameFilters): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (from !== undefined) {
    // A batch begins on the day of its last frame: this selects partitions.
    const day = new Date(Math.floor(from.getTime() / DAY_MS) * DAY_MS);
    conditions.push(sql`last_at >= ${from} and at >= ${day}`);
  }
  if (to !== undefined) conditions.push(sql`at < ${to}`);
  return conditions;
}

function inFrames(scope: Scope, deviceId: number, filters: FrameFilters): RawBuilder<SqlBool> {
  const place = [sql<SqlBool>`device_id = ${deviceInScope(scope, deviceId)}`, duringStayInScope(scope, deviceId, 'at')];
  return sql.join([...place, ...frameConditions(filters)], sql` and `);
}

/** Conditions for frames that are not packed. */
export function frameConditions(filters: FrameFilters): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (filters.types !== undefined) conditions.push(sql`type = any(${[...filters.types]}::smallint[])`);
  if (filters.action !== undefined) conditions.push(sql`action = ${filters.action}`);
  if (filters.messageId !== undefined) conditions.push(sql`message_id = ${filters.messageId}`);
  if (filters.from !== undefined) conditions.push(sql`at >= ${filters.from}`);
  if (filters.to !== undefined) conditions.push(sql`at < ${filters.to}`);
  if (filters.search !== undefined) {
    const pattern = anywhere(filters.search);
    conditions.push(
      sql`(body ilike ${pattern} or action ilike ${pattern} or message_id ilike ${pattern} or note ilike ${pattern})`,
    );
  }
  return conditions;
}

/** The same conditions for a frame of a batch. */
export function matcher(
  { types, action, messageId, search, from, to }: FrameFilters,
  stays: readonly Stay[] | null,
): (frame: FrameRecord) => boolean {
  const wanted = search?.toLowerCase();
  return (frame) => {
    const at = frame.at.getTime();
    return (
      (types === undefined || types.includes(frame.type)) &&
      (action === undefined || frame.action === action) &&
      (messageId === undefined || frame.messageId === messageId) &&
      (from === undefined || at >= from.getTime()) &&
      (to === undefined || at < to.getTime()) &&
      (stays === null || stays.some((stay) => stay.from <= at && at < stay.to)) &&
      (wanted === undefined ||
        [frame.body, frame.action, frame.messageId, frame.note].some((text) => text?.toLowerCase().includes(wanted)))
    );
  };
}
