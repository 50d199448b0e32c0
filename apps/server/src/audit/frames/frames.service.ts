import {
  type AnswerOf,
  type auditEndpoints,
  FRAME_TYPES,
  type ProtocolFrameRow,
  type QueryOf,
} from '@chargehand/contract';
import { frameWithoutSecrets, type SecretKeys } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { VisibleDevice } from '../../platform/http/serve/visible-device.ts';
import { type FrameFilters, type FrameRecord, listFramesAfter, listFramesBefore } from './frames.store.ts';

/** Parameters that a device model marks as secret, null if it marks none; the rule of the models. */
export type SecretsOfModel = (deviceModelId: number) => Promise<SecretKeys | null>;

/** What reading the protocol log needs. */
export interface FramesParts {
  db: Kysely<Database>;
  secretsOfModel: SecretsOfModel;
}

type List = typeof auditEndpoints.listFrames;
type Export = typeof auditEndpoints.exportFrames;

/** A search for text reads every frame of its time: unless a start is given, that of one day. */
const SEARCH_HOURS = 24;
const EXPORT_BATCH = 200;

/**
 * The conversation with a device a caller may see, newest first. With `after`, what came since that frame, the oldest
 * of it when it is more than `limit`: asking again after the newest leaves nothing out.
 */
export async function readFrames(
  { db, secretsOfModel }: FramesParts,
  caller: Caller,
  { id, deviceModelId }: VisibleDevice,
  query: QueryOf<List>,
): Promise<AnswerOf<List>> {
  const toRow = await rowsOf(secretsOfModel, deviceModelId);
  const filters = filtersOf(query);
  if (query.after !== undefined) {
    const frames = await listFramesAfter(caller.scope, db, id, filters, query.after, query.limit);
    return { items: frames.toReversed().map(toRow), next: null };
  }
  const frames = await listFramesBefore(caller.scope, db, id, filters, query.before ?? null, query.limit);
  return { items: frames.map(toRow), next: frames.length < query.limit ? null : (frames.at(-1)?.id ?? null) };
}

/** What an export of a conversation holds: the device's SN for its name, and the lines, fetched as they are read. */
export interface FrameExport {
  sn: string;
  lines: AsyncIterable<string>;
}

/** The filtered conversation as JSON lines, oldest first. */
export async function exportFrames(
  parts: FramesParts,
  caller: Caller,
  device: VisibleDevice,
  query: QueryOf<Export>,
): Promise<FrameExport> {
  return { sn: device.sn, lines: linesOf(parts, caller, device, filtersOf(query)) };
}

async function* linesOf(
  { db, secretsOfModel }: FramesParts,
  caller: Caller,
  { id, deviceModelId }: { id: number; deviceModelId: number },
  filters: FrameFilters,
): AsyncGenerator<string> {
  const toRow = await rowsOf(secretsOfModel, deviceModelId);
  let after = 0;
  for (;;) {
    const frames = await listFramesAfter(caller.scope, db, id, filters, after, EXPORT_BATCH);
    if (frames.length > 0) yield frames.map((frame) => `${JSON.stringify(toRow(frame))}\n`).join('');
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
    action: query.action?.trim() || undefined,
    search,
    from: query.from !== undefined ? new Date(query.from) : search === undefined ? undefined : searchFrom,
    to,
  };
}

function typesOf(text: string): number[] {
  const known: number[] = Object.values(FRAME_TYPES);
  return text.split(',').map((word) => {
    const type = Number(word.trim() || Number.NaN);
    if (!known.includes(type))
      throw new Problem('fieldChoice', { field: 'types', values: { expected: known.join(', ') } });
    return type;
  });
}

/** Frames as they go over the wire. What was kept before a parameter was marked as secret is masked now. */
async function rowsOf(
  secretsOfModel: SecretsOfModel,
  deviceModelId: number,
): Promise<(frame: FrameRecord) => ProtocolFrameRow> {
  const marked = await secretsOfModel(deviceModelId);
  return (frame) => ({
    ...frame,
    body: marked ? frameWithoutSecrets(frame.body, marked) : frame.body,
    at: frame.at.toISOString(),
  });
}
