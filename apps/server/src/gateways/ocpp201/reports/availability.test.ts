import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectRaw,
  eventually,
  type RawPoint,
  startTestbed,
  type Testbed,
} from '../../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ requestAfterSeconds: 3_600 });
});
afterAll(() => bed.stop());

const now = () => new Date().toISOString();
const BOOT = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };
let stations = 0;

async function station(): Promise<{ id: number; point: RawPoint }> {
  stations += 1;
  const sn = `AVAIL-${stations}`;
  const id = await bed.addDevice(sn);
  return { id, point: await connectRaw(`${bed.url}/${sn}`, { protocols: ['ocpp2.0.1'] }) };
}

interface Report {
  component: string;
  evse?: { id: number; connectorId?: number };
  value: string;
  variable?: string;
  trigger?: string;
  monitor?: number;
}

/** Reports variables by NotifyEvent, all in one message. */
async function notify(point: RawPoint, ...reports: Report[]): Promise<void> {
  const eventData = reports.map(
    ({ component, evse, value, variable = 'AvailabilityState', trigger = 'Delta', monitor }) => ({
      ...{ eventId: 1, timestamp: now(), trigger, actualValue: value, eventNotificationType: 'HardWiredNotification' },
      ...{ component: { name: component, ...(evse ? { evse } : {}) }, variable: { name: variable } },
      ...(monitor === undefined ? {} : { variableMonitoringId: monitor }),
    }),
  );
  expect((await point.call('NotifyEvent', { generatedAt: now(), seqNo: 0, eventData }))[0]).toBe(3);
}

async function connectorsOf(id: number): Promise<Record<string, string>> {
  const { rows } = await bed.pool.query('select connector, status from connectors where device_id = $1', [id]);
  return Object.fromEntries(rows.map(({ connector, status }) => [connector, status]));
}

async function alarmsOf(id: number) {
  const { rows } = await bed.pool.query(
    'select connector, code, kind, level from alarms where device_id = $1 and cleared_at is null order by connector, code',
    [id],
  );
  return rows;
}

const becomes = (id: number, status: string) =>
  eventually(
    async () => (await bed.pool.query('select status from devices where id = $1', [id])).rows[0].status,
    (one) => one === status,
  );

describe('a status may be reported by NotifyEvent instead of StatusNotification', () => {
  test('of a connector: connector and device take it over', async () => {
    const { id, point } = await station();
    await notify(point, { component: 'Connector', evse: { id: 1, connectorId: 1 }, value: 'Available' });
    await notify(point, { component: 'Connector', evse: { id: 1, connectorId: 2 }, value: 'Occupied' });
    expect(await connectorsOf(id)).toEqual({ 1: 'Available', 257: 'Occupied' });
    await becomes(id, 'working');
    await notify(point, { component: 'Connector', evse: { id: 1, connectorId: 2 }, value: 'Faulted' });
    await becomes(id, 'faulted');
    expect(await alarmsOf(id)).toEqual([{ connector: 257, code: 'ConnectorFault', kind: 'fault', level: 'MA' }]);
  });

  test('of an EVSE: it applies to its connector, unless its connectors report their own', async () => {
    const { id, point } = await station();
    await notify(point, { component: 'EVSE', evse: { id: 1 }, value: 'Occupied' });
    await notify(
      point,
      { component: 'EVSE', evse: { id: 2 }, value: 'Occupied' },
      { component: 'Connector', evse: { id: 2, connectorId: 2 }, value: 'Occupied' },
    );
    await point.call('StatusNotification', {
      ...{ timestamp: now(), connectorStatus: 'Available', evseId: 3, connectorId: 1 },
    });
    await notify(point, { component: 'EVSE', evse: { id: 3 }, value: 'Occupied' });
    expect(await connectorsOf(id)).toEqual({ 1: 'Occupied', 258: 'Occupied', 3: 'Available' });
  });

  test('of the station: when it is out of service as a whole, the device is not idle; one alarm shows it', async () => {
    const { id, point } = await station();
    await notify(point, { component: 'Connector', evse: { id: 1, connectorId: 1 }, value: 'Available' });
    await becomes(id, 'idle');
    await notify(point, { component: 'ChargingStation', value: 'Unavailable', trigger: 'Alerting' });
    await becomes(id, 'faulted');
    expect(await alarmsOf(id)).toMatchObject([{ connector: 0, kind: 'unavailable' }]);
    await notify(point, { component: 'ChargingStation', value: 'Available' });
    await becomes(id, 'idle');
    expect(await alarmsOf(id)).toEqual([]);
  });

  test('an unknown status changes nothing, and the protocol log records it', async () => {
    const { id, point } = await station();
    await notify(point, { component: 'Connector', evse: { id: 1, connectorId: 1 }, value: 'Sleeping' });
    expect(await connectorsOf(id)).toEqual({});
    const { rows } = await bed.pool.query(
      `select note from protocol_frames where device_id = $1 and action = 'NotifyEvent' and note is not null`,
      [id],
    );
    expect(rows).toEqual([{ note: 'AvailabilityState "Sleeping" is not a status' }]);
  });
});

test.each(['Delta', 'Periodic', 'Alerting'])('Problem = true raises an alarm by %s, false ends it', async (trigger) => {
  const { id, point } = await station();
  const problem = (value: string) =>
    notify(point, { component: 'PowerConverter', evse: { id: 1 }, variable: 'Problem', value, trigger });
  await problem('true');
  expect(await alarmsOf(id)).toEqual([{ connector: 1, code: 'PowerConverter.Problem', kind: 'fault', level: 'MA' }]);
  await problem('false');
  expect(await alarmsOf(id)).toEqual([]);
});

describe('severities are requested', () => {
  const report = (point: RawPoint, id: number, severity: number) =>
    point.call('NotifyMonitoringReport', {
      ...{ requestId: 1, seqNo: 0, generatedAt: now() },
      monitor: [
        {
          ...{ component: { name: 'TemperatureSensor' }, variable: { name: 'Temperature' } },
          variableMonitoring: [{ id, transaction: false, value: 80, type: 'UpperThreshold', severity }],
        },
      ],
    });
  const hot = { component: 'TemperatureSensor', variable: 'Temperature', value: '90', trigger: 'Alerting' };

  test('after a boot', async () => {
    const { id, point } = await station();
    await point.call('BootNotification', BOOT);
    const [type, messageId, action, payload] = await point.next();
    expect([type, action, payload]).toEqual([2, 'GetMonitoringReport', { requestId: 1 }]);
    point.send([3, messageId, { status: 'Accepted' }]);
    await report(point, 7, 1);
    await notify(point, { ...hot, monitor: 7 });
    expect(await alarmsOf(id)).toMatchObject([{ code: 'TemperatureSensor.Temperature', level: 'CA' }]);
  });

  test('when an alarm of an unknown monitor arrives: its level is corrected when the answer arrives', async () => {
    const { id, point } = await station();
    await notify(point, { ...hot, monitor: 9 });
    expect(await alarmsOf(id)).toMatchObject([{ level: 'OA' }]);
    const [, messageId, action] = await point.next();
    expect(action).toBe('GetMonitoringReport');
    point.send([3, messageId, { status: 'Accepted' }]);
    await report(point, 9, 4);
    expect(await alarmsOf(id)).toMatchObject([{ level: 'MA' }]);
  });
});
