import { randomUUID } from 'node:crypto';
import {
  type DescribedControl,
  type DescribedItem,
  type ExecutionRow,
  operationsEndpoints,
} from '@chargehand/contract';
import { sessionGuard } from '../access/guard.ts';
import { policyEnforcer } from '../access/policy/enforce.ts';
import { syncReach } from '../access/roles/reach.service.ts';
import { busDeviceLink, deviceSubject } from '../gateways/bus-device-link.ts';
import { type OperationsRoom, operationsRoom, storeAnswers } from '../operations/index.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { localBus } from '../platform/bus/local-bus.ts';
import { readConfig } from '../platform/config/config.ts';
import { httpServer } from '../platform/http/server.ts';
import { createLog } from '../platform/log.ts';
import { DEVICE_CONNECTED, type DeviceCall, type SendResult } from '../ports/devices/device-link.ts';
import type { Events } from '../ports/events.ts';
import type { ExecutionAnswer } from '../ports/uplink.ts';
import { ROW_FINDERS } from '../row-finders.ts';
import { type Client, client, openSession } from './client.ts';
import { manualClock } from './clock.ts';
import { createTestDatabase, type TestDatabase } from './database/database.ts';
import { eventually } from './eventually.ts';
import { NO_TRANSFERS } from './transfers/no-transfers.ts';
import { soon } from './within.ts';
import { type Person, type SiteName, seedWorld, type World } from './world.ts';

/** The operations module with HTTP and a database. The test controls the bus and takes the place of a gateway. */
export interface OperationsTest {
  database: TestDatabase;
  world: World;
  bus: Bus;
  room: OperationsRoom;
  /** published events: `id topic` */
  published: string[];
  /** the open connections */
  connections: DeviceConnection[];
  as(person: Person): Promise<Client>;
  /** Another node on the same database and bus. */
  anotherNode(): OperationsRoom;
  /** Runs the repeated work of the nodes once; nothing else does. */
  sweep(): Promise<void>;
  /** Stops the module and creates a new one on the same database, as a restart does. */
  restart(): Promise<void>;
  /** Ends all connections and restores the test data, with no commands and no events. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOperationsTest(): Promise<OperationsTest> {
  const database = await createTestDatabase({ max: 10 });
  const { db } = database;
  const world = await seedWorld(db);
  const log = createLog('silent');
  const bus = localBus((error) => {
    throw error;
  });
  const published: string[] = [];
  const connections: DeviceConnection[] = [];
  const events: Events = {
    publish: (topics, { id }, ..._audience) => {
      for (const topic of [topics].flat()) published.push(`${id} ${topic}`);
    },
  };
  const clock = manualClock();
  const makeRoom = () =>
    operationsRoom({
      ...{ db, bus, link: busDeviceLink(bus), events, transfers: NO_TRANSFERS, clock, log },
      links: { paramsOf: async () => null },
      documents: async () => new Map(),
    });
  await db.transaction().execute((trx) => syncReach(trx));
  const guard = sessionGuard({ ...database, clock }, readConfig({}));
  const serve = async (room: OperationsRoom) => {
    const app = await httpServer({
      log,
      guard,
      enforcer: policyEnforcer(database, ROW_FINDERS),
      version: '0',
      https: null,
    });
    room.routes(app);
    await room.start();
    return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
  };
  let room = makeRoom();
  let { app, url } = await serve(room);
  const nodes: OperationsRoom[] = [];
  return {
    database,
    world,
    bus,
    published,
    connections,
    get room() {
      return room;
    },
    as: async (person) => client(url, await openSession(db, world.users[person])),
    sweep: clock.sweep,
    anotherNode() {
      const node = makeRoom();
      nodes.push(node);
      return node;
    },
    async restart() {
      await app.close();
      await room.stop();
      room = makeRoom();
      ({ app, url } = await serve(room));
    },
    async reset() {
      for (const connection of connections.splice(0)) await connection.close();
      for (const node of nodes.splice(0)) await node.stop();
      await database.pool.query(`
        truncate executions, command_batches, commands, device_parameters, connectors, action_logs, transactions cascade;
        delete from device_model_versions;
        update devices set enabled = true, maintenance = false;
        update sites set enabled = true;
        update device_models set parameter_read_level = 5, version = 0`);
      published.length = 0;
    },
    async stop() {
      await app.close();
      for (const node of [room, ...nodes]) await node.stop();
      await database.drop();
    },
  };
}

/**
 * A connection to a device as a gateway would hold it: serves the device's subject and passes its answers to the
 * ingest.
 */
export interface DeviceConnection {
  /** the calls that were written to the connection, in order */
  calls: DeviceCall[];
  /** the gateway's result for the next calls; `sent` by default */
  sendResult: SendResult;
  /** Resolves with the call numbered `count` (from 1) when it has been written. */
  call(count: number): Promise<DeviceCall>;
  answer(executionId: string, answer?: Partial<ExecutionAnswer>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the connection of a device: stores that it is connected and announces it, as a gateway does. A connection that
 * is not announced was open before, so its opening does not mix with the commands that follow.
 */
export async function openConnection(
  test: OperationsTest,
  deviceId: number,
  announced = true,
): Promise<DeviceConnection> {
  const { database, bus } = test;
  const waiting = new Map<number, (call: DeviceCall) => void>();
  const connection: DeviceConnection = {
    calls: [],
    sendResult: { outcome: 'sent' },
    call: (count) =>
      soon(
        `call ${count} to device ${deviceId}`,
        new Promise((resolve) => {
          const call = connection.calls[count - 1];
          if (call) resolve(call);
          else waiting.set(count, resolve);
        }),
      ),
    async answer(executionId, answer) {
      const connection = await database.pool.connect();
      await connection.query('begin');
      const stored = await storeAnswers(connection, [
        {
          executionId,
          deviceId,
          at: new Date(),
          success: true,
          reason: 'accepted',
          detail: null,
          answer: { status: 'Accepted' },
          ...answer,
        },
      ]);
      await connection.query('commit');
      connection.release();
      test.room.onAnswersStored(stored);
    },
    async close() {
      stop();
      await database.pool.query(
        'update device_states set connected = false, disconnected_at = now() where device_id = $1',
        [deviceId],
      );
    },
  };
  const stop = bus.serve(deviceSubject(deviceId), async (request) => {
    if (request.verb !== 'execute') return null;
    const { call } = request;
    if (connection.sendResult.outcome === 'sent') {
      connection.calls.push(call);
      waiting.get(connection.calls.length)?.(call);
    }
    return connection.sendResult;
  });
  await database.pool.query(
    'update device_states set connected = true, connected_at = now(), connection_id = $2 where device_id = $1',
    [deviceId, randomUUID()],
  );
  if (announced) bus.publish(DEVICE_CONNECTED, { deviceId });
  test.connections.push(connection);
  return connection;
}

/** Gives the model of the test data's devices a description of its controls, as a user would. */
export async function describeModel(
  { database, world }: Pick<OperationsTest, 'database' | 'world'>,
  description: { controls?: Partial<DescribedControl>[]; parameters?: Partial<DescribedItem>[] },
): Promise<void> {
  const name = { en: 'Named', zh: '名称' };
  const controls = (description.controls ?? []).map((control) => ({
    ...{ removed: false, name, level: 4, param1: null, param2: null, reading: null, precondition: null, origin: 1 },
    ...control,
  }));
  const parameters = (description.parameters ?? []).map((item) => ({
    ...{ dataItemId: 1, name, type: 1, groupId: 1, groupName: name, range: '', unit: '', priority: 1 },
    ...{ readLevel: 5, writeLevel: 3, batch: true, origin: 1 },
    ...item,
  }));
  await database.pool.query(
    `with next as (
       update device_models set version = version + 1 where id = $1 returning id, version
     )
     insert into device_model_versions (device_model_id, version, changed_by, description)
     select id, version, 'test', $2::jsonb from next`,
    [world.model, JSON.stringify({ configs: [], parameters, controls })],
  );
}

/** Further devices at a site, named `<prefix>-01` and following. */
export async function addDevices(
  { database, world }: OperationsTest,
  prefix: string,
  count: number,
  site: SiteName = 'northQuay',
): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>(
    `with added as (
       insert into devices (sn, name, site_id, customer_id, device_model_id)
       select $1 || '-' || lpad(n::text, 2, '0'), $1 || ' ' || n, s.id, s.customer_id, $2
         from generate_series(1, $3::int) n, sites s where s.id = $4
       returning id, sn
     ), states as (insert into device_states (device_id) select id from added)
     select id from added order by sn`,
    [prefix, world.model, count, world.sites[site]],
  );
  return rows.map(({ id }) => id);
}

/** The execution as the API shows it, once `until` is true. */
export async function executionOnce(
  person: Client,
  deviceId: number,
  executionId: string,
  until: (execution: ExecutionRow) => boolean,
): Promise<ExecutionRow> {
  const read = async () => {
    const { items } = await person.data(operationsEndpoints.listExecutions, { params: { id: deviceId } });
    return items.find((item) => item.id === executionId);
  };
  const found = await eventually(read, (execution) => execution !== undefined && until(execution), {
    what: `execution ${executionId} of device ${deviceId}`,
  });
  return found!;
}

/** Moves the deadline of an execution to now and runs a sweep. */
export async function passDeadline(
  test: { database: TestDatabase; sweep?(): Promise<void> },
  executionId: string,
): Promise<void> {
  await test.database.pool.query(`update executions set deadline_at = now() - interval '1 ms' where id = $1`, [
    executionId,
  ]);
  await test.sweep?.();
}

/** Gives all running executions an hour, for a restart and the reconnection of devices. */
export async function postponeDeadlines(test: { database: TestDatabase }): Promise<void> {
  await test.database.pool.query(`update executions set deadline_at = now() + interval '1 h' where state <> 'ended'`);
}
