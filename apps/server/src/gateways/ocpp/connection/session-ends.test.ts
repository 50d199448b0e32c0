import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargingNow } from '../../../telemetry/index.ts';
import { connectRaw, type RawPoint, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
const BOOT = { chargePointVendor: 'V', chargePointModel: 'M' };
const BOOT_201 = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };

async function sessionsOf(deviceId: number) {
  const { rows } = await bed.pool.query(
    `select connector, stopped_at, stop_reason, stop_cause, meter_stop, clock_fault from transactions
      where device_id = $1 order by id`,
    [deviceId],
  );
  return rows;
}

async function isCharging(deviceId: number, connector = 0): Promise<boolean> {
  const { rows } = await sql<{ now: boolean }>`
    select ${chargingNow(sql`${deviceId}::int`, sql`${connector}::int`)} as now`.execute(bed.database.db);
  return rows[0]!.now;
}

let piles = 0;

describe('OCPP 1.6', () => {
  const pile = async (options?: { hearsTriggers: boolean }) => {
    piles += 1;
    const sn = `ENDS-16-${piles}`;
    const id = await bed.addDevice(sn);
    return { id, point: await connectRaw(`${bed.url}/${sn}`, options) };
  };
  const status = (point: RawPoint, word: string, minutes = 0, connectorId = 1) =>
    point.call('StatusNotification', { connectorId, errorCode: 'NoError', status: word, timestamp: ago(minutes) });
  const start = async (point: RawPoint, minutes: number, connectorId = 1, timestamp = ago(minutes)) => {
    const answer = await point.call('StartTransaction', { connectorId, idTag: 'CARD', meterStart: 100, timestamp });
    return (answer[2] as { transactionId: number }).transactionId;
  };

  test.each(['Available', 'Faulted'])(
    'a boot ends the session, and %s leaves no charging session open',
    async (word) => {
      const { id, point } = await pile();
      await status(point, 'Preparing', 11);
      await start(point, 10);
      await status(point, 'Charging', 9);
      expect(await isCharging(id)).toBe(true);
      await point.call('BootNotification', BOOT);
      expect(await sessionsOf(id)).toMatchObject([
        { stop_reason: 'NotReported', stop_cause: 'boot', stopped_at: expect.any(Date), meter_stop: null },
      ]);
      // The status that the connector reported before the boot is out of date.
      expect(await isCharging(id)).toBe(false);
      await status(point, word);
      expect(await isCharging(id)).toBe(false);
    },
  );

  test.each([
    ['Available', 'connectorAvailable'],
    ['Unavailable', 'connectorUnavailable'],
  ])('%s ends the session of its connector, and no other one', async (word, cause) => {
    const { id, point } = await pile();
    await start(point, 10, 1);
    await start(point, 10, 2);
    await status(point, word, 1, 1);
    expect(await sessionsOf(id)).toMatchObject([
      { connector: 1, stop_reason: 'NotReported', stop_cause: cause },
      { connector: 2, stop_reason: null, stop_cause: null },
    ]);
    expect([await isCharging(id, 1), await isCharging(id, 2)]).toEqual([false, true]);
  });

  test('a status from before the session does not end it; a session start ahead of our clock does not keep it open', async () => {
    const { id, point } = await pile();
    await start(point, 10);
    await status(point, 'Available', 20);
    expect(await sessionsOf(id)).toMatchObject([{ stop_reason: null }]);
    await start(point, 0, 2, '2099-01-01T00:00:00Z');
    await status(point, 'Available', 0, 2);
    expect((await sessionsOf(id))[1]).toMatchObject({ stop_cause: 'connectorAvailable', clock_fault: true });
  });

  test('a late StopTransaction completes the session with its real values', async () => {
    const { id, point } = await pile();
    const transactionId = await start(point, 10);
    await point.call('BootNotification', BOOT);
    const timestamp = ago(5);
    const stop = { transactionId, meterStop: 900, timestamp, reason: 'PowerLoss' };
    expect((await point.call('StopTransaction', stop))[0]).toBe(3);
    expect(await sessionsOf(id)).toMatchObject([
      { stop_reason: 'PowerLoss', stop_cause: null, stopped_at: new Date(timestamp), meter_stop: 900 },
    ]);
  });

  test('a requested BootNotification is no restart: the session goes on', async () => {
    const { id, point } = await pile({ hearsTriggers: true });
    await start(point, 10);
    await status(point, 'Charging', 9);
    const params = { message: 'BootNotification' } as const;
    const handed = bed.link.execute(id, { executionId: randomUUID(), kind: 'triggerMessage', connector: 0, params });
    let frame = await point.next();
    while (JSON.stringify(frame[3]) !== JSON.stringify({ requestedMessage: 'BootNotification' }))
      frame = await point.next();
    expect(await handed).toEqual({ outcome: 'sent' });
    point.send([3, frame[1], { status: 'Accepted' }]);
    await point.call('BootNotification', BOOT);
    expect(await sessionsOf(id)).toMatchObject([{ stop_reason: null }]);
    expect(await isCharging(id)).toBe(true);
    await point.call('BootNotification', BOOT);
    expect(await sessionsOf(id)).toMatchObject([{ stop_cause: 'boot' }]);
  });

  test('a charge point that boots on every connection and continues to charge reopens its session', async () => {
    const { id, point } = await pile();
    await start(point, 10);
    await status(point, 'Charging', 9);
    await point.call('BootNotification', BOOT);
    await status(point, 'Charging');
    expect(await sessionsOf(id)).toMatchObject([{ stopped_at: null, stop_reason: null, stop_cause: null }]);
    expect(await isCharging(id)).toBe(true);
    // Without a boot in between, the status Charging reopens nothing.
    await status(point, 'Available');
    await status(point, 'Charging');
    expect(await sessionsOf(id)).toMatchObject([{ stop_cause: 'connectorAvailable' }]);
  });

  test('a later start ends the session, even when the clock of the charge point is wrong', async () => {
    const { id, point } = await pile();
    await start(point, 0, 1, '2099-01-01T00:00:00Z');
    await start(point, 0, 1, '1970-01-01T00:00:00Z');
    const [first, second] = await sessionsOf(id);
    expect(first).toMatchObject({ stop_cause: 'laterStart', clock_fault: true });
    expect(first.stopped_at.getTime()).toBeGreaterThan(Date.now() - MINUTE);
    expect(second).toMatchObject({ stopped_at: null, clock_fault: true });
  });
});

describe('OCPP 2.0.1', () => {
  const station = async () => {
    piles += 1;
    const sn = `ENDS-201-${piles}`;
    const id = await bed.addDevice(sn);
    return { id, point: await connectRaw(`${bed.url}/${sn}`, { protocols: ['ocpp2.0.1'] }) };
  };
  const event = (point: RawPoint, eventType: string, seqNo: number, minutes: number, more: object = {}) =>
    point.call('TransactionEvent', {
      ...{ eventType, seqNo, timestamp: ago(minutes), triggerReason: 'MeterValuePeriodic' },
      ...{ transactionInfo: { transactionId: 'ONE' }, evse: { id: 1, connectorId: 1 } },
      ...more,
    });
  const status = (point: RawPoint, connectorStatus: string, minutes = 0, evseId = 1) =>
    point.call('StatusNotification', { timestamp: ago(minutes), connectorStatus, evseId, connectorId: 1 });

  test('an Updated of an unknown transaction no longer blocks controls once the connector is available', async () => {
    const { id, point } = await station();
    await event(point, 'Updated', 7, 10);
    await status(point, 'Available', 1);
    expect(await sessionsOf(id)).toMatchObject([{ stop_reason: 'NotReported', stop_cause: 'connectorAvailable' }]);
    expect(await isCharging(id)).toBe(false);
  });

  test('a session without a known connector ends when no connector is in use', async () => {
    const { id, point } = await station();
    await status(point, 'Available', 20, 1);
    await status(point, 'Occupied', 20, 2);
    await event(point, 'Updated', 7, 10, { evse: undefined });
    expect(await isCharging(id, 1)).toBe(true);
    await status(point, 'Available', 5, 1);
    expect(await sessionsOf(id)).toMatchObject([{ connector: 0, stop_cause: null }]);
    await status(point, 'Available', 4, 2);
    expect(await sessionsOf(id)).toMatchObject([{ connector: 0, stop_cause: 'connectorAvailable' }]);
    expect(await isCharging(id)).toBe(false);
  });

  test('a boot ends the session; messages that the station stored meanwhile complete it, and a transaction that continues reopens it', async () => {
    const { id, point } = await station();
    await event(point, 'Started', 0, 10);
    await point.call('BootNotification', BOOT_201);
    expect(await sessionsOf(id)).toMatchObject([{ stop_reason: 'NotReported', stop_cause: 'boot' }]);
    await event(point, 'Updated', 1, 5, { offline: true });
    expect(await sessionsOf(id)).toMatchObject([{ stop_cause: 'boot' }]);
    await event(point, 'Updated', 2, -1);
    expect(await sessionsOf(id)).toMatchObject([{ stopped_at: null, stop_reason: null, stop_cause: null }]);
    await point.call('BootNotification', { ...BOOT_201, reason: 'Watchdog' });
    await event(point, 'Ended', 3, 2, { transactionInfo: { transactionId: 'ONE', stoppedReason: 'PowerLoss' } });
    expect(await sessionsOf(id)).toMatchObject([{ stop_reason: 'PowerLoss', stop_cause: null }]);
  });

  test('a triggered BootNotification does not end a session', async () => {
    const { id, point } = await station();
    await event(point, 'Started', 0, 10);
    await point.call('BootNotification', { ...BOOT_201, reason: 'Triggered' });
    expect(await sessionsOf(id)).toMatchObject([{ stop_reason: null }]);
  });
});
