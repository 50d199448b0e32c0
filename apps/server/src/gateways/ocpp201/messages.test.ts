import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectRaw,
  eventually,
  type RawPoint,
  startTestbed,
  type Testbed,
} from '../../testing/gateways/gateway-testbed.ts';
import { CALLS } from './calls.ts';
import { OCPP201 } from './index.ts';

let bed: Testbed;
let id: number;
let point: RawPoint;
beforeAll(async () => {
  bed = await startTestbed({ frameLimitBytes: 20_000 });
  id = await bed.addDevice('MSG-201');
  point = await connectRaw(`${bed.url}/MSG-201`, { protocols: ['ocpp2.0.1'] });
});
afterAll(() => bed.stop());

const now = () => new Date().toISOString();
const status = { timestamp: now(), connectorStatus: 'Available', evseId: 1, connectorId: 1 };
const evse = { component: { name: 'EVSE' }, variable: { name: 'Power' } };
const hash = { hashAlgorithm: 'SHA256', issuerNameHash: 'n', issuerKeyHash: 'k', serialNumber: '1', responderURL: 'u' };

/** One CALL of each action that a charging station may send, and its answer. */
const ANSWERS: Record<string, [payload: object, answer: object]> = {
  Authorize: [{ idToken: { idToken: 'A', type: 'Central' } }, { idTokenInfo: { status: 'Accepted' } }],
  BootNotification: [
    { reason: 'PowerUp', chargingStation: { model: 'M', vendorName: 'V' } },
    { status: 'Accepted', interval: 60, currentTime: expect.any(String) },
  ],
  ClearedChargingLimit: [{ chargingLimitSource: 'EMS' }, {}],
  DataTransfer: [{ vendorId: 'x', messageId: 'y', data: { z: 1 } }, { status: 'UnknownVendorId' }],
  FirmwareStatusNotification: [{ status: 'Downloading', requestId: 1 }, {}],
  Get15118EVCertificate: [
    { iso15118SchemaVersion: '2', action: 'Install', exiRequest: 'x' },
    { status: 'Failed', exiResponse: '' },
  ],
  GetCertificateStatus: [{ ocspRequestData: hash }, { status: 'Failed' }],
  Heartbeat: [{}, { currentTime: expect.any(String) }],
  LogStatusNotification: [{ status: 'Uploading', requestId: 1 }, {}],
  MeterValues: [{ evseId: 0, meterValue: [{ timestamp: now(), sampledValue: [{ value: 1 }] }] }, {}],
  NotifyChargingLimit: [{ chargingLimit: { chargingLimitSource: 'EMS' } }, {}],
  NotifyCustomerInformation: [{ data: '', seqNo: 0, generatedAt: now(), requestId: 1 }, {}],
  NotifyDisplayMessages: [{ requestId: 1 }, {}],
  NotifyEVChargingNeeds: [{ evseId: 1, chargingNeeds: { requestedEnergyTransfer: 'DC' } }, { status: 'Rejected' }],
  NotifyEVChargingSchedule: [
    {
      ...{ timeBase: now(), evseId: 1 },
      chargingSchedule: { id: 1, chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 1 }] },
    },
    { status: 'Accepted' },
  ],
  NotifyEvent: [
    {
      ...{ generatedAt: now(), seqNo: 0 },
      eventData: [
        {
          ...{ eventId: 1, timestamp: now(), trigger: 'Delta', actualValue: '7' },
          ...{ eventNotificationType: 'CustomMonitor', ...evse },
        },
      ],
    },
    {},
  ],
  NotifyMonitoringReport: [
    {
      ...{ requestId: 1, seqNo: 0, generatedAt: now() },
      monitor: [
        {
          ...evse,
          variableMonitoring: [{ id: 1, transaction: false, value: 1, type: 'UpperThreshold', severity: 2 }],
        },
      ],
    },
    {},
  ],
  NotifyReport: [{ requestId: 1, seqNo: 0, generatedAt: now() }, {}],
  PublishFirmwareStatusNotification: [{ status: 'Idle' }, {}],
  ReportChargingProfiles: [
    {
      ...{ requestId: 1, chargingLimitSource: 'EMS', evseId: 1 },
      chargingProfile: [
        {
          ...{ id: 1, stackLevel: 0, chargingProfilePurpose: 'TxProfile', chargingProfileKind: 'Relative' },
          chargingSchedule: [{ id: 1, chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 1 }] }],
        },
      ],
    },
    {},
  ],
  ReservationStatusUpdate: [{ reservationId: 1, reservationUpdateStatus: 'Expired' }, {}],
  SecurityEventNotification: [{ type: 'StartupOfTheDevice', timestamp: now() }, {}],
  SignCertificate: [{ csr: 'c' }, { status: 'Rejected', statusInfo: { reasonCode: 'NotSupported' } }],
  StatusNotification: [status, {}],
  TransactionEvent: [
    {
      ...{ eventType: 'Started', timestamp: now(), triggerReason: 'CablePluggedIn', seqNo: 0 },
      transactionInfo: { transactionId: 't' },
    },
    {},
  ],
};

test('every message of a charging station is answered as its schema and the specification require', async () => {
  expect(Object.keys(ANSWERS)).toEqual(Object.keys(CALLS));
  for (const [action, [payload, answer]] of Object.entries(ANSWERS)) {
    const [type, , given] = await point.call(action, payload);
    expect([action, type, given]).toEqual([action, 3, answer]);
    expect(OCPP201.schemas.violationOf(action, 'conf', given)).toBeNull();
  }
});

test('a contract certificate that was not verified is not reported as valid', async () => {
  const [, , answer] = await point.call('Authorize', {
    ...{ idToken: { idToken: 'DE-1', type: 'eMAID' }, iso15118CertificateHashData: [hash] },
  });
  expect(answer).toEqual({ idTokenInfo: { status: 'Accepted' }, certificateStatus: 'NoCertificateAvailable' });
});

describe('invalid input is answered with the error codes of OCPP 2.0.1, and the connection stays open', () => {
  test.each<[string, unknown, unknown[]]>([
    ['broken JSON', '[2,"a","Heartbeat",{', [4, 'a', 'FormatViolation']],
    ['no array', '{"a":1}', [4, '-1', 'RpcFrameworkError']],
    ['no id', [2, null, 'Heartbeat', {}], [4, '-1', 'RpcFrameworkError']],
    ['an id that is too long', [2, 'x'.repeat(37), 'Heartbeat', {}], [4, 'x'.repeat(37), 'FormatViolation']],
    ['a payload that is not an object', [2, 'a', 'Heartbeat', []], [4, 'a', 'FormatViolation']],
    ['an unknown action', [2, 'b', 'StartTransaction', {}], [4, 'b', 'NotImplemented']],
    ['an action of the other direction', [2, 'c', 'Reset', { type: 'Immediate' }], [4, 'c', 'NotSupported']],
    ['a missing field', [2, 'd', 'StatusNotification', {}], [4, 'd', 'OccurrenceConstraintViolation']],
    ['a wrong type', [2, 'e', 'StatusNotification', { ...status, evseId: '1' }], [4, 'e', 'TypeConstraintViolation']],
    ['an unknown field', [2, 'f', 'Heartbeat', { more: 1 }], [4, 'f', 'FormatViolation']],
    [
      'an unknown value',
      [2, 'g', 'StatusNotification', { ...status, connectorStatus: 'Busy' }],
      [4, 'g', 'PropertyConstraintViolation'],
    ],
    [
      'an EVSE number that is too large',
      [2, 'h', 'StatusNotification', { ...status, evseId: 257 }],
      [4, 'h', 'PropertyConstraintViolation'],
    ],
    [
      'a number beyond 32 bits',
      [2, 'i', 'NotifyReport', { requestId: 2 ** 40, seqNo: 0, generatedAt: now() }],
      [4, 'i', 'PropertyConstraintViolation'],
    ],
    [
      'a negative sequence number',
      [2, 'j', 'NotifyReport', { requestId: 1, seqNo: -1, generatedAt: now() }],
      [4, 'j', 'PropertyConstraintViolation'],
    ],
    [
      'an empty list',
      [2, 'k', 'MeterValues', { evseId: 1, meterValue: [] }],
      [4, 'k', 'OccurrenceConstraintViolation'],
    ],
  ])('%s', async (_, frame, answer) => {
    point.send(frame);
    expect((await point.next()).slice(0, 3)).toEqual(answer);
    expect((await point.call('Heartbeat', {}))[0]).toBe(3);
  });

  test('a frame beyond the size limit closes the connection with the reason', async () => {
    await bed.addDevice('HUGE-201');
    const other = await connectRaw(`${bed.url}/HUGE-201`, { protocols: ['ocpp2.0.1'] });
    other.send([2, 'a', 'DataTransfer', { vendorId: 'v', data: 'x'.repeat(20_000) }]);
    expect(await other.closed).toMatchObject({ code: 1009 });
  });
});

test('a repeated message id gets the same answer and is stored once', async () => {
  const event = {
    ...{ eventType: 'Started', timestamp: now(), triggerReason: 'CablePluggedIn', seqNo: 0 },
    transactionInfo: { transactionId: 'twice' },
  };
  const first = await point.call('TransactionEvent', event, 'same-id');
  expect(await point.call('TransactionEvent', event, 'same-id')).toEqual(first);
});

describe('one address for all versions', () => {
  test.each([
    [['ocpp2.0.1', 'ocpp1.6'], 'ocpp2.0.1'],
    [['ocpp1.6', 'ocpp2.0.1'], 'ocpp1.6'],
    [['ocpp3.0', 'ocpp2.0.1'], 'ocpp2.0.1'],
  ])('a device that offers %j uses %s', async (protocols, chosen) => {
    await bed.addDevice(`BOTH-${chosen}-${protocols.length}-${protocols[0]}`);
    const both = await connectRaw(`${bed.url}/BOTH-${chosen}-${protocols.length}-${protocols[0]}`, { protocols });
    expect(both.socket.protocol).toBe(chosen);
    both.socket.close();
  });

  test('a newer connection replaces an older one, whatever version each of them uses', async () => {
    const device = await bed.addDevice('MOVES-1');
    const old = await connectRaw(`${bed.url}/MOVES-1`, { protocols: ['ocpp1.6'] });
    const young = await connectRaw(`${bed.url}/MOVES-1`, { protocols: ['ocpp2.0.1'] });
    expect(await old.closed).toMatchObject({ code: 1000 });
    await young.call('Heartbeat', {});
    const read = () =>
      bed.pool
        .query('select connected, protocol from device_states where device_id = $1', [device])
        .then(({ rows }) => rows[0]);
    expect(await eventually(read, (row) => row?.protocol === 'ocpp2.0.1')).toEqual({
      connected: true,
      protocol: 'ocpp2.0.1',
    });
  });
});

test('a reported severity decides the level of an alarm, and the end of the alarm clears it, whatever name it has', async () => {
  const notifyEvent = (more: object) =>
    point.call('NotifyEvent', {
      ...{ generatedAt: now(), seqNo: 0 },
      eventData: [
        {
          ...{ eventId: 2, timestamp: now(), trigger: 'Alerting', actualValue: '90', variableMonitoringId: 1 },
          ...{
            eventNotificationType: 'CustomMonitor',
            component: { name: 'TemperatureSensor' },
            variable: { name: 'Temperature' },
          },
          ...more,
        },
      ],
    });
  const open = async () => {
    const { rows } = await bed.pool.query(
      `select code, kind, level from alarms where device_id = $1 and cleared_at is null and code <> 'StatusRejected'`,
      [id],
    );
    return rows;
  };
  await notifyEvent({ techCode: 'T9' });
  expect(await open()).toEqual([{ code: 'T9', kind: 'alarm', level: 'CA' }]);
  await notifyEvent({ cleared: true, actualValue: '40' });
  expect(await open()).toEqual([]);
});

test('values with a time before the station knew it are refused, and operators see that', async () => {
  const timestamp = '1970-01-01T00:00:10Z';
  const meterValue = [{ timestamp, sampledValue: [{ value: 1 }] }];
  await point.call('MeterValues', { evseId: 1, meterValue });
  const eventData = [
    { eventId: 9, timestamp, trigger: 'Delta', actualValue: '8', eventNotificationType: 'CustomMonitor' },
  ];
  const unknown = { component: { name: 'Early' }, variable: { name: 'Power' } };
  await point.call('NotifyEvent', { generatedAt: timestamp, seqNo: 0, eventData: [{ ...eventData[0], ...unknown }] });
  const variableAttribute = [{ value: '3', mutability: 'ReadOnly' }];
  const reportData = [{ ...unknown, variable: { name: 'Voltage' }, variableAttribute }];
  await point.call('NotifyReport', { requestId: 1, seqNo: 0, generatedAt: timestamp, reportData });
  const { rows } = await bed.pool.query(
    `select action, reason from device_message_faults where device_id = $1 and outcome = 'partial' order by action`,
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['MeterValues', 'NotifyEvent', 'NotifyReport']);
  for (const { reason } of rows) expect(reason).toMatch(/^the time 1970-01-01T00:00:10Z .* is more than a year old/);
  const stored = await bed.pool.query(
    `select 1 from readings r join reading_layouts l on l.id = r.layout_id
      where r.device_id = $1 and l.items::text like '%Early%'`,
    [id],
  );
  expect(stored.rows).toEqual([]);
});

test('a security event with the name of an object property is an ordinary one', async () => {
  for (const type of ['constructor', 'toString', '__proto__']) {
    expect((await point.call('SecurityEventNotification', { type, timestamp: now() }))[0]).toBe(3);
    const { rows } = await bed.pool.query('select level from alarms where device_id = $1 and code = $2', [id, type]);
    expect(rows).toEqual([{ level: 'OA' }]);
  }
});
