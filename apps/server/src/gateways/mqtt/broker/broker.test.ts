import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/gateways/gateway-testbed.ts';
import { connectDevice, type MqttTestbed, PASSWORD, startMqttTestbed } from '../../../testing/gateways/mqtt-testbed.ts';

let bed: MqttTestbed;
beforeAll(async () => {
  bed = await startMqttTestbed({ messageBytes: 20_000 });
});
afterAll(() => bed.stop());

const stateOf = async (deviceId: number) => {
  const { rows } = await bed.pool.query(
    'select connected, protocol, disconnect_reason as reason from device_states where device_id = $1',
    [deviceId],
  );
  return rows[0];
};
const isConnected = (deviceId: number, connected: boolean) =>
  eventually(
    () => stateOf(deviceId),
    (state) => state?.connected === connected,
  );

describe('admission', () => {
  test('a registered device with its password connects, and the connection is reported', async () => {
    const id = await bed.addDevice('ESS-0001');
    const device = await connectDevice(bed.mqttUrl, 'ESS-0001', { clientId: 'anything' });
    expect(await isConnected(id, true)).toMatchObject({ protocol: 'mqtt3.1.1' });
    await device.client.endAsync();
    await isConnected(id, false);
    const frames = await eventually(
      () => bed.frames(id),
      (all) => all.length >= 2,
    );
    expect(frames.map(({ type }) => type)).toEqual([0, 1]);
    expect(frames[1]?.note).toBe('the device disconnected');
  });

  test('an unregistered device: refused, and listed as waiting', async () => {
    await expect(connectDevice(bed.mqttUrl, 'NOBODY-1')).rejects.toThrow(/Not authorized/);
    await vi.waitFor(() => expect(bed.unknown.map(({ sn }) => sn)).toContain('NOBODY-1'), { timeout: 30_000 });
    expect(bed.unknown.find(({ sn }) => sn === 'NOBODY-1')).toMatchObject({ protocolVersion: 'mqtt3.1.1', mac: null });
  });

  test('an unregistered device whose client ID is a MAC address: listed with it', async () => {
    const device = connectDevice(bed.mqttUrl, 'NOBODY-2', { clientId: '001a2b3c4d5e' });
    await expect(device).rejects.toThrow(/Not authorized/);
    await vi.waitFor(() => expect(bed.unknown.map(({ sn }) => sn)).toContain('NOBODY-2'), { timeout: 30_000 });
    expect(bed.unknown.find(({ sn }) => sn === 'NOBODY-2')?.mac).toBe('00:1A:2B:3C:4D:5E');
  });

  test.each([
    [
      'a wrong password',
      'ESS-0002',
      { password: 'wrong-password-entirely' },
      /Bad username or password/,
      'the password is wrong',
    ],
    ['no password', 'ESS-0003', { password: undefined }, /Bad username or password/, 'no password was given'],
  ])('with %s the refusal is in the protocol log', async (_what, sn, options, message, note) => {
    const id = await bed.addDevice(sn);
    await expect(connectDevice(bed.mqttUrl, sn, options)).rejects.toThrow(message);
    const [frame] = await eventually(
      () => bed.frames(id),
      (all) => all.length > 0,
    );
    expect(frame?.note).toContain(note);
  });

  test('a device without a password and a disabled device are refused', async () => {
    await bed.addDevice('ESS-0004', { password: undefined });
    await bed.pool.query(`update devices set gateway_password_hash = null where sn = 'ESS-0004'`);
    await expect(connectDevice(bed.mqttUrl, 'ESS-0004')).rejects.toThrow(/Bad username/);
    await bed.addDevice('ESS-0005', { enabled: false });
    await expect(connectDevice(bed.mqttUrl, 'ESS-0005')).rejects.toThrow(/Not authorized/);
  });

  test('an SN with a character that topics cannot contain is refused, with the reason in the log', async () => {
    const id = await bed.addDevice('ESS+0040');
    await expect(connectDevice(bed.mqttUrl, 'ESS+0040')).rejects.toThrow(/Not authorized/);
    const [frame] = await eventually(
      () => bed.frames(id),
      (all) => all.length > 0,
    );
    expect(frame?.note).toContain('which MQTT topics cannot contain');
    const other = await bed.addDevice('RDAM 124');
    const device = await connectDevice(bed.mqttUrl, 'RDAM 124');
    await device.say('chargehand/RDAM 124/telemetry', { values: { a: 1 } });
    expect(await bed.readings(other)).toEqual({ a: 1 });
    await device.client.endAsync();
  });

  test('password guesses are slowed down and then refused; the device itself can still connect', async () => {
    const id = await bed.addDevice('ESS-0041');
    const known = await connectDevice(bed.mqttUrl, 'ESS-0041');
    await known.client.endAsync();
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        connectDevice(bed.mqttUrl, 'ESS-0041', { password: `wrong-password-${index}` }).then(
          () => 'in',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(guesses.filter((one) => /Bad username/.test(one)).length).toBeLessThanOrEqual(20);
    expect(guesses.filter((one) => /Server unavailable/.test(one)).length).toBeGreaterThanOrEqual(5);
    const device = await connectDevice(bed.mqttUrl, 'ESS-0041');
    await device.client.endAsync();
    await vi.waitFor(
      async () => {
        const counted = (await bed.attempts()).filter(({ deviceId }) => deviceId === id);
        expect(counted.map(({ reason }) => reason).sort()).toEqual(['password', 'throttled']);
      },
      { timeout: 30_000 },
    );
  });

  test('one address can use at most half of the connections before CONNECT', async () => {
    const { port } = new URL(bed.mqttUrl);
    const silent = Array.from({ length: 60 }, () => connectTcp(Number(port), '127.0.0.1').on('error', () => undefined));
    await vi.waitFor(() => expect(silent.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(10), {
      timeout: 30_000,
    });
    for (const socket of silent) socket.destroy();
    await vi.waitFor(async () => expect((await bed.attempts()).map(({ reason }) => reason)).toContain('full'), {
      timeout: 30_000,
    });
  });

  test('an MQTT 5 client is refused with the supported version', async () => {
    await bed.addDevice('ESS-0006');
    await expect(connectDevice(bed.mqttUrl, 'ESS-0006', { protocolVersion: 5 })).rejects.toThrow();
  });

  test('the newest connection of a device replaces the older one, and a client id takes over no other client', async () => {
    const [id, other] = [await bed.addDevice('ESS-0007'), await bed.addDevice('ESS-0008')];
    const first = await connectDevice(bed.mqttUrl, 'ESS-0007', { clientId: 'one' });
    const stranger = await connectDevice(bed.mqttUrl, 'ESS-0008', { clientId: 'one' });
    await isConnected(other, true);
    expect(first.client.connected).toBe(true);
    const second = await connectDevice(bed.mqttUrl, 'ESS-0007', { clientId: 'two' });
    await first.closed;
    const frames = await eventually(
      () => bed.frames(id),
      (all) => all.some(({ type }) => type === 1),
    );
    expect(frames.find(({ type }) => type === 1)?.note).toBe('the device opened a newer connection');
    await second.say('chargehand/ESS-0007/telemetry', { values: { a: 1 } });
    expect((await stateOf(id)).connected).toBe(true);
    expect(stranger.client.connected).toBe(true);
    await Promise.all([second.client.endAsync(), stranger.client.endAsync()]);
  });

  test('a device that is disabled is disconnected and cannot reconnect', async () => {
    const id = await bed.addDevice('ESS-0009');
    const device = await connectDevice(bed.mqttUrl, 'ESS-0009');
    await isConnected(id, true);
    await bed.pool.query('update devices set enabled = false where id = $1', [id]);
    await bed.link.disconnect(id, 'deviceDisabled');
    await device.closed;
    await isConnected(id, false);
    await expect(connectDevice(bed.mqttUrl, 'ESS-0009')).rejects.toThrow(/Not authorized/);
  });
});

describe('topics', () => {
  test('only the message in a foreign topic is rejected: acknowledged, delivered to nobody, and logged', async () => {
    const [id, victim] = [await bed.addDevice('ESS-0020'), await bed.addDevice('ESS-0021')];
    const other = await connectDevice(bed.mqttUrl, 'ESS-0021');
    await other.client.subscribeAsync('chargehand/ESS-0021/command');
    const topicsReceived: string[] = [];
    other.client.on('message', (topic) => topicsReceived.push(topic));
    const device = await connectDevice(bed.mqttUrl, 'ESS-0020');
    const topics = [
      'chargehand/ESS-0021/telemetry',
      'chargehand/ESS-0021/command',
      'chargehand/ESS-0020/command',
      'spBv1.0/site/NDATA/ESS-0021',
      '$SYS/x',
      'anything/else',
    ];
    for (const qos of [0, 1, 2] as const) {
      for (const topic of topics) await device.say(topic, '{"values":{"a":1}}', qos);
    }
    await device.say('chargehand/ESS-0020/telemetry', { values: { still: 1 } });
    expect(await bed.readings(id)).toEqual({ still: 1 });
    expect(device.client.connected).toBe(true);
    const refused = (
      await eventually(
        () => bed.frames(id),
        (all) => all.filter(({ action }) => action === 'PUBLISH').length >= topics.length,
      )
    ).filter(({ action }) => action === 'PUBLISH');
    expect(refused.map(({ note }) => note)).toEqual(
      topics.map((topic) => `refused: publish in ${topic}, which is not a topic of this device`),
    );
    expect((await bed.frames(victim)).filter(({ type }) => type === 2)).toEqual([]);
    expect(await bed.readings(victim)).toEqual({});
    await other.say('chargehand/ESS-0021/telemetry', { values: { mine: 1 } });
    expect(topicsReceived).toEqual([]);
    await Promise.all([device.client.endAsync(), other.client.endAsync()]);
  });

  test('a device receives only its own topics, also with wildcards', async () => {
    const id = await bed.addDevice('ESS-0022');
    const device = await connectDevice(bed.mqttUrl, 'ESS-0022');
    for (const topic of [
      'chargehand/ESS-0021/command',
      'chargehand/+/command',
      '#',
      '+/+/NCMD/#',
      'spBv1.0/#',
      '$SYS/#',
    ]) {
      const [granted] = await device.client.subscribeAsync(topic).catch(() => [{ qos: 128 }]);
      expect([topic, granted?.qos]).toEqual([topic, 128]);
    }
    for (const topic of ['chargehand/ESS-0022/command', 'spBv1.0/+/NCMD/ESS-0022/#', 'spBv1.0/STATE/chargehand']) {
      const [granted] = await device.client.subscribeAsync(topic, { qos: 1 });
      expect([topic, granted?.qos]).toEqual([topic, 1]);
    }
    const state = await device.next();
    expect([state.topic, JSON.parse(state.payload.toString()).online]).toEqual(['spBv1.0/STATE/chargehand', true]);
    // Nothing waits for these entries of the log: the device has its answer before they are stored.
    const refusals = await eventually(
      async () => (await bed.frames(id)).filter(({ note }) => note?.startsWith('refused: subscribe')),
      (all) => all.length >= 6,
    );
    expect(refusals).toHaveLength(6);
    await device.client.endAsync();
  });

  test('a device cannot set a will in the topic of another device', async () => {
    await bed.addDevice('ESS-0023');
    const will = {
      topic: 'chargehand/ESS-0021/status',
      payload: Buffer.from('{"status":"offline"}'),
      qos: 1 as const,
      retain: false,
    };
    await expect(connectDevice(bed.mqttUrl, 'ESS-0023', { will })).rejects.toThrow(/Not authorized/);
  });
});

describe('messages', () => {
  test('an acknowledged message is stored', async () => {
    const id = await bed.addDevice('ESS-0030');
    const device = await connectDevice(bed.mqttUrl, 'ESS-0030');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        device.say(
          'chargehand/ESS-0030/telemetry',
          { at: new Date(Date.now() - index * 1_000).toISOString(), values: { n: index } },
          index % 2 === 0 ? 1 : 2,
        ),
      ),
    );
    const { rows } = await bed.pool.query('select count(*)::int as n from readings where device_id = $1', [id]);
    expect(rows[0].n).toBe(20);
    await device.client.endAsync();
  });

  test('a packet that is too long closes the connection before it is read completely', async () => {
    const id = await bed.addDevice('ESS-0031');
    const device = await connectDevice(bed.mqttUrl, 'ESS-0031');
    device.client.publish('chargehand/ESS-0031/telemetry', 'x'.repeat(30_000), { qos: 1 });
    await device.closed;
    const frames = await eventually(
      () => bed.frames(id),
      (all) => all.some(({ type }) => type === 1),
    );
    expect(frames.find(({ type }) => type === 1)?.note).toBe('a packet is longer than 20000 bytes');
  });

  test('a first packet that declares 256 MB is disconnected', async () => {
    const socket = connectTcp(Number(new URL(bed.mqttUrl).port), '127.0.0.1');
    socket.resume();
    socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
    await new Promise((resolve) => socket.once('close', resolve));
  });

  test('a silent device is detected by its keepalive, and its will is published', async () => {
    const id = await bed.addDevice('ESS-0032');
    const socket = connectTcp(Number(new URL(bed.mqttUrl).port), '127.0.0.1');
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(connectPacket('ESS-0032', PASSWORD, 1, 'chargehand/ESS-0032/status', '{"status":"offline"}'));
    await closed;
    // The test reads its log, because the device may be gone before a query sees it connected.
    const frames = await eventually(
      () => bed.frames(id),
      (all) =>
        all.some(({ action }) => action === 'status') && [0, 1].every((one) => all.some(({ type }) => type === one)),
    );
    await isConnected(id, false);
    expect(frames.find(({ type }) => type === 1)?.note).toBe('no packet within one and a half keepalive intervals');
    expect(await stateOf(id)).toMatchObject({ connected: false, reason: 'networkTimeout' });
  });
});

/** A CONNECT of MQTT 3.1.1 written by hand: no library offers a client that never pings. */
function connectPacket(sn: string, password: string, keepalive: number, will: string, willPayload: string): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  };
  const flags = 0b1100_1110;
  const body = Buffer.concat([
    ...[text('MQTT'), Buffer.from([4, flags, keepalive >> 8, keepalive & 255])],
    ...[text(sn), text(will), text(willPayload), text(sn), text(password)],
  ]);
  const length = body.length < 128 ? [body.length] : [(body.length & 127) | 128, body.length >> 7];
  return Buffer.concat([Buffer.from([0x10, ...length]), body]);
}
