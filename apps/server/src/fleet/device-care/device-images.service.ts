import { DEVICE_PICTURES, type deviceCareEndpoints, type ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { entryOf, requireEditable } from '../devices/editable-device.ts';
import {
  deleteImage,
  deviceOfImage,
  imagesOfDevice,
  insertImage,
  listImages,
  orderImages,
  setImageKey,
} from './device-images.store.ts';

export type DeviceImagesService = ReturnType<typeof deviceImagesService>;

/** Pictures of devices, in an order that users choose. */
export function deviceImagesService(parts: { db: Kysely<Database>; pictures: Pictures; events: Events }) {
  const { db, pictures } = parts;
  return {
    async list(caller: Caller, deviceId: number): Promise<ResultOf<(typeof deviceCareEndpoints)['listDeviceImages']>> {
      return { items: await listImages(caller.scope, db, deviceId) };
    },

    /** Adds an upload of the caller. @throws Problem `picturesFull`, and the reasons for refusing a picture */
    async add(caller: Caller, deviceId: number, uploaded: string): Promise<{ id: number }> {
      const { id, settle } = await inTransaction(parts, async (trx, committed) => {
        // Locked from here on, so that two uploads at once get different positions.
        const device = await requireEditable(trx, caller, deviceId);
        const present = await imagesOfDevice(trx, deviceId);
        if (present.length >= DEVICE_PICTURES)
          throw new Problem('picturesFull', { field: 'image', values: { limit: DEVICE_PICTURES } });
        const place = { field: 'image', current: null, customerId: device.customerId };
        const picture = await pictures.change(caller, { ...place, entered: uploaded });
        if (!picture.key) throw new Problem('fileUnknown', { field: 'image' });
        const position = present.length + 1;
        const made = await insertImage(trx, { deviceId, key: picture.key, position, addedBy: caller.userName });
        await logAction(trx, caller, { ...entryOf(device, 'edit'), after: { image: picture.key } });
        committed.publish('device.details', { id: deviceId });
        return { id: made, settle: picture.settle };
      });
      await settle();
      return { id };
    },

    /** Orders the pictures. @throws Problem `picturesChanged` when these are not all of them */
    async order(caller: Caller, deviceId: number, ids: readonly number[]): Promise<void> {
      await inTransaction(parts, async (trx, committed) => {
        const device = await requireEditable(trx, caller, deviceId);
        const present = (await imagesOfDevice(trx, deviceId)).map(({ id }) => id);
        if (present.length !== ids.length || !present.every((id) => ids.includes(id)))
          throw new Problem('picturesChanged', { field: 'ids' });
        if (present.every((id, index) => ids[index] === id)) return;
        await orderImages(trx, deviceId, ids);
        const change = { before: { images: present }, after: { images: ids } };
        await logAction(trx, caller, { ...entryOf(device, 'edit'), ...change });
        committed.publish('device.details', { id: deviceId });
      });
    },

    async remove(caller: Caller, imageId: number): Promise<void> {
      const deviceId = await deviceOfImage(caller.scope, db, imageId);
      if (deviceId === null) throw notFound('deviceImage');
      const settle = await inTransaction(parts, async (trx, committed) => {
        const device = await requireEditable(trx, caller, deviceId);
        const present = await imagesOfDevice(trx, deviceId);
        const image = present.find(({ id }) => id === imageId);
        if (!image) throw notFound('deviceImage');
        const picture = await pictures.change(caller, {
          ...{ field: 'image', entered: null, current: image.key },
          customerId: device.customerId,
        });
        await deleteImage(trx, imageId);
        const left = present.filter(({ id }) => id !== imageId);
        await orderImages(
          trx,
          deviceId,
          left.map(({ id }) => id),
        );
        await logAction(trx, caller, { ...entryOf(device, 'edit'), before: { image: image.key } });
        committed.publish('device.details', { id: deviceId });
        return picture.settle;
      });
      await settle();
    },
  };
}

/**
 * Makes the pictures of a device readable for its new customer. Call this in the transaction that moves the device, and
 * call the returned function after the commit.
 */
export async function moveImages(
  trx: Kysely<Database>,
  pictures: Pictures,
  deviceId: number,
  customerId: number,
): Promise<() => Promise<void>> {
  const settles: (() => Promise<void>)[] = [];
  for (const { id, key } of await imagesOfDevice(trx, deviceId)) {
    const moved = await pictures.move(key, customerId);
    // A picture whose file is missing keeps its key; its place shows that it is missing.
    if (!moved.key) continue;
    await setImageKey(trx, id, moved.key);
    settles.push(moved.settle);
  }
  return async () => {
    for (const settle of settles) await settle();
  };
}
