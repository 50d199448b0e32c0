import { randomUUID } from 'node:crypto';
import { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import { eventually, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

let last = 0;
/** The time, each later than the previous one, because readings are identified by their time. */
const now = () => {
  last = Math.max(last + 1, Date.now());
  return new Date(last).toISOString();
};
const sampled = (value: number) => [
  {
    timestamp: now(),
    sampledValue: [
      { value, unitOfMeasure: { unit: 'kWh' }, context: 'Sample.Periodic' },
      { value: 70, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W', multiplier: 2 } },
    ],
  },
];

test('a third-party charging station runs a whole day, and every message is strictly valid in both directions', async () => {
  const id = await bed.addDevice('STRICT-201', { password: 'a-password-of-length' });
  const client = new RPCClient({
    endpoint: bed.url,
    identity: 'STRICT-201',
    password: 'a-password-of-length',
    protocols: ['ocpp2.0.1', 'ocpp1.6'],
    strictMode: true,
    reconnect: false,
    // The library's types require every option, but its code has a default for each.
  } as ConstructorParameters<typeof RPCClient>[0]);
  const problems: unknown[] = [];
  client.on('strictValidationFailure', (problem: unknown) => problems.push(problem));
  client.on('badMessage', (problem: unknown) => problems.push(problem));
  const part = (requestId: number, seqNo: number, tbc: boolean, reportData: object[]) =>
    client.call('NotifyReport', { requestId, generatedAt: now(), seqNo, tbc, reportData });
  const heartbeat = {
    component: { name: 'OCPPCommCtrlr' },
    variable: { name: 'HeartbeatInterval' },
    variableAttribute: [{ value: '60', mutability: 'ReadWrite' }],
    variableCharacteristics: { dataType: 'integer', supportsMonitoring: false, unit: 's' },
  };
  const power = {
    component: { name: 'EVSE', evse: { id: 1 } },
    variable: { name: 'Power' },
    variableAttribute: [{ value: '22000', mutability: 'ReadOnly' }],
    variableCharacteristics: { dataType: 'decimal', supportsMonitoring: false, unit: 'W' },
  };
  const model = {
    component: { name: 'ChargingStation' },
    variable: { name: 'Model' },
    variableAttribute: [{ value: '007', mutability: 'ReadOnly' }],
    variableCharacteristics: { dataType: 'string', supportsMonitoring: false },
  };
  client.handle('GetBaseReport', async ({ params }: { params?: unknown }) => {
    const { requestId } = params as { requestId: number };
    setImmediate(async () => {
      await part(requestId, 0, true, [heartbeat]);
      await part(requestId, 1, false, [power, model]);
    });
    return { status: 'Accepted' };
  });
  client.handle('Reset', async () => ({ status: 'Scheduled' }));
  client.handle('SetVariables', async ({ params }: { params?: unknown }) => {
    const { setVariableData } = params as { setVariableData: [{ component: object; variable: object }] };
    const [{ component, variable }] = setVariableData;
    return { setVariableResult: [{ attributeStatus: 'RebootRequired', component, variable }] };
  });
  client.handle('UpdateFirmware', async ({ params }: { params?: unknown }) => {
    expect(params).toMatchObject({ requestId: 7, firmware: { signature: 'AAAA' } });
    return { status: 'InvalidCertificate', statusInfo: { reasonCode: 'Expired' } };
  });
  await client.connect();
  expect(client.protocol).toBe('ocpp2.0.1');

  const chargingStation = { vendorName: 'Other', model: 'Make', firmwareVersion: '9', serialNumber: 'S' };
  expect(await client.call('BootNotification', { reason: 'PowerUp', chargingStation })).toMatchObject({
    status: 'Accepted',
    interval: 60,
  });
  for (const evseId of [1, 2]) {
    const status = { timestamp: now(), connectorStatus: 'Available', evseId, connectorId: 1 };
    await client.call('StatusNotification', status);
  }
  await client.call('StatusNotification', { timestamp: now(), connectorStatus: 'Occupied', evseId: 1, connectorId: 2 });

  const ask = async (kind: DeviceCall['kind'], params = {}, connector = 0) => {
    const executionId = randomUUID();
    expect(await bed.link.execute(id, { executionId, kind, connector, params })).toEqual({ outcome: 'sent' });
    return eventually(
      async () => bed.answers.find((answer) => answer.executionId === executionId),
      (answer) => answer !== undefined,
    );
  };
  expect(await ask('refreshConfiguration')).toMatchObject({ success: true, answer: { parts: 2, variables: 3 } });
  expect(await ask('softReset', {}, 2)).toMatchObject({ success: true, reason: 'scheduled' });
  const setting = { key: 'OCPPCommCtrlr.HeartbeatInterval', value: '90' };
  expect(await ask('setParameter', setting)).toMatchObject({ success: true, reason: 'rebootRequired' });

  const file = { location: 'http://files/t/a.bin', requestId: 7, retries: 2, retryIntervalSeconds: 60 };
  const signing = { signingCertificate: '-----BEGIN CERTIFICATE-----', signature: 'AAAA' };
  expect(await ask('upgradeSoftware', { ...file, ...signing, retrieveAt: now() })).toMatchObject({
    ...{ success: false, reason: 'invalidCertificate', detail: 'Expired' },
  });

  expect(await client.call('Authorize', { idToken: { idToken: 'CARD', type: 'ISO14443' } })).toEqual({
    idTokenInfo: { status: 'Accepted' },
  });
  const transaction = randomUUID();
  const transactionEvent = (eventType: string, seqNo: number, more: object, transactionInfo = {}) =>
    client.call('TransactionEvent', {
      ...{ eventType, timestamp: now(), seqNo, triggerReason: 'CablePluggedIn' },
      transactionInfo: { transactionId: transaction, ...transactionInfo },
      ...more,
    });
  const place = { evse: { id: 1, connectorId: 2 }, meterValue: sampled(5) };
  expect(await transactionEvent('Started', 0, { ...place, idToken: { idToken: 'CARD', type: 'ISO14443' } })).toEqual({
    idTokenInfo: { status: 'Accepted' },
  });
  await transactionEvent('Updated', 1, { meterValue: sampled(6) }, { chargingState: 'Charging' });
  const connectors = () =>
    bed.pool
      .query('select connector, status from connectors where device_id = $1 order by connector', [id])
      .then(({ rows }) => rows);
  expect(await connectors()).toEqual([
    { connector: 1, status: 'Available' },
    { connector: 2, status: 'Available' },
    { connector: 257, status: 'Charging' },
  ]);
  await client.call('MeterValues', { evseId: 2, meterValue: sampled(1) });
  await transactionEvent('Ended', 2, { meterValue: sampled(7.5) }, { stoppedReason: 'EVDisconnected' });
  expect((await connectors())[2]).toEqual({ connector: 257, status: 'Occupied' });

  await client.call('NotifyEvent', {
    generatedAt: now(),
    seqNo: 0,
    eventData: [
      {
        ...{ eventId: 1, timestamp: now(), trigger: 'Alerting', actualValue: 'true', techCode: 'E12' },
        ...{ eventNotificationType: 'HardWiredNotification', techInfo: 'too hot' },
        component: { name: 'Connector', evse: { id: 1, connectorId: 2 } },
        variable: { name: 'Problem' },
      },
    ],
  });
  await client.call('SecurityEventNotification', { type: 'TamperDetectionActivated', timestamp: now() });
  await client.call('FirmwareStatusNotification', { status: 'SignatureVerified', requestId: 3 });
  await client.call('FirmwareStatusNotification', { status: 'Installed', requestId: 3 });
  await client.call('LogStatusNotification', { status: 'Uploaded', requestId: 4 });
  expect(await client.call('DataTransfer', { vendorId: 'other' })).toEqual({ status: 'UnknownVendorId' });
  expect(await client.call('SignCertificate', { csr: 'csr' })).toMatchObject({ status: 'Rejected' });
  await client.call('Heartbeat', {});
  await client.close({ awaitPending: true });
  expect(problems).toEqual([]);

  const { rows: kept } = await bed.pool.query(
    `select connector, id_tag, meter_start, meter_stop, stop_reason, stopped_at is not null as ended
       from transactions where device_id = $1`,
    [id],
  );
  expect(kept).toEqual([
    {
      ...{ connector: 257, id_tag: 'CARD', meter_start: 5_000, meter_stop: 7_500 },
      ...{ stop_reason: 'EVDisconnected', ended: true },
    },
  ]);
  const { rows: readings } = await bed.pool.query(
    `select r.connector, r.transaction_id is not null as session, r.analog, r.counters from readings r
       where r.device_id = $1 order by r.at, r.connector`,
    [id],
  );
  expect(readings).toEqual([
    // A quantity of EVSE 1, which has two connectors.
    { connector: 32_513, session: false, analog: [22_000], counters: [] },
    { connector: 257, session: true, analog: [7_000], counters: [5_000] },
    { connector: 257, session: true, analog: [7_000], counters: [6_000] },
    { connector: 2, session: false, analog: [7_000], counters: [1_000] },
    { connector: 257, session: true, analog: [7_000], counters: [7_500] },
    // The value that NotifyEvent reported.
    { connector: 257, session: false, analog: [1], counters: [] },
  ]);
  const { rows: parameters } = await bed.pool.query(
    'select key, value, readonly from device_parameters where device_id = $1 order by key',
    [id],
  );
  expect(parameters).toEqual([
    { key: 'ChargingStation.Model', value: '007', readonly: true },
    { key: 'EVSE@1.Power', value: '22000', readonly: true },
    { key: 'OCPPCommCtrlr.HeartbeatInterval', value: '90', readonly: false },
  ]);
  const { rows: texts } = await bed.pool.query('select key, value from latest_texts where device_id = $1', [id]);
  expect(texts).toEqual([{ key: 'ChargingStation.Model', value: '007' }]);
  const { rows: alarms } = await bed.pool.query(
    'select connector, code, kind, level, cleared_at is null as open from alarms where device_id = $1 order by id',
    [id],
  );
  expect(alarms).toEqual([
    { connector: 257, code: 'E12', kind: 'fault', level: 'MA', open: true },
    { connector: 0, code: 'TamperDetectionActivated', kind: 'alarm', level: 'CA', open: false },
  ]);
});
