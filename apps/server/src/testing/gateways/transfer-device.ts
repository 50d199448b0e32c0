import { ENDPOINTS, type NewCommand } from '@chargehand/contract';
import type { Client } from '../client.ts';
import type { TestServer } from '../server.ts';
import { connectRaw, type RawPoint } from './gateway-testbed.ts';

/** A device that accepts every command and does nothing. The test transfers its files with any client. */
export interface TransferDevice {
  id: number;
  /** Sends it the command, accepts it, and returns the location of its file and its number. */
  send(command: NewCommand): Promise<{ location: string; requestId: number }>;
  /** Sends it the command, which it does not answer, and returns the location of its file. */
  receive(command: NewCommand): Promise<{ executionId: string; location: string }>;
  /** Accepts the next request. */
  agree(): Promise<{ location: string; requestId: number }>;
  /** Reports a restart, with or without a version of its software. */
  boot(version?: string): Promise<void>;
  /** Reports its progress. */
  report(action: 'FirmwareStatusNotification' | 'DiagnosticsStatusNotification', status: string): Promise<void>;
  close(): Promise<void>;
}

let count = 0;

/** Registers a device, and connects it as an OCPP 1.6 charge point that the test controls. */
export async function connectTransferDevice(server: TestServer, person: Client): Promise<TransferDevice> {
  const { database, world } = server;
  count += 1;
  const sn = `TD-${count}`;
  const { rows } = await database.pool.query<{ id: number }>(
    `with added as (
       insert into devices (sn, name, site_id, customer_id, device_model_id) values ($1, $1, $2, $3, $4) returning id
     ), states as (insert into device_states (device_id) select id from added)
     select id::int from added`,
    [sn, world.sites.northQuay, world.customers.north, world.model],
  );
  const id = rows[0]!.id;
  const point: RawPoint = await connectRaw(`${server.deviceUrl}/${sn}`);
  const boot = async (firmwareVersion?: string) => {
    await point.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion });
  };
  await boot('1.0.0');
  const agree = async () => {
    const [, messageId, action, payload] = (await point.next()) as [2, string, string, { location: string }];
    point.send([3, messageId, action === 'GetDiagnostics' ? { fileName: 'pile.log' } : {}]);
    const transfer = await database.pool.query<{ id: number }>(
      'select max(id)::int as id from transfers where device_id = $1',
      [id],
    );
    return { location: payload.location, requestId: transfer.rows[0]!.id };
  };
  return {
    id,
    agree,
    boot,
    async send(command) {
      await person.data(ENDPOINTS.sendCommand, { params: { id }, body: command });
      return agree();
    },
    async receive(command) {
      await person.data(ENDPOINTS.sendCommand, { params: { id }, body: command });
      const [, executionId, , payload] = (await point.next()) as [2, string, string, { location: string }];
      return { executionId, location: payload.location };
    },
    async report(action, status) {
      await point.call(action, { status });
    },
    async close() {
      point.socket.close();
      await point.closed;
    },
  };
}
