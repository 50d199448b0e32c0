import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectRaw,
  eventually,
  type RawPoint,
  startTestbed,
  type Testbed,
} from '../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

let devices = 0;
/** A registered device with an open connection. */
async function connected(): Promise<{ id: number; sn: string; point: RawPoint }> {
  const sn = `MSG-${++devices}`;
  const id = await bed.addDevice(sn);
  return { id, sn, point: await connectRaw(`${bed.url}/${sn}`) };
}

const rows = async (text: string, values: unknown[]) => (await bed.pool.query(text, values)).rows;

describe('every message a charge point can send is stored before it is answered', () => {
  test('BootNotification: accepted with the interval and our time; version and boot data are kept', async () => {
    const { id, point } = await connected();
    const answer = await point.call('BootNotification', {
      chargePointVendor: 'Vendor',
      chargePointModel: 'Pile',
      firmwareVersion: '1.2.3',
    });
    expect(answer).toEqual([
      3,
      expect.any(String),
      { status: 'Accepted', interval: 60, currentTime: expect.any(String) },
    ]);
    const [device] = await rows(
      `select d.soft_version, s.boot, s.connected, s.booted_at from devices d join device_states s on s.device_id = d.id where d.id = $1`,
      [id],
    );
    expect(device).toMatchObject({ soft_version: '1.2.3', connected: true, boot: { chargePointVendor: 'Vendor' } });
  });

  test('Heartbeat: our time; the exchange is two rows of the protocol log', async () => {
    const { id, point } = await connected();
    const answer = await point.call('Heartbeat', {}, 'beat-1');
    expect(answer).toEqual([3, 'beat-1', { currentTime: expect.stringMatching(/Z$/) }]);
    const frames = await rows(
      `select type, action, message_id, body, bytes from protocol_frames where device_id = $1 and message_id is not null order by id`,
      [id],
    );
    expect(frames).toEqual([
      { type: 2, action: 'Heartbeat', message_id: 'beat-1', body: '[2,"beat-1","Heartbeat",{}]', bytes: 27 },
      { type: 3, action: 'Heartbeat', message_id: 'beat-1', body: JSON.stringify(answer), bytes: expect.any(Number) },
    ]);
  });

  test('Authorize and DataTransfer are answered as the specification requires', async () => {
    const { point } = await connected();
    expect((await point.call('Authorize', { idTag: 'TAG' }))[2]).toEqual({ idTagInfo: { status: 'Accepted' } });
    expect((await point.call('DataTransfer', { vendorId: 'x' }))[2]).toEqual({ status: 'UnknownVendorId' });
  });

  test('MeterValues become readings in base units, and the latest values', async () => {
    const { id, point } = await connected();
    const at = new Date().toISOString();
    const sampledValue = [
      { value: '12.5', unit: 'kWh' },
      { value: '7.2', measurand: 'Power.Active.Import', unit: 'kW' },
      { value: '230', measurand: 'Voltage', phase: 'L1', unit: 'V' },
    ];
    expect(
      (await point.call('MeterValues', { connectorId: 1, meterValue: [{ timestamp: at, sampledValue }] }))[2],
    ).toEqual({});
    const [reading] = await rows(
      `select r.connector, r.at, r.analog, r.counters, l.items from readings r join reading_layouts l on l.id = r.layout_id where device_id = $1`,
      [id],
    );
    expect(reading).toEqual({
      connector: 1,
      at: new Date(at),
      analog: [7200, 230],
      counters: [12_500],
      items: [
        { key: 'Energy.Active.Import.Register', unit: 'Wh', counter: true },
        { key: 'Power.Active.Import', unit: 'W', counter: false },
        { key: 'Voltage.L1', unit: 'V', counter: false },
      ],
    });
    expect(await rows('select counters from latest_readings where device_id = $1', [id])).toEqual([
      { counters: [12_500] },
    ]);
  });

  test('StartTransaction returns an id, and the same id when it is repeated; StopTransaction ends the transaction', async () => {
    const { id, point } = await connected();
    const start = { connectorId: 1, idTag: 'TAG', meterStart: 100, timestamp: '2026-01-02T03:04:05Z' };
    const [, , first] = await point.call('StartTransaction', start);
    const [, , second] = await point.call('StartTransaction', start);
    expect(second).toEqual(first);
    const { transactionId } = first as { transactionId: number };
    const stop = {
      transactionId,
      meterStop: 900,
      timestamp: new Date().toISOString(),
      idTag: 'TAG',
      reason: 'EVDisconnected',
    };
    expect((await point.call('StopTransaction', stop))[2]).toEqual({ idTagInfo: { status: 'Accepted' } });
    expect(
      await rows('select id, meter_start, meter_stop, stop_reason from transactions where device_id = $1', [id]),
    ).toEqual([{ id: transactionId, meter_start: 100, meter_stop: 900, stop_reason: 'EVDisconnected' }]);
  });

  test('a transaction with a start time in an invalid year starts when it is received', async () => {
    const { id, point } = await connected();
    for (const [connectorId, timestamp] of [
      [1, '9999-12-31T23:59:59-12:00'],
      [2, '0000-01-01T00:00:00+12:00'],
    ]) {
      const [type] = await point.call('StartTransaction', { connectorId, idTag: 'TAG', meterStart: 1, timestamp });
      expect(type).toBe(3);
    }
    const found = await rows(
      `select started_at between now() - interval '1 hour' and now() as now from transactions where device_id = $1`,
      [id],
    );
    expect(found).toEqual([{ now: true }, { now: true }]);
  });

  test('a transaction whose end was never reported ends with the next one of its connector, until its own end arrives', async () => {
    const { id, point } = await connected();
    const begin = async (meterStart: number, timestamp: string) => {
      const [, , answer] = await point.call('StartTransaction', {
        connectorId: 1,
        idTag: 'TAG',
        meterStart,
        timestamp,
      });
      return (answer as { transactionId: number }).transactionId;
    };
    const first = await begin(100, '2026-01-02T03:00:00Z');
    await begin(500, '2026-01-02T04:00:00Z');
    const stops = () =>
      rows('select stopped_at, stop_reason from transactions where device_id = $1 order by started_at', [id]);
    expect(await stops()).toEqual([
      { stopped_at: new Date('2026-01-02T04:00:00Z'), stop_reason: 'NotReported' },
      { stopped_at: null, stop_reason: null },
    ]);
    const timestamp = '2026-01-02T03:30:00Z';
    await point.call('StopTransaction', { transactionId: first, meterStop: 400, timestamp, reason: 'PowerLoss' });
    expect((await stops())[0]).toEqual({ stopped_at: new Date(timestamp), stop_reason: 'PowerLoss' });
  });

  test('StopTransaction of an unknown transaction is accepted, with a note in the protocol log', async () => {
    const { id, point } = await connected();
    const answer = await point.call('StopTransaction', {
      transactionId: -1,
      meterStop: 1,
      timestamp: new Date().toISOString(),
    });
    expect(answer[2]).toEqual({});
    const [frame] = await rows(`select note from protocol_frames where device_id = $1 and type = 2`, [id]);
    expect(frame.note).toContain('unknown transaction');
  });

  test('a stop with the number of the charge point ends the only open session that it can belong to', async () => {
    const { id, point } = await connected();
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const begin = (connectorId: number, idTag: string, meterStart: number) =>
      point.call('StartTransaction', { connectorId, idTag, meterStart, timestamp: ago(60) });
    const end = async (transactionId: number, meterStop: number, more = {}) => {
      const timestamp = ago(30);
      await point.call('StopTransaction', { transactionId, meterStop, timestamp, reason: 'EVDisconnected', ...more });
      return rows(
        `select connector, meter_stop, stop_reason from transactions where device_id = $1 order by connector`,
        [id],
      );
    };
    const open = (connector: number) => ({ connector, meter_stop: null, stop_reason: null });
    await begin(1, 'LEFT', 100);
    await begin(2, 'RIGHT', 200);
    expect(await end(-1, 900)).toEqual([open(1), open(2)]);
    expect(await end(-1, 900, { idTag: 'OTHER' })).toEqual([open(1), open(2)]);
    const right = { connector: 2, meter_stop: 900, stop_reason: 'EVDisconnected' };
    expect(await end(-1, 900, { idTag: 'right' })).toEqual([open(1), right]);
    expect(await end(7_000_001, 50)).toEqual([open(1), right]);
    expect(await end(7_000_001, 700)).toEqual([{ ...right, connector: 1, meter_stop: 700 }, right]);
  });

  test('firmware and diagnostics progress is stored, and an update shows in the status', async () => {
    const { id, point } = await connected();
    await point.call('FirmwareStatusNotification', { status: 'Installing' });
    await point.call('DiagnosticsStatusNotification', { status: 'Uploaded' });
    expect(
      await rows('select firmware_status, diagnostics_status from device_states where device_id = $1', [id]),
    ).toEqual([{ firmware_status: 'Installing', diagnostics_status: 'Uploaded' }]);
    await eventually(
      () => rows('select status from devices where id = $1', [id]),
      ([device]) => device.status === 'firmwareUpdate',
    );
  });
});

describe('the security whitepaper', () => {
  test('a security event is an alarm that clears immediately; events of normal operation are not alarms', async () => {
    const { id, point } = await connected();
    const timestamp = new Date().toISOString();
    for (const [type, techInfo] of [
      ['TamperDetectionActivated', 'door'],
      ['StartupOfTheDevice', 'boot'],
    ])
      expect((await point.call('SecurityEventNotification', { type, timestamp, techInfo }))[2]).toEqual({});
    expect(
      await rows('select code, level, info, cleared_at is null as open from alarms where device_id = $1', [id]),
    ).toEqual([{ code: 'TamperDetectionActivated', level: 'CA', info: 'door', open: false }]);
  });

  test('progress of an update is stored, whichever message reports it', async () => {
    const { id, point } = await connected();
    expect((await point.call('SignedFirmwareStatusNotification', { status: 'Downloading', requestId: 7 }))[2]).toEqual(
      {},
    );
    expect(await rows('select firmware_status from device_states where device_id = $1', [id])).toEqual([
      { firmware_status: 'Downloading' },
    ]);
  });

  test('the server signs no certificate here, and the charge point receives a refusal', async () => {
    const { point } = await connected();
    expect((await point.call('SignCertificate', { csr: 'request' }))[2]).toEqual({ status: 'Rejected' });
  });
});

describe('StatusNotification', () => {
  const report = (point: RawPoint, status: string, errorCode = 'NoError', more = {}) =>
    point.call('StatusNotification', { connectorId: 1, status, errorCode, ...more });

  test('updates the connector, and the status of the device follows', async () => {
    const { id, point } = await connected();
    expect((await report(point, 'Charging'))[2]).toEqual({});
    expect(await rows('select connector, status from connectors where device_id = $1', [id])).toEqual([
      { connector: 1, status: 'Charging' },
    ]);
    await eventually(
      () => rows('select status from devices where id = $1', [id]),
      ([device]) => device.status === 'working',
    );
  });

  test('a fault is one alarm: raised once, repeated, cleared, and reopened when it returns immediately', async () => {
    const { id, point } = await connected();
    await report(point, 'Faulted', 'GroundFailure', { info: 'leak' });
    await report(point, 'Faulted', 'GroundFailure');
    await report(point, 'Available');
    await report(point, 'Faulted', 'GroundFailure');
    await report(point, 'Faulted', 'OtherError', { vendorErrorCode: 'E-17' });
    const alarms = await rows(
      'select code, kind, level, repeats, cleared_at is null as active from alarms where device_id = $1 order by id',
      [id],
    );
    expect(alarms).toEqual([
      { code: 'GroundFailure', kind: 'fault', level: 'CA', repeats: 2, active: false },
      { code: 'E-17', kind: 'fault', level: 'MA', repeats: 0, active: true },
    ]);
    const events = await rows(
      'select type, code, ended_at is null as open from device_events where device_id = $1 order by id',
      [id],
    );
    expect(events).toEqual([
      { type: 2, code: 'GroundFailure', open: false },
      { type: 2, code: 'E-17', open: true },
    ]);
  });

  test('out of service is an alarm and an event until the connector is available again', async () => {
    const { id, point } = await connected();
    await report(point, 'Unavailable');
    await report(point, 'Unavailable');
    await report(point, 'Available');
    expect(
      await rows('select type, code, ended_at is null as open from device_events where device_id = $1', [id]),
    ).toEqual([{ type: 3, code: 'Unavailable', open: false }]);
    expect(
      await rows('select kind, level, code, repeats, cleared_at is null as open from alarms where device_id = $1', [
        id,
      ]),
    ).toEqual([{ kind: 'unavailable', level: 'OA', code: 'Unavailable', repeats: 1, open: false }]);
  });
});

test('a wrong clock is reported, and the times it reports are not used', async () => {
  const { id, point } = await connected();
  const future = new Date(Date.now() + 3_600_000).toISOString();
  await point.call('StatusNotification', {
    connectorId: 1,
    status: 'Available',
    errorCode: 'NoError',
    timestamp: future,
  });
  const [state] = await rows('select clock_skew_ms from device_states where device_id = $1', [id]);
  expect(state.clock_skew_ms).toBeGreaterThan(3_500_000);
  const [connector] = await rows('select since from connectors where device_id = $1', [id]);
  expect(connector.since.getTime()).toBeLessThan(Date.now() + 1_000);
  const meterValue = [{ timestamp: future, sampledValue: [{ value: '1' }] }];
  expect((await point.call('MeterValues', { connectorId: 1, meterValue }))[0]).toBe(3);
  expect(await rows('select 1 from readings where device_id = $1', [id])).toEqual([]);
  const reason = `the time ${future} of readings is more than 5 minutes in the future; they are left out`;
  expect(await rows('select outcome, action, reason from device_message_faults where device_id = $1', [id])).toEqual([
    { outcome: 'partial', action: 'MeterValues', reason },
  ]);
});
