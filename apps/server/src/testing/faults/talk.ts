import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import type { Pool } from 'pg';
import { expect, vi } from 'vitest';
import { hashDevicePassword } from '../../ports/devices/device-password.ts';
import type { TestDatabase } from '../database/database.ts';
import type { RawPoint } from '../gateways/gateway-testbed.ts';
import { PASSWORD } from '../gateways/mqtt-testbed.ts';
import type { World } from '../world.ts';

/** The messages that a device sends continuously, each after the previous one was acknowledged. */
interface Talk {
  /** ids of acknowledged messages, as they are stored */
  acknowledged: string[];
  refused: unknown[];
  stop(): void;
  done: Promise<void>;
}

/** SNs with a common prefix. */
export const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);

/** Registers devices with the same password and returns their ids. */
export async function registerAll(database: TestDatabase, world: World, sns: readonly string[]): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>(
    `with d as (insert into devices (sn, name, site_id, customer_id, device_model_id, gateway_password_hash)
       select sn, sn, $1, $2, $3, $5 from unnest($4::text[]) sn returning id),
       s as (insert into device_states (device_id) select id from d)
     select id from d`,
    [world.sites.northQuay, world.customers.north, world.model, sns, hashDevicePassword(PASSWORD)],
  );
  return rows.map(({ id }) => id);
}

function talk(say: (turn: number) => Promise<{ id: string | null; refusal?: unknown }>): Talk {
  let stopped = false;
  const it: Talk = {
    acknowledged: [],
    refused: [],
    stop() {
      stopped = true;
    },
    done: Promise.resolve(),
  };
  const speak = async () => {
    for (let turn = 0; !stopped; turn += 1) {
      const { id, refusal } = await say(turn);
      if (refusal !== undefined) it.refused.push(refusal);
      else if (id !== null) it.acknowledged.push(id);
      await wait(50);
    }
  };
  it.done = speak();
  return it;
}

type Fault = () => readonly [action: string, payload: object];

/** A continuing fault, over OCPP 1.6, */
export const fault16: Fault = () => [
  'StatusNotification',
  { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' },
];

/** and over OCPP 2.0.1. */
export const fault201: Fault = () => [
  'NotifyEvent',
  {
    ...{ generatedAt: new Date().toISOString(), seqNo: 0 },
    eventData: [
      {
        ...{
          eventId: 1,
          timestamp: new Date().toISOString(),
          trigger: 'Alerting',
          actualValue: 'true',
          techCode: 'E7',
        },
        eventNotificationType: 'HardWiredNotification',
        component: { name: 'Connector', evse: { id: 1, connectorId: 1 } },
        variable: { name: 'Problem' },
      },
    ],
  },
];

/** A charge point that reports a normal status, and a continuing fault. */
export function talkOcpp(pile: RawPoint, sn: string, fault: Fault): Talk {
  return talk(async (turn) => {
    const id = `${sn}-m${turn}`;
    const [action, payload] = turn % 2 ? (['Heartbeat', {}] as const) : fault();
    const [type, ...rest] = await pile.call(action, payload, id);
    return type === 3 ? { id } : { id, refusal: rest };
  });
}

/** A unit that reports an increasing number, and a continuing fault. */
export function talkMqtt({ sn, client }: Unit): Talk {
  const begun = Date.now() - 3_600_000;
  return talk(async (turn) => {
    const say = (leaf: string, message: object) =>
      client.publishAsync(`chargehand/${sn}/${leaf}`, JSON.stringify(message), { qos: 1 });
    if (turn % 2) {
      await say('alarm', { code: 'E7', active: true, kind: 'fault', level: 'CA' });
      return { id: null };
    }
    await say('telemetry', { at: new Date(begun + turn * 1_000).toISOString(), values: { n: turn } });
    return { id: `${sn}-${turn}` };
  });
}

/** How often the values that a unit reported as `n` are stored, by the ids of their acknowledgements. */
export async function storedReadings(pool: Pool, prefix: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: string; count: number }>(
    `select d.sn || '-' || r.analog[1]::int as id, count(*)::int as count from readings r join devices d on d.id = r.device_id
      where d.sn like $1 group by 1`,
    [`${prefix}%`],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

interface Unit {
  sn: string;
  client: MqttClient;
}

/**
 * A storage unit that executes its commands, and reconnects when its connection breaks.
 * @param requested counts how often each command arrived
 */
export async function connectUnit(url: string, sn: string, requested: Map<string, number>): Promise<Unit> {
  const connection = await connectAsync(url, {
    ...{ username: sn, password: PASSWORD, clientId: sn, protocolVersion: 4 as const, reconnectPeriod: 200 },
  });
  // A missing acknowledgement shows that the broker is down.
  connection.on('error', () => undefined);
  connection.on('message', (_topic, payload) => {
    const { id } = JSON.parse(String(payload));
    requested.set(id, (requested.get(id) ?? 0) + 1);
    connection.publish(`chargehand/${sn}/answer`, JSON.stringify({ id, status: 'accepted' }), { qos: 1 });
  });
  await connection.subscribeAsync(`chargehand/${sn}/command`);
  return { sn, client: connection };
}

/** Makes a charge point accept every command. */
export function executeCommands(pile: RawPoint, requested: Map<string, number>): void {
  pile.socket.on('message', (data) => {
    const [type, id, action] = JSON.parse(String(data));
    // Raw points answer triggers, which are not commands, by themselves.
    if (type !== 2 || action === 'TriggerMessage') return;
    requested.set(id, (requested.get(id) ?? 0) + 1);
    pile.send([3, id, { status: 'Accepted' }]);
  });
}

/** Executions without an answer would wait a minute; here their deadline is moved forward. */
export async function endWaiting(pool: Pool): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await pool.query(
        `update executions set deadline_at = least(deadline_at, now() + interval '4 s') where state <> 'ended'`,
      );
      expect(rowCount).toBe(0);
    },
    { timeout: 30_000, interval: 250 },
  );
}

/** Checks that every accepted command has one result that matches the frames, and that none arrived twice. */
export async function expectCommandsOnce(
  pool: Pool,
  promised: readonly string[],
  requested: ReadonlyMap<string, number>,
): Promise<void> {
  const { rows } = await pool.query<{ id: string; state: string; result: number }>(
    'select id, state, result from executions',
  );
  const ends = new Map(rows.map((one) => [one.id, one]));
  expect(promised.filter((id) => ends.get(id)?.state !== 'ended')).toEqual([]);
  expect(rows.filter(({ id, result }) => result === 2 && !requested.has(id))).toEqual([]);
  expect([...requested].filter(([, times]) => times > 1)).toEqual([]);
}
