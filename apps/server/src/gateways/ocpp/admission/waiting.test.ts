import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { steppedClock } from '../../../testing/clock.ts';
import { connectRaw, eventually, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';
import { listWaitingDevices, storeUnknownDevices } from '../../../testing/gateways/waiting-devices.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({}, { proxies: ['127.0.0.1'] });
  storeUnknownDevices(bed);
});
afterAll(() => bed.stop());

const BOOT16 = {
  chargePointVendor: 'Volt',
  chargePointModel: 'One',
  chargePointSerialNumber: 'S-1',
  firmwareVersion: '1.2.3',
};
const BOOT201 = {
  reason: 'PowerUp',
  chargingStation: { vendorName: 'Volt', model: 'Two', serialNumber: 'S-2', firmwareVersion: '2.0' },
};
const entryOf = async (sn: string) => {
  const order = { by: 'sn', descending: false } as const;
  const { items } = await listWaitingDevices(bed.database.db, sn, order, { limit: 10, offset: 0 });
  return items[0];
};
const connect = (sn: string, options: Parameters<typeof connectRaw>[1] = {}) =>
  connectRaw(`${bed.url}/${encodeURIComponent(sn)}`, { sn, ...options });

describe('an unregistered device', () => {
  test.each([
    ['ocpp1.6', BOOT16, { model: 'One', serialNumber: 'S-1', firmwareVersion: '1.2.3' }],
    ['ocpp2.0.1', BOOT201, { model: 'Two', serialNumber: 'S-2', firmwareVersion: '2.0' }],
    ['ocpp2.1', BOOT201, { model: 'Two', serialNumber: 'S-2', firmwareVersion: '2.0' }],
  ])(
    'boots and waits (%s); its reported details are known, and no other message is served',
    async (protocol, boot, facts) => {
      const sn = `AA:BB:CC:00:00:${protocol.length}${protocol.at(-1)}`;
      const point = await connect(sn, { protocols: [protocol] });
      const [, , answer] = (await point.call('BootNotification', boot)) as [number, string, object];
      expect(answer).toMatchObject({ status: 'Pending', interval: 10, currentTime: expect.any(String) });
      expect((await point.call('Heartbeat', {}))[2]).toBe('SecurityError');
      const entry = await eventually(
        () => entryOf(sn),
        (one) => one?.vendor === 'Volt',
      );
      expect(entry).toMatchObject({ ...facts, mac: sn, protocolVersion: protocol, waiting: true, attempts: 1 });
      point.socket.terminate();
      await eventually(
        () => entryOf(sn),
        (one) => one?.waiting === false,
      );
    },
  );

  test.each<[string, object, string]>([
    ['ocpp1.6', { ...BOOT16, chargeBoxSerialNumber: '001A2B3C4D5F' }, '00:1A:2B:3C:4D:5F'],
    ['ocpp1.6', { ...BOOT16, macAddress: '00-1A-2B-3C-4D-60' }, '00:1A:2B:3C:4D:60'],
    ['ocpp2.0.1', { ...BOOT201, customData: { vendorId: 'V', mac: '001a2b3c4d61' } }, '00:1A:2B:3C:4D:61'],
  ])('sends its MAC address in a BootNotification (%s, %j)', async (protocol, boot, mac) => {
    const sn = `BOX-${mac.slice(-2)}`;
    const point = await connect(sn, { protocols: [protocol] });
    await point.call('BootNotification', boot);
    expect(
      await eventually(
        () => entryOf(sn),
        (one) => one?.mac !== null,
      ),
    ).toMatchObject({ mac });
    point.socket.terminate();
  });

  test('is admitted on the same connection once it is registered', async () => {
    const point = await connect('LATER-1');
    expect(await point.call('BootNotification', BOOT16)).toMatchObject([3, expect.anything(), { status: 'Pending' }]);
    const id = await bed.addDevice('LATER-1');
    const connected = async () =>
      (await bed.pool.query('select connected from device_states where device_id = $1', [id])).rows[0]?.connected;
    await eventually(connected, (is) => is === true);
    const answer = await point.call('BootNotification', BOOT16);
    expect(answer).toMatchObject([3, expect.anything(), { status: 'Accepted' }]);
    expect(await point.call('Heartbeat', {})).toMatchObject([3, expect.anything(), {}]);
    point.socket.terminate();
  });

  test('is disconnected when it was registered with a password that it did not present, and the protocol log says so', async () => {
    const point = await connect('LATER-2');
    const id = await bed.addDevice('LATER-2', { password: 'the-right-password-1' });
    expect((await point.closed).code).toBe(1008);
    const notes = async () =>
      (await bed.pool.query('select note from protocol_frames where device_id = $1', [id])).rows.map(
        ({ note }) => note,
      );
    await eventually(notes, (all) => all.some((note) => note?.startsWith('refused after it waited')));
    const again = await connect('LATER-2', { password: 'the-right-password-1' });
    again.socket.terminate();
  });

  test('is disconnected when it sends too many or too long messages', async () => {
    const long = await connect('LOUD-1');
    long.send([2, randomUUID(), 'BootNotification', { chargePointVendor: 'x'.repeat(9_000) }]);
    expect((await long.closed).code).toBe(1009);
    const many = await connect('LOUD-2');
    for (let frame = 0; frame < 40; frame += 1) many.send([2, `m${frame}`, 'Heartbeat', {}]);
    expect((await many.closed).code).toBe(1008);
  });

  test('is disconnected after fifteen minutes, and not earlier', async () => {
    const clock = steppedClock();
    const slow = await startTestbed({}, { clock });
    const point = await connectRaw(`${slow.url}/SLOW-1`);
    const boot = async () => (await point.call('BootNotification', BOOT16))[2];
    await clock.skip(15 * 60_000);
    expect(await boot()).toMatchObject({ status: 'Pending' });
    await clock.advance(2_000);
    expect(await point.closed).toEqual({ code: 1013, reason: 'not registered; try again later' });
    await slow.stop();
  });

  test('may send thirty messages per minute', async () => {
    const clock = steppedClock();
    const slow = await startTestbed({}, { clock });
    const point = await connectRaw(`${slow.url}/CHATTY-1`);
    const say = async (times: number) => {
      for (let time = 0; time < times; time += 1) expect((await point.call('Heartbeat', {}))[0]).toBe(4);
    };
    await say(30);
    await clock.skip(60_001);
    await say(30);
    point.send([2, 'one-too-many', 'Heartbeat', {}]);
    expect((await point.closed).code).toBe(1008);
    await slow.stop();
  });

  test('is refused when fifty others of its address are waiting', async () => {
    const headers = { 'x-forwarded-for': '10.9.0.1' };
    const points = await Promise.all(Array.from({ length: 50 }, (_, index) => connect(`CROWD-${index}`, { headers })));
    await expect(connect('CROWD-LAST', { headers })).rejects.toThrow('HTTP 503');
    const elsewhere = await connect('CROWD-ELSEWHERE', { headers: { 'x-forwarded-for': '10.9.0.2' } });
    for (const { socket } of [...points, elsewhere]) socket.terminate();
  });
});
