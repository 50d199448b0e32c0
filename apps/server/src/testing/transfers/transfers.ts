import { randomUUID } from 'node:crypto';
import { ENDPOINTS, type NewFirmware, type TransferRow } from '@chargehand/contract';
import { type ChargePoint, type Fleet, type FleetOptions, startFleet } from '@chargehand/simulator';
import { vi } from 'vitest';
import type { Client } from '../client.ts';
import { putObject, sha256 } from '../objects/object-keys.ts';
import type { TestServer } from '../server.ts';

/** Uploads a content to the caller's folder for firmware and returns its key. */
export async function uploadFirmware(
  server: Pick<TestServer, 'url'>,
  person: Client,
  content: Uint8Array,
): Promise<string> {
  return putObject(server.url, await person.data(ENDPOINTS.firmwareCredentials), `${randomUUID()}.bin`, content);
}

/** Uploads and registers a firmware file for the test data's model and returns its id. */
export async function addFirmware(
  server: Pick<TestServer, 'url' | 'world'>,
  person: Client,
  wanted: Partial<NewFirmware> & { content?: Buffer } = {},
): Promise<number> {
  const { content = Buffer.from('firmware'), ...more } = wanted;
  const key = await uploadFirmware(server, person, content);
  const body: NewFirmware = {
    kind: 'software',
    version: '9.9.9',
    fileName: `hs-${more.version ?? '9.9.9'}.bin`,
    note: '',
    deviceModelIds: [server.world.model],
    key,
    size: content.length,
    sha256: sha256(content),
    ...more,
  };
  return (await person.data(ENDPOINTS.registerFirmware, { body })).id;
}

/** Connects simulated charge points with the SNs of devices that are registered for them at the site `northQuay`. */
export async function connectDevices(
  server: TestServer,
  options: Omit<FleetOptions, 'url'> & { prefix: string },
): Promise<{ fleet: Fleet; devices: { id: number; pile: ChargePoint }[] }> {
  const { database, world } = server;
  const { rows } = await database.pool.query<{ id: number }>(
    `with added as (
       insert into devices (sn, name, site_id, customer_id, device_model_id)
       select $1 || lpad(n::text, 5, '0'), $1 || ' ' || n, $2, $3, $4 from generate_series(1, $5::int) n
       returning id, sn
     ), states as (insert into device_states (device_id) select id from added)
     select id::int from added order by sn`,
    [options.prefix, world.sites.northQuay, world.customers.north, world.model, options.devices],
  );
  const fleet = await startFleet({ url: server.deviceUrl, reconnectMs: { min: 100, max: 300 }, ...options });
  await fleet.whenAccepted();
  return { fleet, devices: rows.map(({ id }, index) => ({ id, pile: fleet.devices[index] as ChargePoint })) };
}

/** The newest transfer of a device, once `until` is true. */
export async function transferOnce(
  person: Client,
  deviceId: number,
  until: (transfer: TransferRow) => boolean,
): Promise<TransferRow> {
  return await vi.waitFor(
    async () => {
      const { items } = await person.data(ENDPOINTS.listTransfers, { params: { id: deviceId } });
      const [newest] = items;
      if (!newest || !until(newest)) throw new Error(`the newest transfer is ${JSON.stringify(newest)}`);
      return newest;
    },
    { timeout: 30_000, interval: 50 },
  );
}
