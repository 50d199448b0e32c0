import { randomUUID } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import type { SiteName } from '../world.ts';
import { type EndpointCase, fresh, type Ground, newDevice, newSite, readsDevice } from './ground.ts';

/** A change of one device of the site. */
const changes = (body: object): EndpointCase => ({
  call: async (ground, site) => ({ params: { id: await newDevice(ground, site) }, body }),
});

/** A picture of a device of the site: only its row, without a file. */
async function newImage({ db }: Ground, deviceId: number, position = 1): Promise<number> {
  const image = db
    .insertInto('device_images')
    .values({ device_id: deviceId, key: `images/customers/0/${randomUUID()}.png`, position, added_by_name: 'case' });
  return (await image.returning('id').executeTakeFirstOrThrow()).id;
}

async function importFile({ world, db }: Ground, site: SiteName): Promise<string> {
  const { name, code } = await db
    .selectFrom('sites')
    .innerJoin('device_models', (join) => join.on('device_models.id', '=', world.model))
    .select(['sites.code', 'device_models.name'])
    .where('sites.id', '=', world.sites[site])
    .executeTakeFirstOrThrow();
  const device = { sn: fresh('NEW'), name: fresh('New'), site: code, model: name };
  return Buffer.from(JSON.stringify([device])).toString('base64');
}

/** Devices from files, and work on registered devices. */
export const DEVICE_CARE_CASES: Record<string, EndpointCase> = {
  'devices.import': {
    call: async (ground, site) => ({
      body: { fileName: 'devices.json', content: await importFile(ground, site), dryRun: false },
    }),
  },
  'devices.importTemplate': {},
  // A change of several rows is answered for each row.
  'devices.moveMany': {
    call: async (ground, site) => ({
      body: { ids: [await newDevice(ground, site)], siteId: (await newSite(ground, site)).params.id },
    }),
  },
  // Those out of scope are left out of the answer.
  'devices.labels': {
    call: async (ground, site) => ({ query: { ids: String(await newDevice(ground, site)) } }),
  },
  'deviceMaintenances.list': readsDevice,
  'deviceMaintenances.record': changes({ note: 'Filters changed' }),
  'deviceMaintenances.begin': changes({ note: 'Filters to change' }),
  'deviceMaintenances.end': {
    call: async (ground, site) => {
      const id = await newDevice(ground, site);
      await ground.db.updateTable('devices').set({ maintenance: true }).where('id', '=', id).execute();
      return { params: { id }, body: { note: '', maintained: true } };
    },
  },
  'deviceImages.list': readsDevice,
  'deviceCertificates.list': readsDevice,
  // A valid call needs a file in the store, which the tests of pictures upload.
  'deviceImages.add': {
    ...changes({ image: 'images/incoming/u0/nothing.png' }),
    everybody: CODES.fileUnknown.code,
    assignedSites: CODES.fileUnknown.code,
  },
  'deviceImages.order': {
    call: async (ground, site) => {
      const id = await newDevice(ground, site);
      const [first, second] = [await newImage(ground, id, 1), await newImage(ground, id, 2)];
      return { params: { id }, body: { ids: [second, first] } };
    },
  },
  'deviceImages.remove': {
    call: async (ground, site) => ({ params: { id: await newImage(ground, await newDevice(ground, site)) } }),
  },
};
