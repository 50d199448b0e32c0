import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw, eventually, type RawPoint } from '../testing/gateways/gateway-testbed.ts';
import { type MqttTestbed, PASSWORD, startMqttTestbed } from '../testing/gateways/mqtt-testbed.ts';

const DEVICES = 1_000;
/** Time for everything of a thousand devices at once, on a busy machine. */
const TIMEOUT_MS = 60_000;

let bed: MqttTestbed;
beforeAll(async () => {
  bed = await startMqttTestbed({ connections: 2 * DEVICES });
});
afterAll(() => bed.stop());

/** A device that holds a connection and can report a fault. */
interface Device {
  /** resolves when the fault is acknowledged */
  reportFault(): Promise<void>;
  /** The network fails: no close frame is sent. */
  cut(): void;
}

const ocpp =
  (protocol: string, fault: () => object) =>
  async (sn: string): Promise<Device> => {
    const point: RawPoint = await connectRaw(`${bed.url}/${sn}`, { protocols: [protocol], password: PASSWORD });
    return {
      async reportFault() {
        expect((await point.call('StatusNotification', fault()))[0]).toBe(3);
      },
      cut: () => point.socket.terminate(),
    };
  };

const KINDS: Readonly<Record<string, { protocol: string; connect: (sn: string) => Promise<Device>; code: string }>> = {
  'OCPP 1.6': {
    protocol: 'ocpp1.6',
    code: 'GroundFailure',
    connect: ocpp('ocpp1.6', () => ({ connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' })),
  },
  'OCPP 2.0.1': {
    protocol: 'ocpp2.0.1',
    code: 'ConnectorFault',
    connect: ocpp('ocpp2.0.1', () => ({
      ...{ timestamp: new Date().toISOString(), connectorStatus: 'Faulted', evseId: 1, connectorId: 1 },
    })),
  },
  'MQTT at the embedded broker': {
    protocol: 'mqtt3.1.1',
    code: 'HOT',
    async connect(sn) {
      const client: MqttClient = await connectAsync(bed.mqttUrl, {
        ...{ username: sn, password: PASSWORD, clientId: sn, protocolVersion: 4 as const },
        ...{ reconnectPeriod: 0, connectTimeout: TIMEOUT_MS },
      });
      client.on('error', () => undefined);
      return {
        async reportFault() {
          const alarm = JSON.stringify({ code: 'HOT', active: true, kind: 'fault', level: 'CA', connector: 1 });
          await client.publishAsync(`chargehand/${sn}/alarm`, alarm, { qos: 1 });
        },
        cut: () => client.stream.destroy(),
      };
    },
  },
};

test.each(Object.entries(KINDS))(
  '1,000 devices that use %s reconnect at once: all are online with their new connections, acknowledged messages are stored, and a continuing alarm exists once',
  async (name, { protocol, connect, code }) => {
    const prefix = name.replaceAll(/[^A-Z0-9]/g, '');
    const sns = Array.from({ length: DEVICES }, (_, n) => `${prefix}-${n + 1}`);
    await addAll(sns);
    const before = await Promise.all(sns.map(connect));
    await Promise.all(before.map((device) => device.reportFault()));
    const first = await statesOf(prefix, (all) => all.connected === DEVICES);
    expect(first).toMatchObject({ connected: DEVICES, connections: DEVICES, protocols: [protocol] });

    for (const device of before) device.cut();
    const after = await Promise.all(sns.map(connect));
    await Promise.all(after.map((device) => device.reportFault()));

    // The previous connections have ended too, which changed nothing.
    const opened = await statesOf(prefix, (all) => all.closed === DEVICES);
    expect(opened).toMatchObject({ connected: DEVICES, connections: DEVICES, opened: 2 * DEVICES, away: 0 });
    const { rows: alarms } = await bed.pool.query(
      `select code, count(*)::int as episodes, count(distinct device_id)::int as devices, sum(repeats + 1)::int as reports
         from alarms join devices d on d.id = device_id where d.sn like $1 and cleared_at is null group by code`,
      [`${prefix}-%`],
    );
    expect(alarms).toEqual([{ code, episodes: DEVICES, devices: DEVICES, reports: 2 * DEVICES }]);
    for (const device of after) device.cut();
    await statesOf(prefix, (all) => all.closed === 2 * DEVICES);
  },
  3 * TIMEOUT_MS,
);

async function addAll(sns: readonly string[]): Promise<void> {
  const model = await bed.addDevice(`${sns[0]}-model`);
  // A thousand copies of the first device, with the same password.
  await bed.pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id, gateway_password_hash)
     select n.sn, n.sn, d.site_id, d.customer_id, d.device_model_id, d.gateway_password_hash
       from devices d, unnest($2::text[]) as n (sn) where d.id = $1`,
    [model, sns],
  );
}

interface FleetState {
  connected: number;
  /** the number of different connections of devices */
  connections: number;
  protocols: string[];
  /** connections that opened and closed, by the protocol log */
  opened: number;
  closed: number;
  /** devices that are shown as offline */
  away: number;
}

/** The state of a fleet in the database, once it matches. */
function statesOf(prefix: string, fits: (state: FleetState) => boolean): Promise<FleetState> {
  const read = async () => {
    const { rows } = await bed.pool.query<FleetState>(
      `with fleet as (select id from devices where sn like $1),
        frames as (select type from protocol_frames where device_id in (select id from fleet) and type in (0, 1))
       select count(*) filter (where connected)::int as connected, count(distinct connection_id)::int as connections,
              array_agg(distinct protocol) as protocols,
              (select count(*) from frames where type = 0)::int as opened,
              (select count(*) from frames where type = 1)::int as closed,
              (select count(*) from device_events where device_id in (select id from fleet) and type = 0
                and ended_at is null)::int as away
         from device_states where device_id in (select id from fleet)`,
      [`${prefix}-%`],
    );
    return rows[0]!;
  };
  return eventually(read, fits, { what: `piles ${prefix}`, timeoutMs: TIMEOUT_MS });
}
