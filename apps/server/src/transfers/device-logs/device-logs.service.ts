import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import type { DeviceLogRow, QueryOf, ResultOf, transferEndpoints, WithDates } from '@chargehand/contract';
import { TRANSFER_KINDS, type TransferKind, wholeText } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { findDevicePlace, logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { pageOf } from '../../platform/http/serve/list-queries.ts';
import type { Log } from '../../platform/log.ts';
import type { ObjectStore, Place } from '../../platform/objects/store.ts';
import { issueKeys } from '../object-keys.ts';
import { listTransfers } from '../transfers.store.ts';
import { type DeviceLogRecord, deleteDeviceLog, findDeviceLog, listDeviceLogs } from './device-logs.store.ts';

type Endpoints = typeof transferEndpoints;
export type DeviceLogsService = ReturnType<typeof deviceLogsService>;

/** The bytes that a preview reads of a file, and the maximum that it shows. */
const PREVIEW_BYTES = 256 * 1024;

/** Transfers between server and devices, and uploaded logs, for users. */
export function deviceLogsService(parts: { db: Kysely<Database>; store: ObjectStore; log: Log }) {
  const { db, store, log } = parts;
  const at = ({ objectKey }: DeviceLogRecord): Place => ({ bucket: store.buckets.main, key: objectKey });

  /** A log of a device that the caller may see. @throws {Problem} notFound */
  async function logOf(caller: Caller, { id, logId }: { id: number; logId: number }): Promise<DeviceLogRecord> {
    const found = await findDeviceLog(caller.scope, db, id, logId);
    if (!found) throw notFound('deviceLog');
    return found;
  }

  return {
    async transfers(
      caller: Caller,
      deviceId: number,
      query: QueryOf<Endpoints['listTransfers']>,
    ): Promise<ResultOf<Endpoints['listTransfers']>> {
      const { items, total } = await listTransfers(caller.scope, db, deviceId, kindsOf(query.kinds), {
        ...pageOf(query),
        oldestFirst: query.sort === 'requestedAt',
      });
      return {
        items: items.map((item) => ({
          ...item,
          reports: item.reports.map((report) => ({ ...report, at: new Date(report.at) })),
        })),
        total,
      };
    },

    async list(
      caller: Caller,
      deviceId: number,
      query: QueryOf<Endpoints['listDeviceLogs']>,
    ): Promise<ResultOf<Endpoints['listDeviceLogs']>> {
      const { items, total } = await listDeviceLogs(caller.scope, db, deviceId, {
        ...pageOf(query),
        oldestFirst: query.sort === 'receivedAt',
      });
      return { items: items.map(rowOf), total };
    },

    /**
     * A part of a log as text, whatever its type: it is shown as characters and never interpreted. Parts end with a whole
     * line. Compressed logs have one part.
     */
    async preview(
      caller: Caller,
      params: { id: number; logId: number },
      from = 0,
    ): Promise<ResultOf<Endpoints['previewDeviceLog']>> {
      const found = await logOf(caller, params);
      if (from >= found.size) return { text: '', complete: true, next: null };
      const last = Math.min(from + PREVIEW_BYTES, found.size) - 1;
      const object = await store.read(at(found), { first: from, last });
      if (!object) throw new Problem('deviceLogGone');
      const part = Buffer.concat(await object.body.toArray());
      const ends = last === found.size - 1;
      if (from > 0 || part[0] !== 0x1f || part[1] !== 0x8b) {
        const whole = ends ? part : part.subarray(0, wholeText(part));
        const text = textOf(whole);
        return { text, complete: ends, next: ends || text === null ? null : from + whole.length };
      }
      const unpacked = await unpack(part);
      return { text: unpacked && textOf(unpacked.bytes), complete: ends && unpacked?.complete === true, next: null };
    },

    async read(caller: Caller, params: { id: number; logId: number }): Promise<ResultOf<Endpoints['readDeviceLog']>> {
      const found = await logOf(caller, params);
      const { objectKey: key, fileName } = found;
      const credential = await issueKeys(store, { mode: 'read', bucket: store.buckets.main, prefixes: [key] });
      return { credential, key, fileName };
    },

    async remove(caller: Caller, params: { id: number; logId: number }): Promise<void> {
      const found = await logOf(caller, params);
      await db.transaction().execute(async (trx) => {
        if (!(await deleteDeviceLog(trx, found.id))) throw notFound('deviceLog');
        const { customerId, siteId, name } = await findDevicePlace(trx, params.id);
        await logAction(trx, caller, {
          operation: 'delete',
          objectType: 'device',
          objectId: String(params.id),
          objectName: name,
          customerId,
          siteId,
          before: { log: found.fileName, size: found.size, sha256: found.sha256 },
        });
      });
      await store
        .remove(at(found))
        .catch((error: unknown) => log.warn({ err: error, key: found.objectKey }, 'an object waits for the sweep'));
    },
  };
}

/** The kinds of transfers that a query asks for; all when it names no known one. */
function kindsOf(kinds: string | undefined): readonly TransferKind[] {
  const wanted = kinds?.split(',') ?? [];
  const known = TRANSFER_KINDS.filter((kind) => wanted.includes(kind));
  return known.length > 0 ? known : TRANSFER_KINDS;
}

function rowOf({ objectKey: _, ...row }: DeviceLogRecord): WithDates<DeviceLogRow> {
  return row;
}

/** Bytes as text; null when they are not text. Characters that change the writing direction are removed. */
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  return bytes.toString('utf8').replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The decompressed first part of a gzip file, up to a limit; null when it is not gzip. */
async function unpack(head: Buffer): Promise<{ bytes: Buffer; complete: boolean } | null> {
  try {
    // The part that was read may end in the middle: the available data is decompressed.
    const bytes = await promisify(gunzip)(head, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 8 * PREVIEW_BYTES,
    });
    return { bytes: bytes.subarray(0, PREVIEW_BYTES), complete: bytes.length <= PREVIEW_BYTES };
  } catch {
    // Not gzip after all, or a decompression bomb: nothing is shown.
    return null;
  }
}
