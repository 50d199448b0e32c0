import { ENDPOINTS } from '@chargehand/contract';
import { protocolFits } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OCPP16 } from '../gateways/ocpp16/index.ts';
import { OCPP21 } from '../gateways/ocpp21/index.ts';
import { OCPP201 } from '../gateways/ocpp201/index.ts';
import type { Client } from '../testing/client.ts';
import { connectStation, MAKES, type Make, now, type Protocol, registerDevice } from '../testing/clients/stations.ts';
import { minimalPayload } from '../testing/contract/minimal-payload.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const DIALECTS = { 'ocpp1.6': OCPP16, 'ocpp2.0.1': OCPP201, 'ocpp2.1': OCPP21 };
const MAKES_OF_2 = MAKES.filter(([, protocol]) => protocol !== 'ocpp1.6');

let server: TestServer;
let admin: Client;
let root: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  root = await server.as('root');
});
afterAll(() => server.stop());

const open = async (make: Make, protocols: Protocol[]) => {
  const device = await registerDevice(server, admin);
  const station = await connectStation(server, device.sn, { make, protocols });
  return { device, station };
};
const event = (component: object, variable: string, actualValue: string, more: object = {}) => ({
  ...{ generatedAt: now(), seqNo: 0 },
  eventData: [
    {
      ...{
        eventId: 1,
        timestamp: now(),
        trigger: 'Delta',
        actualValue,
        eventNotificationType: 'HardWiredNotification',
      },
      ...{ component, variable: { name: variable } },
      ...more,
    },
  ],
});

describe.each(MAKES_OF_2)('status by events, %s in %s', (make, protocol) => {
  const connectorAt = (id: number) => ({ name: 'Connector', evse: { id, connectorId: 1 } });

  test('AvailabilityState is the status of connector and device, without any StatusNotification', async () => {
    const { device, station } = await open(make, [protocol]);
    await station.boot();
    await station.call('NotifyEvent', event(connectorAt(1), 'AvailabilityState', 'Available'));
    await station.call('NotifyEvent', event(connectorAt(2), 'AvailabilityState', 'Occupied'));
    expect(await device.connectors()).toEqual({ 1: 'Available', 2: 'Occupied' });
    await expect.poll(async () => (await device.read()).status).toBe('working');
    await station.call('NotifyEvent', event(connectorAt(2), 'AvailabilityState', 'Faulted'));
    await expect.poll(async () => (await device.read()).status).toBe('faulted');
  });

  test('Problem raises and clears an alarm; the severity is requested', async () => {
    const { device, station } = await open(make, [protocol]);
    const converter = { name: 'PowerConverter', evse: { id: 1 } };
    station.on('GetMonitoringReport', ({ requestId }) => {
      const monitoring = {
        ...{ id: 7, transaction: false, value: 1, type: 'Delta', severity: 1 },
        ...(protocol === 'ocpp2.1' ? { eventNotificationType: 'HardWiredMonitor' } : {}),
      };
      const monitor = [{ component: converter, variable: { name: 'Problem' }, variableMonitoring: [monitoring] }];
      setImmediate(() => station.call('NotifyMonitoringReport', { requestId, seqNo: 0, generatedAt: now(), monitor }));
      return { status: 'Accepted' };
    });
    await station.boot();
    const monitored = { variableMonitoringId: 7 };
    await station.call('NotifyEvent', event(converter, 'Problem', 'true', monitored));
    await expect.poll(device.alarms).toMatchObject([{ code: 'PowerConverter.Problem', connector: 1, level: 'CA' }]);
    await station.call('NotifyEvent', event(converter, 'Problem', 'false', monitored));
    expect(await device.alarms()).toEqual([]);
  });
});

test.each(MAKES)(
  'the workbench: %s in %s receives every message, each valid in both directions',
  async (make, protocol) => {
    const dialect = DIALECTS[protocol];
    const { device, station } = await open(make, [protocol]);
    await station.boot();
    for (const action of dialect.requests) {
      station.on(action, () => minimalPayload(dialect.schemas.schemaOf(action, 'conf')!));
    }
    const params = { id: device.id };
    const { items } = await root.data(ENDPOINTS.listMessages, { params });
    for (const action of items) {
      const { schema } = await root.data(ENDPOINTS.readMessage, { params: { ...params, action } });
      const payload = minimalPayload(schema as object);
      const body = { kind: 'sendMessage', action, payload } as const;
      const { id: executionId } = await root.data(ENDPOINTS.sendCommand, { params, body });
      const execution = () => root.data(ENDPOINTS.readExecution, { params: { ...params, executionId } });
      await expect.poll(async () => (await execution()).state, { interval: 20 }).toBe('ended');
      expect(await execution(), action).toMatchObject({
        answer: minimalPayload(dialect.schemas.schemaOf(action, 'conf')!),
      });
      expect(station.received(action)).toContainEqual(payload);
    }
  },
);

describe.each(MAKES)('details, %s in %s', (make, protocol) => {
  const is16 = protocol === 'ocpp1.6';

  test('a lost connection ends the running command immediately, with the cause', async () => {
    const { device, station } = await open(make, [protocol]);
    await station.boot();
    station.on('ClearCache', () => new Promise(() => undefined));
    const command = await device.command({ kind: 'clearCache' });
    await expect.poll(() => station.received('ClearCache')).toHaveLength(1);
    await station.cut();
    expect(await command.ended()).toMatchObject({ result: 4, reason: 'connectionLost' });
  });

  test('a session of 1970 is marked, and blocks nothing', async () => {
    const { device, station } = await open(make, [protocol]);
    await station.boot();
    const timestamp = '1970-01-01T00:00:10.000Z';
    if (is16) await station.call('StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp });
    else {
      await station.call('TransactionEvent', {
        ...{ eventType: 'Started', timestamp, triggerReason: 'Authorized', seqNo: 0 },
        ...{ transactionInfo: { transactionId: 'epoch' }, evse: { id: 1, connectorId: 1 } },
      });
    }
    expect(await device.sessions()).toMatchObject([{ impossibleTimes: true }]);
    await station.status('Available');
    expect(await device.sessions()).toMatchObject([{ stopReason: 'NotReported' }]);
  });

  test('a clock that is ten minutes ahead is measured, and a reading with a time next week does not stay the latest', async () => {
    const { device, station } = await open(make, [protocol]);
    await station.boot();
    const timestamp = new Date(Date.now() + 600_000).toISOString();
    await station.call(
      'StatusNotification',
      is16
        ? { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp }
        : { timestamp, connectorStatus: 'Available', evseId: 1, connectorId: 1 },
    );
    await expect.poll(async () => Math.round((await device.read()).clockSkewMs! / 60_000)).toBe(10);
    const voltage = (value: number, at: number) => {
      const measured = { timestamp: new Date(at).toISOString() };
      return station.call(
        'MeterValues',
        is16
          ? {
              connectorId: 1,
              meterValue: [{ ...measured, sampledValue: [{ value: `${value}`, measurand: 'Voltage' }] }],
            }
          : { evseId: 1, meterValue: [{ ...measured, sampledValue: [{ value, measurand: 'Voltage' }] }] },
      );
    };
    const latest = async () => {
      const { connectors } = await admin.data(ENDPOINTS.readRuntime, { params: { id: device.id } });
      return connectors.flatMap(({ readings }) => readings.map(({ value }) => value));
    };
    await voltage(229, Date.now() + 7 * 86_400_000);
    // It is refused, and named in the message faults of the device.
    expect(await latest()).toEqual([]);
    await voltage(231, Date.now());
    expect(await latest()).toEqual([231]);
  });

  test('a device whose connectors are all unavailable is not idle', async () => {
    const { device, station } = await open(make, [protocol]);
    await station.boot();
    await station.status('Available', 1);
    await station.status('Available', 2);
    await expect.poll(async () => (await device.read()).status).toBe('idle');
    await station.status('Unavailable', 1);
    await station.status('Unavailable', 2);
    await expect.poll(async () => (await device.read()).status).not.toBe('idle');
  });

  test('a connector of the model can be disabled before the station has reported any', async () => {
    await server.database.pool.query('update device_models set connector_count = 2');
    const { device, station } = await open(make, [protocol]);
    await station.boot();
    station.on('ChangeAvailability', () => ({ status: 'Accepted' }));
    const command = await device.command({ kind: 'disableConnector', connector: 2 });
    expect(await command.ended()).toMatchObject({ result: 2 });
    expect(station.received('ChangeAvailability')).toEqual(
      is16
        ? [{ connectorId: 2, type: 'Inoperative' }]
        : [{ evse: { id: 2, connectorId: 1 }, operationalStatus: 'Inoperative' }],
    );
  });

  test('an unknown DataTransfer and an unknown action are refused as the standard defines', async () => {
    const { station } = await open(make, [protocol]);
    await station.boot();
    expect(await station.call('DataTransfer', { vendorId: 'com.other', messageId: 'x' })).toMatchObject({
      status: 'UnknownVendorId',
    });
    expect((await station.call('Heartbeat')).currentTime).toEqual(expect.any(String));
  });
});

test.each(MAKES_OF_2)('%s in %s: a report in many parts, out of order', async (make, protocol) => {
  const { device, station } = await open(make, [protocol]);
  await station.boot();
  station.on('GetBaseReport', ({ requestId }) => {
    const part = (seqNo: number) =>
      station.call('NotifyReport', {
        ...{ requestId, generatedAt: now(), seqNo, tbc: seqNo < 9 },
        reportData: [
          {
            ...{ component: { name: 'Part' }, variable: { name: `V${seqNo}` } },
            variableAttribute: [{ value: String(seqNo), mutability: 'ReadOnly' }],
            variableCharacteristics: { dataType: 'integer', supportsMonitoring: false },
          },
        ],
      });
    setImmediate(async () => {
      for (const seqNo of [9, 0, 2, 1, 3, 4, 5, 5, 6, 7, 8]) await part(seqNo);
    });
    return { status: 'Accepted' };
  });
  const command = await device.command({ kind: 'refreshConfiguration' });
  expect(await command.ended()).toMatchObject({ result: 2 });
});

test.each(MAKES_OF_2)(
  '%s: a station of a model for OCPP 2.x that offers %s and 1.6, then 1.6 alone',
  async (make, protocol) => {
    const { pool } = server.database;
    await pool.query(`update device_models set protocol = 'ocpp2' where id = $1`, [server.world.model]);
    onTestFinished(async () => {
      await pool.query('update device_models set protocol = null where id = $1', [server.world.model]);
    });
    const { device, station } = await open(make, [protocol, 'ocpp1.6']);
    await station.boot();
    expect(station.protocol).toBe(protocol);
    const shown = async () => {
      const { protocol: spoken, deviceModelProtocol } = await device.read();
      return { spoken, fits: protocolFits(deviceModelProtocol, spoken) };
    };
    expect(await shown()).toEqual({ spoken: protocol, fits: true });
    await station.cut();

    const older = await connectStation(server, device.sn, { make, protocols: ['ocpp1.6'] });
    await older.boot();
    expect(await shown()).toEqual({ spoken: 'ocpp1.6', fits: false });
    // Commands use the version of the connection, not of the model.
    await older.status('Available');
    older.on('ChangeAvailability', () => ({ status: 'Accepted' }));
    const command = await device.command({ kind: 'disableConnector', connector: 1 });
    expect(await command.ended()).toMatchObject({ result: 2 });
    expect(older.received('ChangeAvailability')).toEqual([{ connectorId: 1, type: 'Inoperative' }]);
  },
);

describe('OCPP 2.1, ocpp-ws-io', () => {
  test.each([[['ocpp2.1', 'ocpp2.0.1', 'ocpp1.6']], [['ocpp2.0.1', 'ocpp2.1']]] as [Protocol[]][])(
    'a station that offers %j uses 2.1',
    async (protocols) => {
      const { device, station } = await open('ocpp-ws-io', protocols);
      expect(station.protocol).toBe('ocpp2.1');
      expect(await station.boot()).toMatchObject({ status: 'Accepted' });
      expect((await device.read()).protocol).toBe('ocpp2.1');
    },
  );

  test('alarms of a DER and of a battery swap, and their ends', async () => {
    const { device, station } = await open('ocpp-ws-io', ['ocpp2.1']);
    await station.boot();
    const alarm = { controlType: 'HVMustTrip', gridEventFault: 'OverVoltage', timestamp: now() };
    await station.call('NotifyDERAlarm', alarm);
    const battery = { evseId: 2, serialNumber: 'BAT-9', soC: 80, soH: 97 };
    const swap = (eventType: string) =>
      station.call('BatterySwap', {
        ...{ batteryData: [battery], eventType, requestId: 4, idToken: { idToken: 'A', type: 'Central' } },
      });
    await swap('BatteryOutTimeout');
    expect((await device.alarms()).map(({ code }) => code).toSorted()).toEqual([
      'BatterySwap.OutTimeout',
      'DER.HVMustTrip',
    ]);
    await station.call('NotifyDERAlarm', { controlType: 'HVMustTrip', alarmEnded: true, timestamp: now() });
    await swap('BatteryOut');
    expect(await device.alarms()).toEqual([]);
  });

  test('a periodic event stream results in readings', async () => {
    const { device, station } = await open('ocpp-ws-io', ['ocpp2.1']);
    await station.boot();
    const monitoring = {
      ...{ id: 5, transaction: false, value: 5, type: 'Periodic', severity: 8, eventNotificationType: 'CustomMonitor' },
    };
    await station.call('NotifyMonitoringReport', {
      ...{ requestId: 1, seqNo: 0, generatedAt: now() },
      monitor: [
        {
          ...{ component: { name: 'Cooler', evse: { id: 1 } }, variable: { name: 'Temperature' } },
          variableMonitoring: [monitoring],
        },
      ],
    });
    const constantStreamData = { id: 50, params: { interval: 1 }, variableMonitoringId: 5 };
    expect(await station.call('OpenPeriodicEventStream', { constantStreamData })).toEqual({ status: 'Accepted' });
    station.sendRaw([
      ...[6, crypto.randomUUID(), 'NotifyPeriodicEventStream'],
      { id: 50, pending: 0, basetime: now(), data: [{ t: 0, v: '41.5' }] },
    ]);
    const { id } = device;
    const values = async () => {
      const { connectors } = await admin.data(ENDPOINTS.readRuntime, { params: { id } });
      return connectors.flatMap(({ readings }) => readings.map(({ key, value }) => [key, value]));
    };
    await expect.poll(values).toContainEqual(['Cooler.Temperature', 41.5]);
  });

  test('new reasons and states of a session', async () => {
    const { device, station } = await open('ocpp-ws-io', ['ocpp2.1']);
    await station.boot();
    const transaction = (eventType: string, seqNo: number, triggerReason: string, info: object) =>
      station.call('TransactionEvent', {
        ...{ eventType, timestamp: now(), seqNo, triggerReason, evse: { id: 1, connectorId: 1 } },
        transactionInfo: { transactionId: 'tx-21', ...info },
      });
    await transaction('Started', 0, 'TxResumed', { chargingState: 'Charging', operationMode: 'ChargingOnly' });
    await transaction('Ended', 1, 'SoCLimitReached', { stoppedReason: 'SOCLimitReached' });
    expect(await device.sessions()).toMatchObject([{ stopReason: 'SOCLimitReached' }]);
  });
});
