import {
  type auditEndpoints,
  type FleetFrameRow,
  FRAME_TYPES,
  type FrameEffect,
  type Locale,
  type QueryOf,
  type ResultOf,
  type WithDates,
} from '@chargehand/contract';
import {
  actionNamed,
  explainFrame,
  mayReadTokens,
  type ParsedFrame,
  parseFrame,
  reportedVersion,
  type Scope,
  type SecretKeys,
} from '@chargehand/domain';
import type { Caller } from '../../../platform/http/caller.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { staysInScope } from '../../../ports/devices/device-scope.ts';
import type { VisibleDevice } from '../../../ports/devices/visible-device.ts';
import { timesOf } from '../../log-times.ts';
import { type FramesParts, isShown, shownBody, typesOf } from '../frames.service.ts';
import { type FrameRecord, listFramesAfter, listFramesBefore } from '../frames.store.ts';
import { listEffects } from './effects.store.ts';
import {
  countUnpacked,
  type FleetFilters,
  type FleetFrame,
  listFleetFrames,
  nameAndProtocol,
} from './fleet-frames.store.ts';
import { listLoggedDevices } from './logged-devices.store.ts';

type List = typeof auditEndpoints.listFleetFrames;
type Export = typeof auditEndpoints.exportFleetFrames;
type Read = typeof auditEndpoints.readFrame;

/** An export without a start covers this time. */
const EXPORT_HOURS = 24;
const EXPORT_BATCH = 1_000;
/** Frames of one export. */
const EXPORT_LIMIT = 1_000_000;
/** A response is looked for within this time of its request. */
const EXCHANGE_MS = 600_000;

/** The protocol log of all devices that a caller may see, newest first. */
export async function readFleetFrames(
  { db, reads, secretsOfModel }: FramesParts,
  caller: Caller,
  query: QueryOf<List>,
): Promise<ResultOf<List>> {
  const filters = filtersOf(query);
  const { before = null, after = 0, limit } = query;
  const part = await listFleetFrames(caller.scope, query.after === undefined ? reads : db, filters, {
    before,
    after,
    limit,
  });
  const secrets = rememberedSecrets(secretsOfModel);
  const items: WithDates<FleetFrameRow>[] = [];
  for (const frame of part.frames) {
    const row = toRow(frame, await secrets(frame.deviceModelId), caller, filters.search);
    if (row) items.push(row);
  }
  const oldest = part.frames.at(-1);
  const isCut = query.after !== undefined && part.frames.length === limit && oldest !== undefined;
  const skipped = isCut ? await countUnpacked(caller.scope, db, filters, { after, before: oldest.id }) : 0;
  return {
    items,
    // With `after`, the list ends there.
    next: query.after === undefined ? part.next : null,
    searchedTo: part.searchedTo,
    gaps: part.gaps,
    skipped,
  };
}

/** The filtered log of all devices as JSON lines: one device after another, oldest first. */
export async function* exportFleetFrames(
  { reads: db, secretsOfModel }: FramesParts,
  caller: Caller,
  query: QueryOf<Export>,
): AsyncGenerator<string> {
  const wanted = filtersOf(query);
  const until = wanted.to?.getTime() ?? Date.now();
  const filters = { ...wanted, from: wanted.from ?? new Date(until - EXPORT_HOURS * 3_600_000) };
  const secrets = rememberedSecrets(secretsOfModel);
  let left = EXPORT_LIMIT;
  for await (const device of listLoggedDevices(caller.scope, db, filters)) {
    const marked = await secrets(device.deviceModelId);
    const stays = await staysAt(caller.scope, db, device.id, filters.siteId);
    for (let after = 0; left > 0; ) {
      const frames = await listFramesAfter(caller.scope, db, device.id, filters, after, Math.min(EXPORT_BATCH, left));
      const lines = frames.flatMap((frame) => {
        const at = frame.at.getTime();
        if (stays && !stays.some((stay) => stay.from <= at && at < stay.to)) return [];
        const shown = toRow({ ...frame, ...NO_DEVICE }, marked, caller, filters.search);
        return shown ? [`${JSON.stringify(lineOf(shown, device))}\n`] : [];
      });
      left -= frames.length;
      if (lines.length > 0) yield lines.join('');
      if (frames.length < EXPORT_BATCH) break;
      after = frames.at(-1)!.id;
    }
    if (left <= 0) return;
  }
}

/** The times of a device at a site; null without one. */
async function staysAt(scope: Scope, db: FramesParts['db'], deviceId: number, siteId: number | undefined) {
  if (siteId === undefined) return null;
  const isOutside = scope.sites !== 'all' && !scope.sites.includes(siteId);
  return isOutside ? [] : await staysInScope({ ...scope, sites: [siteId] }, db, deviceId);
}

const NO_DEVICE = { deviceId: 0, sn: '', deviceName: '', deviceModelId: 0 };
const DIRECTIONS = Object.keys(FRAME_TYPES) as (keyof typeof FRAME_TYPES)[];

/** A line of an export, which the simulator can replay. */
function lineOf(frame: WithDates<FleetFrameRow>, { sn, protocol }: { sn: string; protocol: string | null }): object {
  return {
    at: frame.at,
    sn,
    protocol: protocol ?? '',
    direction: DIRECTIONS.find((name) => FRAME_TYPES[name] === frame.type),
    action: frame.action,
    messageId: frame.messageId,
    text: frame.body ?? '',
  };
}

/** A frame with its counterpart, the meaning of its fields, and what the server did because of it. */
export async function readFrame(
  { db, secretsOfModel }: FramesParts,
  caller: Caller,
  device: VisibleDevice,
  frameId: number,
  locale: Locale,
): Promise<ResultOf<Read>> {
  const { scope } = caller;
  const [frame] = await listFramesBefore(scope, db, device.id, {}, frameId + 1, 1);
  if (!frame || frame.id !== frameId) throw notFound('frame');
  const other = await counterpart(scope, db, device.id, frame);
  const marked = await secretsOfModel(device.deviceModelId);
  const { name, protocol } = await nameAndProtocol(db, device.id);
  const masked = (one: FrameRecord) => shownBody(one.body, marked, mayReadTokens(caller.levels));
  const action = frame.action ?? other?.action ?? null;
  const parsed = parseFrame(masked(frame), action);
  const parsedOther = other && parseFrame(masked(other), action);
  const direction = frame.type === FRAME_TYPES.send ? 'send' : 'receive';
  const read = [parsed, parsedOther].filter((one) => one !== null);
  const received = [frame, other].find((one) => one?.type === FRAME_TYPES.receive) ?? null;
  const { id: deviceId, sn, deviceModelId } = device;
  return {
    frame: toRow({ ...frame, deviceId, sn, deviceName: name, deviceModelId }, marked, caller, undefined)!,
    other: other && { ...other, body: masked(other) },
    fields: parsed ? explainFrame(protocol ?? '', direction, parsed, locale).fields : [],
    effects: [
      ...(await listEffects(db, scope, {
        deviceId,
        messageId: frame.messageId,
        receivedAt: received?.at ?? null,
        parsed: read,
      })),
      ...(received === null ? [] : await versionChange(scope, db, deviceId, received, read)),
    ],
  };
}

/** How many earlier messages of the same kind are searched for the former version. */
const FORMER_MESSAGES = 20;

/** The new software version that a device reported with a frame, as an effect; none when it reported the same before. */
async function versionChange(
  scope: Scope,
  db: FramesParts['db'],
  deviceId: number,
  received: FrameRecord,
  exchange: readonly ParsedFrame[],
): Promise<FrameEffect[]> {
  const version = exchange.map(reportedVersion).find((one) => one !== null);
  if (version === undefined || exchange.some(({ kind }) => kind === 'error')) return [];
  const filters = { types: [FRAME_TYPES.receive], ...(received.action === null ? {} : { action: received.action }) };
  const earlier = await listFramesBefore(scope, db, deviceId, filters, received.id, FORMER_MESSAGES);
  const former = earlier
    .map(({ body, action }) => parseFrame(body, action))
    .map((one) => one && reportedVersion(one))
    .find((one) => one !== null);
  return former === version ? [] : [{ kind: 'version', version, former: former ?? null }];
}

/** The response of a request or the request of a response: the nearest frame in the other direction with its ID. */
async function counterpart(
  scope: Scope,
  db: FramesParts['db'],
  deviceId: number,
  { id, at, type, messageId, body }: FrameRecord,
): Promise<FrameRecord | null> {
  if (messageId === null || (type !== FRAME_TYPES.receive && type !== FRAME_TYPES.send)) return null;
  const types = [type === FRAME_TYPES.receive ? FRAME_TYPES.send : FRAME_TYPES.receive];
  const from = new Date(at.getTime() - EXCHANGE_MS);
  const to = new Date(at.getTime() + EXCHANGE_MS);
  const kind = parseFrame(body, null)?.kind;
  const earlier = async () =>
    (await listFramesBefore(scope, db, deviceId, { types, messageId, from, to }, id, 1))[0] ?? null;
  const later = async () =>
    (await listFramesAfter(scope, db, deviceId, { types, messageId, from, to }, id, 1))[0] ?? null;
  if (kind === 'call') return await later();
  if (kind === 'result' || kind === 'error') return await earlier();
  return (await earlier()) ?? (await later());
}

/** The secrets of each model are read once in a request. */
function rememberedSecrets(
  secretsOfModel: FramesParts['secretsOfModel'],
): (model: number) => Promise<SecretKeys | null> {
  const known = new Map<number, SecretKeys | null>();
  return async (model) => {
    if (!known.has(model)) known.set(model, await secretsOfModel(model));
    return known.get(model)!;
  };
}

function toRow(
  { deviceModelId: _, ...frame }: FleetFrame,
  marked: SecretKeys | null,
  { levels }: Caller,
  search: string | undefined,
): WithDates<FleetFrameRow> | null {
  const body = shownBody(frame.body, marked, mayReadTokens(levels));
  if (!isShown(frame, body, search)) return null;
  return { ...frame, body };
}

function filtersOf(query: QueryOf<Export>): FleetFilters {
  return {
    ...timesOf(query),
    deviceId: query.deviceId,
    siteId: query.siteId,
    types: query.types === undefined ? undefined : typesOf(query.types),
    action: actionNamed(query.action ?? '') || undefined,
    messageId: query.messageId?.trim() || undefined,
    search: query.search?.trim() || undefined,
  };
}
