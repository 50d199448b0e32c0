import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { withinScope } from '../../../platform/database/scope.ts';
import type { Stay } from '../../../ports/devices/device-scope.ts';
import {
  batchTimes,
  type FrameFilters,
  type FrameRecord,
  frameConditions,
  keysWanted,
  matcher,
} from '../frames.store.ts';
import { type FrameBatch, unpackFrames } from '../packing/batches.ts';

/** A frame with its device. */
export interface FleetFrame extends FrameRecord {
  deviceId: number;
  sn: string;
  deviceName: string;
  deviceModelId: number;
}

export interface FleetFilters extends FrameFilters {
  deviceId?: number | undefined;
  /** the frames of the time when their device was at this site */
  siteId?: number | undefined;
}

/** A part of the log of all devices, newest first. */
export interface FleetPart {
  frames: FleetFrame[];
  /** `before` of the next part; null at the start of the log */
  next: number | null;
  /** how far the log was read when the limits of one request ended it */
  searchedTo: Date | null;
  /** not all batches at this place of the log were read */
  gaps: boolean;
}

/** Batches that one request reads at most. Unpacking one takes a millisecond or two. */
const MOST_BATCHES = 400;
const FEWEST_AT_ONCE = 8;
const MOST_AT_ONCE = 64;
/** Rows that one query looks through, more with each query, and all of them together. */
const FEWEST_ROWS = 1_000;
const MOST_ROWS_AT_ONCE = 20_000;
const MOST_ROWS = 200_000;
/** Skipped frames are counted up to this number. */
const MOST_COUNTED = 10_000;

/**
 * Matching frames of the devices in scope, newest first, between two IDs. It stops after a limited number of batches and
 * rows, so that no request takes long, however large the log is.
 */
export async function listFleetFrames(
  scope: Scope,
  db: Kysely<Database>,
  filters: FleetFilters,
  { before, after, limit }: { before: number | null; after: number; limit: number },
): Promise<FleetPart> {
  // One snapshot, so that a frame that is packed meanwhile is found exactly once.
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const reading = { trx, scope, filters, before, after, limit };
      const rows = new Rows(reading);
      const batches = new Batches(reading);
      const found: FleetFrame[] = [];
      for (;;) {
        // The source that has been read less far back.
        const source = rows.end >= batches.end ? rows : batches;
        for (const frame of await source.read()) found.push(frame);
        const end = Math.max(rows.end, batches.end);
        const complete = found.filter(({ id }) => id >= end).sort((one, other) => other.id - one.id);
        if (complete.length >= limit || end === START) {
          const frames = complete.slice(0, limit);
          const isAll = end === START && complete.length <= limit;
          return { frames, next: isAll ? null : (frames.at(-1)?.id ?? null), searchedTo: null, gaps: false };
        }
        if (!source.isSpent) continue;
        if (before === null || end < before)
          return { frames: complete, next: end, searchedTo: source.endAt, gaps: false };
        const some = found.sort((one, other) => other.id - one.id).slice(0, limit);
        return { frames: some, next: some.at(-1)?.id ?? null, searchedTo: source.endAt, gaps: true };
      }
    });
}

/** How many matching frames that are not packed are between two IDs, at most `MOST_COUNTED`. */
export async function countUnpacked(
  scope: Scope,
  db: Kysely<Database>,
  filters: FleetFilters,
  { after, before }: { after: number; before: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from protocol_frames f join devices d on d.id = f.device_id
       where f.id > ${after} and f.id < ${before} and ${all([...devices(scope, filters), ...rowConditions(scope, filters)])}
       limit ${MOST_COUNTED}) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** All frames were read. */
const START = -1;

/** What is read, and from where. */
interface Reading {
  trx: Transaction<Database>;
  scope: Scope;
  filters: FleetFilters;
  before: number | null;
  after: number;
  limit: number;
}

/** One of the two places of frames, read from the newest to the oldest. */
abstract class Source {
  /** the ID down to which all frames were read */
  end = Number.POSITIVE_INFINITY;
  endAt: Date | null = null;
  protected readonly reading: Reading;
  /** what one request may still read */
  protected left: number;
  /** what the next query reads */
  protected most: number;

  constructor(reading: Reading, { left, first }: { left: number; first: number }) {
    this.reading = reading;
    this.left = left;
    this.most = first;
  }

  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** The next matching frames. */
  abstract read(): Promise<FleetFrame[]>;
}

/** Frames that are not packed. */
class Rows extends Source {
  constructor(reading: Reading) {
    super(reading, { left: MOST_ROWS, first: FEWEST_ROWS });
  }

  async read(): Promise<FleetFrame[]> {
    const { trx, scope, filters, before, after, limit } = this.reading;
    const { from, to, messageId, deviceId } = filters;
    const below = Math.min(this.end, before ?? Number.MAX_SAFE_INTEGER);
    // The frames of one device, and a message ID, are looked for in all rows at once.
    const isNarrow = messageId !== undefined || deviceId !== undefined;
    const most = isNarrow ? limit : this.most;
    const near = [sql<SqlBool>`f.id < ${below}`, sql<SqlBool>`f.id > ${after}`];
    if (from !== undefined) near.push(sql`f.at >= ${from}`);
    if (to !== undefined) near.push(sql`f.at < ${to}`);
    const wanted = all([...devices(scope, filters), ...rowConditions(scope, filters)]);
    const { rows } = await sql<FleetFrame>`
      with near as not materialized (
        select f.* from protocol_frames f where ${all(near)} ${isNarrow ? sql`` : sql`order by f.id desc limit ${most}`})
      select f.id, f.at, f.type, f.action, f.message_id as "messageId", f.body, f.bytes, f.note, f.device_id as "deviceId",
             d.sn, d.name as "deviceName", d.device_model_id as "deviceModelId"
        from near f join devices d on d.id = f.device_id
       where ${wanted} order by f.id desc limit ${most}`.execute(trx);
    if (isNarrow) {
      this.end = rows.length < most ? START : rows.at(-1)!.id;
      this.endAt = rows.at(-1)?.at ?? null;
      return rows;
    }
    const looked = await sql<{ id: number; at: Date }>`
      select f.id, f.at from protocol_frames f where ${all(near)} order by f.id desc offset ${most - 1} limit 1`.execute(
      trx,
    );
    const last = looked.rows[0];
    this.end = last?.id ?? START;
    this.endAt = last?.at ?? null;
    this.left -= most;
    this.most = Math.min(4 * most, MOST_ROWS_AT_ONCE);
    return rows;
  }
}

type FoundBatch = Pick<FrameBatch, 'lastId' | 'lastAt' | 'dictionary' | 'data'> &
  Pick<FleetFrame, 'deviceId' | 'sn' | 'deviceName' | 'deviceModelId'>;

/** The frames of batches, those with the newest frames first. */
class Batches extends Source {
  constructor(reading: Reading) {
    super(reading, { left: MOST_BATCHES, first: FEWEST_AT_ONCE });
  }

  async read(): Promise<FleetFrame[]> {
    const { trx, scope, filters, before, after } = this.reading;
    const most = Math.min(this.most, this.left);
    const batches = await this.#find(most);
    const last = batches.at(-1);
    this.end = last && batches.length === most ? last.lastId : START;
    this.endAt = last?.lastAt ?? null;
    this.left -= most;
    this.most = Math.min(2 * most, MOST_AT_ONCE);
    const stays = await staysOf(trx, scope, filters, batches);
    const found: FleetFrame[] = [];
    for (const { deviceId, sn, deviceName, deviceModelId, ...batch } of batches) {
      const matches = matcher(filters, stays && (stays.get(deviceId) ?? []));
      for (const { connectionId: _, ...frame } of await unpackFrames(batch, filters.messageId)) {
        const isNear = frame.id > after && (before === null || frame.id < before);
        if (isNear && matches(frame)) found.push({ ...frame, deviceId, sn, deviceName, deviceModelId });
      }
    }
    return found;
  }

  async #find(most: number): Promise<FoundBatch[]> {
    const { trx, scope, filters, before, after } = this.reading;
    const { deviceId, messageId } = filters;
    const keys = keysWanted(filters);
    const near = [sql<SqlBool>`b.last_id > ${after}`, ...batchTimes(filters)];
    if (before !== null) near.push(sql`b.first_id < ${before}`);
    if (Number.isFinite(this.end)) near.push(sql`b.last_id < ${this.end}`);
    // A message ID is in few batches: the index of keys finds them before they are sorted.
    const isRare = messageId !== undefined && deviceId === undefined;
    if (isRare) near.push(sql`b.keys @> ${`{${keys.join(',')}}`}::int[]`);
    else for (const key of keys) near.push(sql`${key} = any(b.keys)`);
    if (deviceId !== undefined) near.push(sql`b.device_id = ${deviceId}`);
    const source = isRare
      ? sql`with b as materialized (select * from frame_batches b where ${all(near)})`
      : sql`with b as not materialized (select * from frame_batches b where ${all(near)})`;
    const { rows } = await sql<FoundBatch>`
      ${source}
      select b.last_id as "lastId", b.last_at as "lastAt", b.dictionary, b.data, b.device_id as "deviceId", d.sn,
             d.name as "deviceName", d.device_model_id as "deviceModelId"
        from b join devices d on d.id = b.device_id
       where ${all(devices(scope, filters))}
       order by b.last_id desc limit ${most}`.execute(trx);
    return rows;
  }
}

function all(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` and `);
}

/** Conditions for the devices `d` of a scope, and of a filter. */
function devices(scope: Scope, { deviceId, siteId }: FleetFilters): RawBuilder<SqlBool>[] {
  const conditions = [withinScope(scope, 'd.customer_id', 'd.site_id')];
  if (deviceId !== undefined) conditions.push(sql`d.id = ${deviceId}`);
  if (siteId !== undefined) {
    conditions.push(
      sql`d.id = any(array(select stay.device_id from device_stays stay where stay.site_id = ${siteId}))`,
    );
  }
  return conditions;
}

/** True when each frame must be within a stay of its device in scope, or at a site. */
function needsStays(scope: Scope, { siteId }: FleetFilters): boolean {
  return scope.customers !== 'all' || scope.sites !== 'all' || siteId !== undefined;
}

function stayConditions(scope: Scope, { siteId }: FleetFilters): RawBuilder<SqlBool> {
  const within = withinScope(scope, 'stay.customer_id', 'stay.site_id');
  return siteId === undefined ? within : sql<SqlBool>`${within} and stay.site_id = ${siteId}`;
}

function rowConditions(scope: Scope, filters: FleetFilters): RawBuilder<SqlBool>[] {
  const conditions = frameConditions(filters);
  if (needsStays(scope, filters)) {
    conditions.push(
      sql`exists (select from device_stays stay where stay.device_id = f.device_id and ${stayConditions(scope, filters)}
                     and f.at >= stay.began_at and f.at < stay.ended_at)`,
    );
  }
  return conditions;
}

/** The stays in scope of the devices of some batches; null if all times are in scope. */
async function staysOf(
  trx: Transaction<Database>,
  scope: Scope,
  filters: FleetFilters,
  batches: readonly FoundBatch[],
): Promise<Map<number, Stay[]> | null> {
  if (!needsStays(scope, filters)) return null;
  const ids = [...new Set(batches.map(({ deviceId }) => deviceId))];
  const { rows } = await sql<Stay & { deviceId: number }>`
    select stay.device_id as "deviceId", ceil(extract(epoch from began_at) * 1000)::float8 as "from",
           coalesce(ceil(extract(epoch from ended_at) * 1000), 'infinity')::float8 as "to"
      from device_stays stay
     where stay.device_id = any(${`{${ids.join(',')}}`}::int[]) and ${stayConditions(scope, filters)}`.execute(trx);
  return Map.groupBy(rows, ({ deviceId }) => deviceId);
}

export async function nameAndProtocol(
  db: Kysely<Database>,
  deviceId: number,
): Promise<{ name: string; protocol: string | null }> {
  return await db
    .selectFrom('devices as d')
    .leftJoin('device_states as s', 's.device_id', 'd.id')
    .select(['d.name', 's.protocol'])
    .where('d.id', '=', deviceId)
    .executeTakeFirstOrThrow();
}
