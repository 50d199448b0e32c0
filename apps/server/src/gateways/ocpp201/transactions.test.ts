import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packReadingsOf } from '../../testing/faults/packed-readings.ts';
import { connectRaw, type RawPoint, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
let id: number;
let point: RawPoint;
const connect = async () => {
  point = await connectRaw(`${bed.url}/TX-201`, { protocols: ['ocpp2.0.1'] });
};
beforeAll(async () => {
  bed = await startTestbed();
  id = await bed.addDevice('TX-201');
  await connect();
});
afterAll(() => bed.stop());

const BEGIN = Date.now() - 3_600_000;
let transactions = 0;

/** The events of one whole transaction with a number of messages, in order. The second one contains the card. */
function eventsOf(name: string, messages: number, meter: number): object[] {
  return Array.from({ length: messages }, (_, seqNo) => ({
    eventType: seqNo === 0 ? 'Started' : seqNo === messages - 1 ? 'Ended' : 'Updated',
    timestamp: new Date(BEGIN + seqNo * 60_000).toISOString(),
    ...{ seqNo, offline: true, triggerReason: 'MeterValuePeriodic' },
    transactionInfo: { transactionId: name, ...(seqNo === messages - 1 ? { stoppedReason: 'Remote' } : {}) },
    ...(seqNo === 0 ? { evse: { id: 3, connectorId: 1 } } : {}),
    ...(seqNo === 1 ? { idToken: { idToken: 'CARD', type: 'ISO14443' } } : {}),
    meterValue: [
      { timestamp: new Date(BEGIN + seqNo * 60_000).toISOString(), sampledValue: [{ value: meter + seqNo * 10 }] },
    ],
  }));
}

async function rowsOf(name: string) {
  const { rows } = await bed.pool.query(
    `select connector, id_tag, meter_start, meter_stop, stop_reason, stop_id_tag, started_at, stopped_at, first_seq, last_seq
       from transactions where device_id = $1 and external_id = $2`,
    [id, name],
  );
  return rows;
}

test('events in any order, repeated, and over broken connections, result in one transaction with the same fields', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 3, max: 7 }).chain((messages) =>
        fc.record({
          messages: fc.constant(messages),
          order: fc.shuffledSubarray([...Array(messages).keys()], { minLength: messages }),
          again: fc.array(fc.tuple(fc.nat(messages - 1), fc.nat(messages * 2)), { maxLength: messages }),
          broken: fc.option(fc.nat(messages), { nil: -1 }),
        }),
      ),
      async ({ messages, order, again, broken }) => {
        transactions += 1;
        const name = `T-${transactions}`;
        const meter = transactions * 1_000;
        const all = eventsOf(name, messages, meter);
        const sent = [...order];
        for (const [which, where] of again) sent.splice(where, 0, which);
        for (const [turn, which] of sent.entries()) {
          if (turn === broken) {
            point.socket.terminate();
            await connect();
          }
          expect((await point.call('TransactionEvent', all[which]))[0]).toBe(3);
        }
        const last = messages - 1;
        expect(await rowsOf(name)).toEqual([
          {
            ...{ connector: 3, id_tag: 'CARD', meter_start: meter, meter_stop: meter + last * 10 },
            ...{ stop_reason: 'Remote', stop_id_tag: last === 1 ? 'CARD' : null },
            ...{ started_at: new Date(BEGIN), stopped_at: new Date(BEGIN + last * 60_000) },
            ...{ first_seq: 0, last_seq: last },
          },
        ]);
        const { rows } = await bed.pool.query(
          `select count(*)::int as n from readings where transaction_id =
            (select id from transactions where device_id = $1 and external_id = $2)`,
          [id, name],
        );
        expect(rows[0].n).toBe(messages);
      },
    ),
    { numRuns: 40 },
  );
}, 240_000);

test('a transaction may continue with the highest possible sequence number', async () => {
  const event = (eventType: string, seqNo: number, more: object) => ({
    ...{ eventType, seqNo, timestamp: new Date(BEGIN).toISOString(), triggerReason: 'Trigger' },
    ...{ transactionInfo: { transactionId: 'LAST' }, ...more },
  });
  const last = 2 ** 31 - 1;
  const card = { idToken: { idToken: 'CARD', type: 'ISO14443' } };
  expect((await point.call('TransactionEvent', event('Started', 0, { evse: { id: 4, connectorId: 1 } })))[0]).toBe(3);
  expect((await point.call('TransactionEvent', event('Ended', last, card)))[0]).toBe(3);
  expect(await rowsOf('LAST')).toMatchObject([{ id_tag: 'CARD', first_seq: 0, last_seq: last }]);
});

test('a finished transaction keeps the energy of its end, whatever arrives later', async () => {
  const timestamp = new Date(BEGIN).toISOString();
  const event = (eventType: string, seqNo: number, value: number | null) => ({
    ...{ eventType, seqNo, timestamp, triggerReason: 'Trigger', transactionInfo: { transactionId: 'DONE' } },
    ...{ evse: { id: 5, connectorId: 1 } },
    ...(value === null ? {} : { meterValue: [{ timestamp, sampledValue: [{ value }] }] }),
  });
  for (const [type, seqNo, value] of [
    ['Started', 0, 100],
    ['Ended', 2, 500],
    ['Updated', 3, 9_000],
    ['Updated', 1, 700],
    ['Ended', 4, 1],
  ] as const)
    expect((await point.call('TransactionEvent', event(type, seqNo, value)))[0]).toBe(3);
  expect(await rowsOf('DONE')).toMatchObject([{ meter_start: 100, meter_stop: 500 }]);
});

test('a transaction without an end event ends with the next one of its connector, until its end arrives after all', async () => {
  const event = (name: string, minute: number, eventType: string, seqNo: number) =>
    point.call('TransactionEvent', {
      ...{
        eventType,
        timestamp: new Date(BEGIN + minute * 60_000).toISOString(),
        seqNo,
        triggerReason: 'CablePluggedIn',
      },
      ...{ transactionInfo: { transactionId: name }, evse: { id: 5, connectorId: 1 } },
    });
  await event('LOST', 1, 'Started', 0);
  await event('NEXT', 9, 'Started', 0);
  expect(await rowsOf('LOST')).toMatchObject([
    { stop_reason: 'NotReported', stopped_at: new Date(BEGIN + 9 * 60_000), meter_stop: null },
  ]);
  expect(await rowsOf('NEXT')).toMatchObject([{ stopped_at: null }]);
  await event('LOST', 4, 'Ended', 7);
  expect(await rowsOf('LOST')).toMatchObject([{ stop_reason: 'Local', stopped_at: new Date(BEGIN + 4 * 60_000) }]);
});

test('the charging state is shown on its connector; an old state is not, and a fault is not overwritten', async () => {
  const status = (connectorStatus: string) =>
    point.call('StatusNotification', {
      ...{ timestamp: new Date().toISOString(), connectorStatus, evseId: 7, connectorId: 1 },
    });
  const event = (seqNo: number, chargingState: string | null, more: object = {}) =>
    point.call('TransactionEvent', {
      ...{ eventType: 'Updated', timestamp: new Date().toISOString(), seqNo, triggerReason: 'ChargingStateChanged' },
      transactionInfo: { transactionId: 'SHOWN', ...(chargingState ? { chargingState } : {}) },
      evse: { id: 7, connectorId: 1 },
      ...more,
    });
  const shown = async () => {
    const { rows } = await bed.pool.query('select status from connectors where device_id = $1 and connector = 7', [id]);
    return rows[0]?.status;
  };
  await event(0, 'Charging', { eventType: 'Started' });
  expect(await shown()).toBe('Charging');
  await status('Occupied');
  expect(await shown()).toBe('Charging');
  await event(2, 'SuspendedEV');
  expect(await shown()).toBe('SuspendedEV');
  await event(1, 'Charging');
  await event(3, 'Charging', { offline: true });
  expect(await shown()).toBe('SuspendedEV');
  await status('Faulted');
  await event(4, 'Charging');
  expect(await shown()).toBe('Faulted');
  await status('Available');
  await event(5, null, { eventType: 'Ended' });
  expect(await shown()).toBe('Available');
});

test('readings of a transaction without a known EVSE are not readings of the station, and move to their connector', async () => {
  const event = (seqNo: number, watts: number, more: object = {}) =>
    point.call('TransactionEvent', {
      ...{ eventType: 'Updated', timestamp: new Date(BEGIN + seqNo * 60_000).toISOString(), seqNo, offline: true },
      ...{ triggerReason: 'MeterValuePeriodic', transactionInfo: { transactionId: 'PLACELESS' } },
      meterValue: [
        {
          timestamp: new Date(BEGIN + seqNo * 60_000).toISOString(),
          sampledValue: [{ value: watts, measurand: 'Power.Offered' }],
        },
      ],
      ...more,
    });
  const latest = async () => {
    const { rows } = await bed.pool.query(
      `select k.connector, k.analog[1] as watts from latest_readings k join reading_layouts l on l.id = k.layout_id
        where k.device_id = $1 and l.items @> '[{"key": "Power.Offered"}]'`,
      [id],
    );
    return rows;
  };
  await event(1, 100);
  await event(2, 200);
  expect(await latest()).toEqual([]);
  await bed.pool.query('truncate reading_marks');
  await event(0, 50, { eventType: 'Started', evse: { id: 9, connectorId: 1 } });
  expect(await latest()).toEqual([{ connector: 9, watts: 200 }]);
  const { rows } = await bed.pool.query(
    `select r.connector, r.analog[1] as watts, exists (
       select from reading_marks m where m.device_id = r.device_id
         and r.at >= m.at and r.at < m.at + interval '5 min') as marked
       from readings r join reading_layouts l on l.id = r.layout_id
      where r.device_id = $1 and l.items @> '[{"key": "Power.Offered"}]' order by r.at`,
    [id],
  );
  expect(rows).toEqual([50, 100, 200].map((watts) => ({ connector: 9, watts, marked: true })));
});

describe('an EVSE with two connectors', () => {
  const now = () => new Date().toISOString();
  let stations = 0;

  /** A station whose EVSE 1 has two connectors with these statuses. */
  async function dualPlug(...statuses: string[]) {
    stations += 1;
    const sn = `DUAL-${stations}`;
    const device = await bed.addDevice(sn);
    const open = () => connectRaw(`${bed.url}/${sn}`, { protocols: ['ocpp2.0.1'] });
    const station = await open();
    for (const [index, connectorStatus] of statuses.entries()) {
      const place = { evseId: 1, connectorId: index + 1 };
      await station.call('StatusNotification', { timestamp: now(), connectorStatus, ...place });
    }
    return { device, station, open };
  }
  const started = (evse: object, seqNo = 0) => ({
    ...{
      eventType: seqNo === 0 ? 'Started' : 'Updated',
      timestamp: now(),
      triggerReason: 'CablePluggedIn',
      seqNo,
      evse,
    },
    transactionInfo: { transactionId: 'T', chargingState: 'EVConnected' },
    meterValue: [{ timestamp: now(), sampledValue: [{ value: 100 + seqNo }] }],
  });
  const notify = (value: string) => ({
    ...{ generatedAt: now(), seqNo: 0 },
    eventData: [
      {
        ...{ eventId: 1, timestamp: now(), trigger: 'Alerting', actualValue: value },
        ...{ eventNotificationType: 'HardWiredNotification', component: { name: 'PowerConverter', evse: { id: 1 } } },
        variable: { name: 'Problem' },
      },
    ],
  });
  const meterValues = () => ({
    evseId: 1,
    meterValue: [{ timestamp: now(), sampledValue: [{ value: 7, measurand: 'Voltage' }] }],
  });
  /** Where the transaction, the readings and the active alarms of a device are. */
  async function placesOf(device: number) {
    const { rows } = await bed.pool.query(
      `select (select connector from transactions where device_id = $1) as transaction,
        array(select distinct connector from readings where device_id = $1) as readings,
        array(select connector from alarms where device_id = $1 and cleared_at is null) as alarms`,
      [device],
    );
    return rows[0];
  }
  const report = async (station: RawPoint) => {
    await station.call('TransactionEvent', started({ id: 1 }));
    await station.call('MeterValues', meterValues());
    await station.call('NotifyEvent', notify('true'));
  };

  test('what names only the EVSE belongs to the connector that is plugged in, also after a reconnect', async () => {
    const { device, station, open } = await dualPlug('Available', 'Occupied');
    const back = await open();
    await report(back);
    expect(await placesOf(device)).toEqual({ transaction: 257, readings: [257], alarms: [257] });
    await back.call('StatusNotification', {
      ...{ timestamp: now(), connectorStatus: 'Available' },
      evseId: 1,
      connectorId: 2,
    });
    const again = await open();
    await again.call('NotifyEvent', notify('false'));
    expect((await placesOf(device)).alarms).toEqual([]);
    for (const one of [station, back, again]) one.socket.close();
  });

  test('what the state does not decide belongs to the EVSE, until the transaction names its connector', async () => {
    const { device, station } = await dualPlug('Available', 'Available');
    await report(station);
    expect(await placesOf(device)).toEqual({ transaction: 32_513, readings: [32_513], alarms: [32_513] });
    const { rows } = await bed.pool.query('select connector, status from connectors where device_id = $1 order by 1', [
      device,
    ]);
    expect(rows).toEqual([
      { connector: 1, status: 'Available' },
      { connector: 257, status: 'Available' },
    ]);
    // Hours may pass: its readings are packed by then, and move as well.
    await packReadingsOf(bed.database, device);
    expect((await placesOf(device)).readings).toEqual([]);
    await station.call('TransactionEvent', started({ id: 1, connectorId: 2 }, 1));
    expect(await placesOf(device)).toMatchObject({ transaction: 257, readings: [257, 32_513] });
    await station.call('TransactionEvent', started({ id: 1 }, 2));
    const own = await bed.pool.query(
      'select distinct connector from readings where device_id = $1 and transaction_id is not null',
      [device],
    );
    expect(own.rows).toEqual([{ connector: 257 }]);
    station.socket.close();
  });
});
