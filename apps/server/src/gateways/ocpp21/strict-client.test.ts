import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as OcppWsIo from 'ocpp-ws-io';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import { eventually, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';

// The CommonJS build: the logger it depends on is replaced (package.json, overrides), and logging is off.
const { OCPPClient } = createRequire(import.meta.url)('ocpp-ws-io') as typeof OcppWsIo;

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

const now = () => new Date().toISOString();
const sampled = (value: number) => [
  { timestamp: now(), sampledValue: [{ value, unitOfMeasure: { unit: 'kWh' }, context: 'Sample.Periodic' as const }] },
];

test('a third-party charging station uses OCPP 2.1, and every message is strictly valid in both directions', async () => {
  const id = await bed.addDevice('STRICT-21', { password: 'a-password-of-length' });
  const client = new OCPPClient({
    ...{ endpoint: bed.url, identity: 'STRICT-21', password: 'a-password-of-length' },
    ...{ protocols: ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'].reverse() as ['ocpp2.1'] },
    ...{ securityProfile: 1, strictMode: true, reconnect: false, logging: false },
  });
  const problems: unknown[] = [];
  client.on('strictValidationFailure', (problem) => problems.push(problem));
  client.on('badMessage', (problem) => problems.push(problem));
  client.on('handlerError', (problem) => problems.push(problem));
  const call = (action: string, payload: object): Promise<unknown> =>
    client.call('ocpp2.1', action as 'Heartbeat', payload as never);
  const handle = (action: string, answer: (params: Record<string, unknown>) => object) =>
    client.handle('ocpp2.1', action as 'Reset', ({ params }) => answer(params as never) as never);

  const report = async (requestId: number) => {
    const heartbeat = {
      component: { name: 'OCPPCommCtrlr' },
      variable: { name: 'HeartbeatInterval' },
      variableAttribute: [{ value: '60', mutability: 'ReadWrite' }],
      variableCharacteristics: { dataType: 'integer', supportsMonitoring: false, unit: 's' },
    };
    await call('NotifyReport', { requestId, generatedAt: now(), seqNo: 0, tbc: false, reportData: [heartbeat] });
  };
  handle('GetBaseReport', ({ requestId }) => {
    setImmediate(() => report(requestId as number).catch((error: unknown) => problems.push(error)));
    return { status: 'Accepted' };
  });
  handle('Reset', () => ({ status: 'Scheduled' }));
  handle('ChangeAvailability', () => ({ status: 'Accepted' }));
  handle('GetLog', () => ({ status: 'Accepted', filename: 'log-21.txt' }));
  handle('UpdateFirmware', () => ({ status: 'Accepted' }));
  handle('SetVariables', ({ setVariableData }) => {
    const [{ component, variable }] = setVariableData as [{ component: object; variable: object }];
    return { setVariableResult: [{ attributeStatus: 'Accepted', component, variable }] };
  });
  const followUps: string[] = [];
  handle('GetPeriodicEventStream', () => {
    followUps.push('GetPeriodicEventStream');
    return { constantStreamData: [{ id: 8, params: { interval: 10 }, variableMonitoringId: 4 }] };
  });
  handle('GetMonitoringReport', ({ requestId }) => {
    followUps.push('GetMonitoringReport');
    const monitoring = {
      ...{ id: 4, transaction: false, value: 10, type: 'Periodic', severity: 8 },
      eventNotificationType: 'CustomMonitor',
    };
    const monitor = [
      {
        component: { name: 'Cabinet' },
        variable: { name: 'Temperature' },
        variableMonitoring: [monitoring],
      },
    ];
    setImmediate(() =>
      call('NotifyMonitoringReport', { requestId, seqNo: 0, generatedAt: now(), monitor }).catch((error: unknown) =>
        problems.push(error),
      ),
    );
    return { status: 'Accepted' };
  });
  await client.connect();
  expect(client.protocol).toBe('ocpp2.1');

  const chargingStation = { vendorName: 'Other', model: 'Make', firmwareVersion: '9', serialNumber: 'S' };
  expect(await call('BootNotification', { reason: 'PowerUp', chargingStation })).toMatchObject({ status: 'Accepted' });
  await call('StatusNotification', { timestamp: now(), connectorStatus: 'Available', evseId: 1, connectorId: 1 });

  const execute = async (kind: DeviceCall['kind'], params = {}, connector = 0) => {
    const executionId = randomUUID();
    expect(await bed.link.execute(id, { executionId, kind, connector, params })).toEqual({ outcome: 'sent' });
    return eventually(
      async () => bed.answers.find((answer) => answer.executionId === executionId),
      (answer) => answer !== undefined,
    );
  };
  expect(await execute('refreshConfiguration')).toMatchObject({ success: true, answer: { parts: 1, variables: 1 } });
  expect(await execute('softReset')).toMatchObject({ success: true, reason: 'scheduled' });
  expect(await execute('disableConnector', {}, 1)).toMatchObject({ success: true });
  const setting = { key: 'OCPPCommCtrlr.HeartbeatInterval', value: '90' };
  expect(await execute('setParameter', setting)).toMatchObject({ success: true });
  const log = { location: 'http://files/t/', requestId: 7, retries: 2, retryIntervalSeconds: 60, logType: 'security' };
  expect(await execute('uploadLog', log)).toMatchObject({ success: true, detail: 'log-21.txt' });
  const file = { location: 'http://files/t/a.bin', requestId: 8, retries: 2, retryIntervalSeconds: 60 };
  expect(await execute('upgradeSoftware', { ...file, retrieveAt: now() })).toMatchObject({ success: true });

  const transactionId = randomUUID();
  const transaction = (eventType: string, seqNo: number, triggerReason: string, more: object, info = {}) =>
    call('TransactionEvent', {
      ...{ eventType, timestamp: now(), seqNo, triggerReason, transactionInfo: { transactionId, ...info }, ...more },
    });
  const idToken = { idToken: 'CARD', type: 'ISO14443' };
  await transaction('Started', 0, 'CablePluggedIn', {
    evse: { id: 1, connectorId: 1 },
    idToken,
    meterValue: sampled(5),
  });
  await transaction(
    'Updated',
    1,
    'OperationModeChanged',
    {},
    { chargingState: 'Charging', operationMode: 'ChargingOnly' },
  );
  await transaction('Ended', 2, 'SoCLimitReached', { meterValue: sampled(7.5) }, { stoppedReason: 'SOCLimitReached' });

  const event = (severity: number) =>
    call('NotifyEvent', {
      ...{ generatedAt: now(), seqNo: 0 },
      eventData: [
        {
          ...{ eventId: 1, timestamp: now(), trigger: 'Alerting', actualValue: '95', techCode: 'HOT', severity },
          ...{ eventNotificationType: 'HardWiredMonitor', component: { name: 'Cabinet' } },
          variable: { name: 'Temperature' },
        },
      ],
    });
  await event(2);
  await call('NotifyDERAlarm', { controlType: 'FreqWatt', gridEventFault: 'UnderFrequency', timestamp: now() });
  client.sendRaw(
    JSON.stringify([
      6,
      randomUUID(),
      'NotifyPeriodicEventStream',
      { id: 8, pending: 0, basetime: now(), data: [{ t: 0, v: '41.5' }] },
    ]),
  );
  const temperatures = async () =>
    (
      await bed.pool.query<{ value: number }>(
        `select r.analog[1] as value from readings r join reading_layouts l on l.id = r.layout_id
         where r.device_id = $1 and l.items @> '[{"key": "Cabinet.Temperature"}]' order by r.received_at`,
        [id],
      )
    ).rows.map(({ value }) => value);
  expect(
    await eventually(temperatures, (values) => values.includes(41.5)),
    'the value of the stream is a reading once the monitor is known',
  ).toContain(41.5);
  expect(followUps).toEqual(expect.arrayContaining(['GetPeriodicEventStream', 'GetMonitoringReport']));
  await call('Heartbeat', {});
  await client.close();
  expect(problems).toEqual([]);

  const { rows: transactions } = await bed.pool.query(
    'select connector, meter_start, meter_stop, stop_reason from transactions where device_id = $1',
    [id],
  );
  expect(transactions).toEqual([
    { connector: 1, meter_start: 5_000, meter_stop: 7_500, stop_reason: 'SOCLimitReached' },
  ]);
  const { rows: alarms } = await bed.pool.query(
    'select code, level from alarms where device_id = $1 and cleared_at is null order by code',
    [id],
  );
  expect(alarms).toEqual([
    { code: 'DER.FreqWatt', level: 'OA' },
    { code: 'HOT', level: 'CA' },
  ]);
});

test('an answer that violates its schema is reported to the device as CALLRESULTERROR', async () => {
  const id = await bed.addDevice('WRONG-21');
  const client = new OCPPClient({
    ...{ endpoint: bed.url, identity: 'WRONG-21', protocols: ['ocpp2.1'] as ['ocpp2.1'] },
    ...{ reconnect: false, logging: false },
  });
  const frames: string[] = [];
  client.on('message', (payload) => frames.push(JSON.stringify(payload)));
  client.on('badMessage', ({ message }) => frames.push(String(message)));
  client.handle('ocpp2.1', 'Reset', () => ({ status: 'Perhaps' }) as never);
  await client.connect();
  const executionId = randomUUID();
  await bed.link.execute(id, { executionId, kind: 'softReset', connector: 0, params: {} });
  const sent = () =>
    bed.pool.query<{ body: string }>(
      `select body from protocol_frames where device_id = $1 and type = 3 and body like '[5,%'`,
      [id],
    );
  const { rows } = await eventually(sent, (result) => result.rows.length > 0);
  expect(rows[0]?.body).toContain(executionId);
  expect(bed.answers.find((answer) => answer.executionId === executionId)).toMatchObject({ reason: 'badAnswer' });
  await client.close();
});
