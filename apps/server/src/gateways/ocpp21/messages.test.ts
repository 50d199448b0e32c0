import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectRaw,
  eventually,
  type RawPoint,
  startTestbed,
  type Testbed,
} from '../../testing/gateways/gateway-testbed.ts';
import { CALLS as CALLS_201 } from '../ocpp201/calls.ts';
import { CALLS } from './calls.ts';
import { OCPP21 } from './index.ts';

let bed: Testbed;
let id: number;
let point: RawPoint;
beforeAll(async () => {
  bed = await startTestbed();
  id = await bed.addDevice('MSG-21');
  point = await connectRaw(`${bed.url}/MSG-21`, { protocols: ['ocpp2.1'] });
});
afterAll(() => bed.stop());

const now = () => new Date().toISOString();
const hashData = { hashAlgorithm: 'SHA256', issuerNameHash: 'n', issuerKeyHash: 'k', serialNumber: '1' };
const unsupported = { status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedRequest' } };
const battery = { evseId: 3, serialNumber: 'BAT-9', soC: 81, soH: 97 };

/** One CALL of each action that OCPP 2.1 adds for charging stations, and how it is answered. */
const ADDED: Record<string, [payload: object, answer: object]> = {
  BatterySwap: [
    { batteryData: [battery], eventType: 'BatteryIn', idToken: { idToken: 'A', type: 'Central' }, requestId: 1 },
    {},
  ],
  ClosePeriodicEventStream: [{ id: 9 }, {}],
  GetCertificateChainStatus: [
    { certificateStatusRequests: [{ certificateHashData: hashData, source: 'OCSP', urls: ['http://a'] }] },
    {
      certificateStatus: [
        { certificateHashData: hashData, source: 'OCSP', status: 'Failed', nextUpdate: expect.any(String) },
      ],
    },
  ],
  NotifyDERAlarm: [{ controlType: 'VoltVar', timestamp: now() }, {}],
  NotifyDERStartStop: [{ controlId: 'C1', started: true, timestamp: now(), supersededIds: ['C0'] }, {}],
  NotifyPriorityCharging: [{ transactionId: 't', activated: true }, {}],
  NotifyAllowedEnergyTransfer: [
    { transactionId: 't', allowedEnergyTransfer: ['DC'] },
    { status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedRequest' } },
  ],
  NotifyWebPaymentStarted: [{ evseId: 1, timeout: 60 }, {}],
  NotifySettlement: [{ pspRef: 'p', status: 'Settled', settlementAmount: 1.5, settlementTime: now() }, {}],
  OpenPeriodicEventStream: [
    { constantStreamData: { id: 1, params: { interval: 5 }, variableMonitoringId: 77 } },
    { status: 'Accepted' },
  ],
  PullDynamicScheduleUpdate: [{ chargingProfileId: 1 }, unsupported],
  ReportDERControl: [{ requestId: 1 }, {}],
  VatNumberValidation: [
    { vatNumber: 'DE1', evseId: 2 },
    { vatNumber: 'DE1', evseId: 2, ...unsupported },
  ],
};

/** A SEND (OCPP-J 2.1 §4.2.5). */
function send(action: string, payload: object, messageId = 'send-1'): void {
  point.socket.send(JSON.stringify([6, messageId, action, payload]));
}

/** The notes of the frames of an action in the protocol log. */
async function notesOf(action: string): Promise<(string | null)[]> {
  const { rows } = await bed.pool.query<{ note: string | null }>(
    'select note from protocol_frames where device_id = $1 and action = $2 order by id',
    [id, action],
  );
  return rows.map(({ note }) => note);
}

async function alarms(): Promise<{ code: string; kind: string; level: string; connector: number }[]> {
  const { rows } = await bed.pool.query(
    'select code, kind, level, connector from alarms where device_id = $1 and cleared_at is null order by code',
    [id],
  );
  return rows;
}

test('every message that OCPP 2.1 adds for charging stations is answered as its schema and the specification require', async () => {
  expect(Object.keys(CALLS).filter((action) => !Object.hasOwn(CALLS_201, action))).toEqual(Object.keys(ADDED).sort());
  for (const [action, [payload, answer]] of Object.entries(ADDED)) {
    const [type, , given] = await point.call(action, payload);
    expect([action, type, given]).toEqual([action, 3, answer]);
    expect(OCPP21.schemas.violationOf(action, 'conf', given)).toBeNull();
  }
});

test('a message of OCPP 2.0.1 is checked against the schema of 2.1', async () => {
  const event = {
    ...{ eventType: 'Started', timestamp: now(), triggerReason: 'TxResumed', seqNo: 0 },
    transactionInfo: { transactionId: 'resumed', operationMode: 'ChargingOnly' },
  };
  expect(await point.call('TransactionEvent', event)).toMatchObject({ 0: 3 });
  await bed.addDevice('OLD-21');
  const old = await connectRaw(`${bed.url}/OLD-21`, { protocols: ['ocpp2.0.1'] });
  expect(await old.call('TransactionEvent', event)).toMatchObject({ 0: 4 });
  old.socket.close();
});

describe('choice of the version', () => {
  test.each([
    [['ocpp2.1', 'ocpp2.0.1'], 'ocpp2.1'],
    [['ocpp2.0.1', 'ocpp2.1'], 'ocpp2.1'],
    [['ocpp1.6', 'ocpp2.1'], 'ocpp1.6'],
    [['ocpp2.0.1', 'ocpp1.6', 'ocpp2.1'], 'ocpp2.1'],
  ])('a device that offers %j uses %s', async (protocols, chosen) => {
    const sn = `OFFERS-${protocols.join('-').replaceAll(/[^\d-]/g, '')}`;
    await bed.addDevice(sn);
    const other = await connectRaw(`${bed.url}/${sn}`, { protocols });
    expect(other.socket.protocol).toBe(chosen);
    other.socket.close();
  });
});

describe('alarms of a distributed energy resource', () => {
  test('are raised with the grid event and end when the device reports the end', async () => {
    const alarm = { controlType: 'HVMustTrip', gridEventFault: 'OverVoltage', timestamp: now(), extraInfo: '253 V' };
    await point.call('NotifyDERAlarm', alarm);
    const { rows } = await bed.pool.query('select code, level, info from alarms where device_id = $1 and code = $2', [
      id,
      'DER.HVMustTrip',
    ]);
    expect(rows).toEqual([{ code: 'DER.HVMustTrip', level: 'MA', info: 'OverVoltage; 253 V' }]);
    await point.call('NotifyDERAlarm', { controlType: 'HVMustTrip', alarmEnded: true, timestamp: now() });
    expect((await alarms()).map(({ code }) => code)).not.toContain('DER.HVMustTrip');
  });
});

describe('a battery swap', () => {
  const swap = (eventType: string) =>
    point.call('BatterySwap', {
      ...{ batteryData: [{ ...battery, evseId: 2 }], eventType, requestId: 4 },
      idToken: { idToken: 'A', type: 'Central' },
    });

  test('a battery that was not removed is an alarm of its slot until the next swap there', async () => {
    await swap('BatteryOutTimeout');
    expect(await alarms()).toContainEqual({ code: 'BatterySwap.OutTimeout', kind: 'alarm', level: 'OA', connector: 2 });
    await swap('BatteryOut');
    expect((await alarms()).map(({ code }) => code)).not.toContain('BatterySwap.OutTimeout');
  });

  test('of several batteries of one slot the last is stored', async () => {
    const batteryData = ['BAT-7', 'BAT-8'].map((serialNumber) => ({ ...battery, evseId: 3, serialNumber }));
    await point.call('BatterySwap', {
      ...{ batteryData, eventType: 'BatteryIn', requestId: 5 },
      idToken: { idToken: 'A', type: 'Central' },
    });
    const { rows } = await bed.pool.query<{ value: string }>(
      `select value from latest_texts where device_id = $1 and connector = 3 and key = 'BatterySwap.SerialNumber'`,
      [id],
    );
    expect(rows).toEqual([{ value: 'BAT-8' }]);
    expect(await notesOf('BatterySwap')).toContain(
      'batteries left out because another one follows for the same EVSE: 1',
    );
  });

  test('the battery in the slot is data of its connector', async () => {
    await swap('BatteryIn');
    const { rows } = await bed.pool.query<{ key: string; value: string }>(
      `select key, value from latest_texts where device_id = $1 and connector = 2 order by key`,
      [id],
    );
    expect(rows).toEqual([
      { key: 'BatterySwap.Event', value: 'BatteryIn' },
      { key: 'BatterySwap.SerialNumber', value: 'BAT-9' },
    ]);
  });
});

describe('periodic event streams', () => {
  const monitor = (component: string, monitorId: number) =>
    point.call('NotifyMonitoringReport', {
      ...{ requestId: 1, seqNo: 0, generatedAt: now() },
      monitor: [
        {
          ...{ component: { name: component, evse: { id: 1 } }, variable: { name: 'Temperature' } },
          variableMonitoring: [
            {
              id: monitorId,
              transaction: false,
              value: 5,
              type: 'Periodic',
              severity: 8,
              ...{ eventNotificationType: 'CustomMonitor' },
            },
          ],
        },
      ],
    });
  const values = (streamId: number, ...list: number[]) => {
    const basetime = new Date(Date.now() - 60_000).toISOString();
    send('NotifyPeriodicEventStream', {
      ...{ id: streamId, pending: 0, basetime },
      data: list.map((value, index) => ({ t: index, v: String(value) })),
    });
  };
  /** readings of a quantity alone, oldest first */
  const readings = async (key: string) => {
    const { rows } = await bed.pool.query<{ value: number }>(
      `select r.analog[1] as value from readings r join reading_layouts l on l.id = r.layout_id
       where r.device_id = $1 and l.items -> 0 ->> 'key' = $2 order by r.at`,
      [id, key],
    );
    return rows.map(({ value }) => value);
  };

  test('their values are readings, each at its own time', async () => {
    await monitor('Cooler', 5);
    await point.call('OpenPeriodicEventStream', {
      constantStreamData: { id: 50, params: { interval: 1 }, variableMonitoringId: 5 },
    });
    values(50, 21, 22, 23);
    expect(
      await eventually(
        () => readings('Cooler.Temperature'),
        (all) => all.length === 3,
      ),
    ).toEqual([21, 22, 23]);
  });

  test('a stream from before the connection is looked up, and its values wait until the device has reported it', async () => {
    values(60, 31);
    const [, streams, streamsAction] = await point.next();
    expect(streamsAction).toBe('GetPeriodicEventStream');
    point.send([3, streams, { constantStreamData: [{ id: 60, params: {}, variableMonitoringId: 6 }] }]);
    const [, report, reportAction] = await point.next();
    expect(reportAction).toBe('GetMonitoringReport');
    point.send([3, report, { status: 'Accepted' }]);
    expect(await readings('Fan.Temperature')).toEqual([]);
    await monitor('Fan', 6);
    expect(
      await eventually(
        () => readings('Fan.Temperature'),
        (all) => all.length === 1,
      ),
    ).toEqual([31]);
  });

  test('values with an implausible time are refused, and operators see that', async () => {
    const basetime = '2020-01-01T00:00:00Z';
    send('NotifyPeriodicEventStream', { id: 50, pending: 0, basetime, data: [{ t: 0, v: '99' }] });
    const faults = async () => {
      const { rows } = await bed.pool.query(
        `select reason from device_message_faults where device_id = $1 and action = 'NotifyPeriodicEventStream'`,
        [id],
      );
      return rows;
    };
    const [fault] = await eventually(faults, (all) => all.length > 0);
    expect(fault.reason).toContain('is more than a year old');
    expect(await readings('Cooler.Temperature')).not.toContain(99);
  });

  test('an error in a message without an answer is noted, and nothing is answered', async () => {
    const frames: string[] = [];
    point.socket.on('message', (data) => frames.push(String(data)));
    send('Heartbeat', {}, 'no-answer');
    send('NotifyPeriodicEventStream', { id: 'x' }, 'no-answer');
    send('Nonsense', {}, 'no-answer');
    await point.call('Heartbeat', {});
    expect(frames.filter((frame) => frame.includes('no-answer'))).toEqual([]);
    expect(await notesOf('Nonsense')).toEqual(['Nonsense is not an action of OCPP 2.1']);
    expect((await notesOf('Heartbeat'))[0]).toContain('needs an answer');
    expect((await notesOf('NotifyPeriodicEventStream')).at(-1)).toContain('required');
  });
});
