import { randomUUID } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import type { SiteName } from '../world.ts';
import { type EndpointCase, fresh, type Ground, readsDevice } from './ground.ts';

async function newFirmware({ db, world }: Ground): Promise<number> {
  const { id } = await db
    .insertInto('firmware_files')
    .values({
      kind: 'software',
      version: fresh('V'),
      file_name: 'a.bin',
      object_key: `files/${randomUUID()}.bin`,
      size: 1,
      sha256: '0'.repeat(64),
      uploaded_by_name: 'somebody',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('firmware_models').values({ firmware_id: id, device_model_id: world.model }).execute();
  return id;
}

/** A log of a device without its file, which is not needed for checking access. */
async function onLog(ground: Ground, site: SiteName) {
  const deviceId = ground.world.devices[`${site}1`].id;
  const { id } = await ground.db
    .insertInto('device_logs')
    .values({
      device_id: deviceId,
      type: 'diagnostics',
      file_name: 'a.log',
      object_key: `logs/${deviceId}/${randomUUID()}`,
      size: 1,
      sha256: '0'.repeat(64),
      requested_by_name: 'somebody',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id: deviceId, logId: id } };
}

const onFirmware: EndpointCase = {
  call: async (ground) => ({ params: { id: await newFirmware(ground) } }),
};
const firmwareBody = ({ world }: Ground) => ({ version: fresh('V'), note: '', deviceModelIds: [world.model] });

export const TRANSFER_CASES: Record<string, EndpointCase> = {
  'firmware.list': {},
  'firmware.credentials': {},
  'firmware.register': {
    call: (ground) => ({
      body: {
        ...firmwareBody(ground),
        ...{ kind: 'software', fileName: 'a.bin', size: 1, sha256: '0'.repeat(64) },
        key: `incoming/u1/${randomUUID()}.bin`,
      },
    }),
    // Every allowed caller gets the problem that there is no such upload.
    everybody: CODES.fileUnknown.code,
  },
  'firmware.update': {
    call: async (ground) => ({ params: { id: await newFirmware(ground) }, body: firmwareBody(ground) }),
  },
  'firmware.delete': onFirmware,
  'firmware.read': onFirmware,
  'firmware.common': {
    call: ({ world }, site) => ({ body: { deviceIds: [world.devices[`${site}1`].id], kind: 'software' } }),
  },
  'transfers.list': readsDevice,
  'deviceLogs.list': readsDevice,
  'deviceLogs.preview': { ...readsDevice, call: onLog, everybody: CODES.deviceLogGone.code },
  'deviceLogs.read': { ...readsDevice, call: onLog },
  'deviceLogs.delete': { ...readsDevice, call: onLog },
};
