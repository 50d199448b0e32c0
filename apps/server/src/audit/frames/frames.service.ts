import {
  type auditEndpoints,
  FRAME_TYPES,
  type ProtocolFrameRow,
  type QueryOf,
  type ResultOf,
  type WithDates,
} from '@chargehand/contract';
import {
  actionNamed,
  frameWithoutSecrets,
  frameWithoutTokens,
  mayReadTokens,
  type SecretKeys,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import { type FrameFilters, type FrameRecord, listFramesAfter, listFramesBefore } from './frames.store.ts';

/** Parameters that a device model marks as secret, null if it marks none; a rule of the models module. */
export type SecretsOfModel = (deviceModelId: number) => Promise<SecretKeys | null>;

/** The dependencies of the protocol log. */
export interface FramesParts {
  db: Kysely<Database>;
  /** for what may be some seconds old */
  reads: Kysely<Database>;
  secretsOfModel: SecretsOfModel;
}

type List = typeof auditEndpoints.listFrames;
type Export = typeof auditEndpoints.exportFrames;

/** A search for text reads every frame of its time range. Without a start it covers one day. */
const SEARCH_HOURS = 24;
const EXPORT_BATCH = 200;

/**
 * The protocol log of a device that a caller may see, newest first. With `after`, the frames after that one, the oldest
 * of them when there are more than `limit`: repeated requests after the newest one miss nothing.
 */
export async function readFrames(
  { db, reads, secretsOfModel }: FramesParts,
  caller: Caller,
  { id, deviceModelId }: VisibleDevice,
  query: QueryOf<List>,
): Promise<ResultOf<List>> {
  const filters = filtersOf(query);
  const toRow = await rowsOf(secretsOfModel, caller, deviceModelId, filters.search);
  const { limit } = query;
  if (query.after !== undefined) {
    const listed = await shownFrames(query.after, limit, toRow, (after) =>
      listFramesAfter(caller.scope, db, id, filters, after, limit),
    );
    return { items: listed.items.toReversed(), next: null };
  }
  return await shownFrames(query.before ?? null, limit, toRow, (before) =>
    listFramesBefore(caller.scope, reads, id, filters, before, limit),
  );
}

type ToRow = (frame: FrameRecord) => WithDates<ProtocolFrameRow> | null;

/** Up to `limit` frames that may be shown, and the last one read when there may be more. */
async function shownFrames<Cursor extends number | null>(
  start: Cursor,
  limit: number,
  toRow: ToRow,
  list: (from: Cursor | number) => Promise<FrameRecord[]>,
): Promise<{ items: WithDates<ProtocolFrameRow>[]; next: number | null }> {
  const items: WithDates<ProtocolFrameRow>[] = [];
  for (let from: Cursor | number = start; ; ) {
    const frames = await list(from);
    for (const frame of frames) {
      const row = toRow(frame);
      if (row === null) continue;
      items.push(row);
      if (items.length === limit) return { items, next: frame.id };
    }
    if (frames.length < limit) return { items, next: null };
    from = frames.at(-1)!.id;
  }
}

/** The contents of an export: the device's SN for the file name, and the lines, which are fetched as they are read. */
export interface FrameExport {
  sn: string;
  lines: AsyncIterable<string>;
}

/** The filtered protocol log as JSON lines, oldest first. */
export async function exportFrames(
  parts: FramesParts,
  caller: Caller,
  device: VisibleDevice,
  query: QueryOf<Export>,
): Promise<FrameExport> {
  return { sn: device.sn, lines: linesOf(parts, caller, device, filtersOf(query)) };
}

async function* linesOf(
  { reads, secretsOfModel }: FramesParts,
  caller: Caller,
  { id, deviceModelId }: { id: number; deviceModelId: number },
  filters: FrameFilters,
): AsyncGenerator<string> {
  const toRow = await rowsOf(secretsOfModel, caller, deviceModelId, filters.search);
  let after = 0;
  for (;;) {
    const frames = await listFramesAfter(caller.scope, reads, id, filters, after, EXPORT_BATCH);
    const rows = frames.map(toRow).filter((row) => row !== null);
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    if (frames.length < EXPORT_BATCH) return;
    after = frames.at(-1)!.id;
  }
}

function filtersOf(query: QueryOf<Export>): FrameFilters {
  const to = query.to === undefined ? undefined : new Date(query.to);
  const search = query.search?.trim() || undefined;
  const searchFrom = new Date((to?.getTime() ?? Date.now()) - SEARCH_HOURS * 3_600_000);
  return {
    types: query.types === undefined ? undefined : typesOf(query.types),
    action: actionNamed(query.action ?? '') || undefined,
    search,
    from: query.from !== undefined ? new Date(query.from) : search === undefined ? undefined : searchFrom,
    to,
  };
}

/** The frame types of a filter. @throws Problem `fieldChoice` for an unknown one */
export function typesOf(text: string): number[] {
  const known: number[] = Object.values(FRAME_TYPES);
  return text.split(',').map((word) => {
    const type = Number(word.trim() || Number.NaN);
    if (!known.includes(type))
      throw new Problem('fieldChoice', { field: 'types', values: { expected: known.join(', ') } });
    return type;
  });
}

/** The body of a frame as its reader may see it. Drivers' tokens are personal data. */
export function shownBody(body: string | null, marked: SecretKeys | null, readsTokens: boolean): string | null {
  const plain = marked ? frameWithoutSecrets(body, marked) : body;
  return plain === null || readsTokens ? plain : frameWithoutTokens(plain);
}

/**
 * Frames for the API. Values that were stored before a parameter was marked as secret are masked now. Null for a frame
 * that matches a search only in masked text, because otherwise a search could guess it.
 */
async function rowsOf(
  secretsOfModel: SecretsOfModel,
  { levels }: Caller,
  deviceModelId: number,
  search: string | undefined,
): Promise<ToRow> {
  const marked = await secretsOfModel(deviceModelId);
  const readsTokens = mayReadTokens(levels);
  return (frame) => {
    const body = shownBody(frame.body, marked, readsTokens);
    return isShown(frame, body, search) ? { ...frame, body } : null;
  };
}

/** False for a frame that matches a search only in text that is masked in `body`. */
export function isShown(frame: FrameRecord, body: string | null, search: string | undefined): boolean {
  if (body === frame.body) return true;
  const wanted = search?.toLowerCase() ?? '';
  return [body, frame.action, frame.messageId, frame.note].some((text) => text?.toLowerCase().includes(wanted));
}
