import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DEVICE_LOG_LIMIT,
  firmwareIsFetched,
  plainFileName,
  TRANSFER_RETRIES,
  type Transport,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ObjectStore, Place } from '../../platform/objects/store.ts';
import type { Events } from '../../ports/events.ts';
import { logsOf } from '../places.ts';
import { moveOn } from '../progress.service.ts';
import { queryOf } from '../query.ts';
import { hashOf } from '../transfer-calls.service.ts';
import { countDelivery, type Delivery, findDelivery, insertDeviceLog, noteBytes } from './deliveries.store.ts';

/** How often consoles receive the number of transferred bytes of a file. */
const PUBLISH_INTERVAL_MS = 1_000;

/** Why a device may not download or upload a file. */
export type Fault =
  /** the credential is unknown */
  | 'unknown'
  /** the transfer has ended, or the file was downloaded as often as allowed */
  | 'over'
  /** another transmission uses the same credential */
  | 'busy'
  | 'tooLarge'
  | 'empty'
  /** the file is for the other direction */
  | 'direction';

/** A refused request of a device. */
export class DeliveryRefused extends Error {
  override name = 'DeliveryRefused';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}

export interface FirmwareDelivery {
  delivery: Delivery;
  size: number;
  fileName: string;
}

export type DeliveriesService = ReturnType<typeof deliveriesService>;

/**
 * The files of transfers as devices download and upload them, over any protocol. A credential opens one file of one
 * transfer, in one direction, until the device has it, and only for a limited number of attempts.
 */
export function deliveriesService(parts: { db: Kysely<Database>; store: ObjectStore; events: Events; log: Log }) {
  const { db, store, events, log } = parts;
  const arriving = new Set<number>();

  /** The transfer of a credential. @throws DeliveryRefused */
  async function open(credential: string, transport: Transport): Promise<Delivery> {
    const delivery = await findDelivery(db, hashOf(credential));
    if (!delivery || delivery.transport !== transport) throw new DeliveryRefused('unknown');
    if (!delivery.underWay) throw new DeliveryRefused('over');
    if (delivery.kind !== 'log' && (firmwareIsFetched(delivery.state) || delivery.deliveries > TRANSFER_RETRIES))
      throw new DeliveryRefused('over');
    return delivery;
  }

  /**
   * Reports the progress of a transmission, at most once a second. An error in storing it does not stop the
   * transmission.
   */
  function meter(delivery: Delivery, start: number) {
    const { id, deviceId } = delivery;
    let bytes = start;
    let sent = 0;
    let telling: Promise<void> = Promise.resolve();
    const publishProgress = () => {
      sent = Date.now();
      const now = bytes;
      telling = telling
        .then(async () => {
          if (await noteBytes(queryOf(db), id, now)) await moves(delivery);
          events.publish('device.transfers', { id: deviceId });
        })
        .catch((error: unknown) => log.warn({ err: error, transfer: id }, 'the progress of a transfer was not stored'));
      return telling;
    };
    return {
      count(chunk: number) {
        bytes += chunk;
        if (Date.now() - sent >= PUBLISH_INTERVAL_MS) void publishProgress();
      },
      end: publishProgress,
      get bytes() {
        return bytes;
      },
    };
  }

  /** Bytes of a file are transferred, whatever else its device reports. */
  async function moves({ id, deviceId, kind }: Delivery): Promise<void> {
    const state = kind === 'log' ? 'uploading' : 'downloading';
    const moved = await db.transaction().execute((trx) => moveOn(queryOf(trx), id, { type: 'progress', state }));
    if (moved) events.publish('device.transfers', { id: deviceId });
  }

  return {
    open,

    /** The firmware file of a credential. @throws DeliveryRefused */
    async firmware(credential: string, transport: Transport): Promise<FirmwareDelivery> {
      const delivery = await open(credential, transport);
      const { kind, objectKey, size, fileName } = delivery;
      if (kind === 'log' || objectKey === null || size === null || fileName === null)
        throw new DeliveryRefused('direction');
      return { delivery, size, fileName };
    },

    /**
     * The bytes of a firmware file, both ends included. They are counted as they are taken: the last ones when the device
     * is known to have them (`delivered`). @throws DeliveryRefused
     */
    async read({ delivery, size }: FirmwareDelivery, range: { first: number; last: number }): Promise<Readable> {
      const place: Place = { bucket: store.buckets.firmware, key: delivery.objectKey ?? '' };
      const found = await store.read(place, range.first === 0 && range.last === size - 1 ? undefined : range);
      if (!found || found.facts.size !== size) {
        found?.body.destroy();
        log.error({ transfer: delivery.id }, 'the object of a firmware file differs from the registered file');
        throw new DeliveryRefused('over');
      }
      await moves(delivery);
      const progress = meter(delivery, range.first);
      const { body } = found;
      const counted = async function* () {
        let taken = 0;
        for await (const chunk of body as AsyncIterable<Buffer>) {
          progress.count(taken);
          yield chunk;
          taken = chunk.length;
        }
        await progress.end();
      };
      return Readable.from(counted(), { objectMode: false });
    },

    /** Call this when the device has the last byte of a file. */
    async delivered({ delivery, size }: FirmwareDelivery): Promise<void> {
      await countDelivery(queryOf(db), delivery.id, size);
      events.publish('device.transfers', { id: delivery.deviceId });
    },

    /**
     * Stores a log that a device uploads, completely or not at all: an upload that is aborted, empty or too large
     * leaves nothing, and the device may try again. @throws DeliveryRefused, and what `chunks` throws
     */
    async receive(delivery: Delivery, name: string, chunks: AsyncIterable<Buffer>): Promise<void> {
      if (delivery.kind !== 'log') throw new DeliveryRefused('direction');
      if (arriving.has(delivery.id)) throw new DeliveryRefused('busy');
      arriving.add(delivery.id);
      const fileName = plainFileName(name, `${delivery.logType}-${delivery.sn.replace(/[^\w.-]/g, '_')}.log`);
      const place = { bucket: store.buckets.main, key: `${logsOf(delivery.deviceId)}${randomUUID()}` };
      const progress = meter(delivery, 0);
      const hash = createHash('sha256');
      const limited = async function* () {
        for await (const chunk of chunks) {
          if (progress.bytes + chunk.length > DEVICE_LOG_LIMIT) throw new DeliveryRefused('tooLarge');
          hash.update(chunk);
          progress.count(chunk.length);
          yield chunk;
        }
        if (progress.bytes === 0) throw new DeliveryRefused('empty');
      };
      try {
        await moves(delivery);
        // The upload is served as a download, never as a page.
        const size = await store.write(place, limited(), { contentType: 'application/octet-stream' });
        await keep(delivery, { fileName, objectKey: place.key, size, sha256: hash.digest('hex') });
      } finally {
        arriving.delete(delivery.id);
      }
    },
  };

  async function keep(
    delivery: Delivery,
    file: { fileName: string; objectKey: string; size: number; sha256: string },
  ): Promise<void> {
    const { id, deviceId, logType, logFrom: from, logTo: to, requestedBy } = delivery;
    const place = { bucket: store.buckets.main, key: file.objectKey };
    try {
      await db.transaction().execute(async (trx) => {
        const moved = await moveOn(queryOf(trx), id, { type: 'done' });
        if (!moved) throw new DeliveryRefused('over');
        const type = logType ?? 'diagnostics';
        await insertDeviceLog(trx, { deviceId, transferId: id, type, ...file, from, to, requestedBy });
      });
    } catch (error) {
      await store
        .remove(place)
        .catch((left: unknown) => log.warn({ err: left, key: place.key }, 'an object waits for the sweep'));
      throw error;
    }
    events.publish('device.transfers', { id: deviceId });
  }
}
