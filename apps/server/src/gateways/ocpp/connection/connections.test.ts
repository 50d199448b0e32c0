import { once } from 'node:events';
import { createConnection } from 'node:net';
import { RETURN_ROUNDS } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leftDevices } from '../../../fleet/index.ts';
import { createLog } from '../../../platform/log.ts';
import { hashDevicePassword } from '../../../ports/devices/device-password.ts';
import type { Events } from '../../../ports/events.ts';
import { manualClock, steppedClock } from '../../../testing/clock.ts';
import { connectRaw, eventually, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';
import { sendToDevice } from '../../../testing/gateways/scripted-device.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ frameLimitBytes: 4_096 });
});
afterAll(() => bed.stop());

let devices = 0;
async function registered(
  more: Parameters<Testbed['addDevice']>[1] = {},
): Promise<{ id: number; sn: string; url: string }> {
  const sn = `LINE-${++devices}`;
  return { id: await bed.addDevice(sn, more), sn, url: `${bed.url}/${sn}` };
}
const state = async (id: number) =>
  (await bed.pool.query('select * from device_states where device_id = $1', [id])).rows[0];
const notes = async (id: number, type: number) =>
  (
    await bed.pool.query<{ note: string | null }>(
      'select note from protocol_frames where device_id = $1 and type = $2 order by id',
      [id, type],
    )
  ).rows.map((row) => row.note);

describe('admission', () => {
  test('an unregistered device is reported with its SN, MAC and protocol', async () => {
    const point = await connectRaw(`${bed.url}/NOBODY-1`, { headers: { 'x-mac': '00-1b-44-11-3a-b7' } });
    point.socket.terminate();
    expect(bed.unknown.at(-1)).toMatchObject({ sn: 'NOBODY-1', mac: '00:1B:44:11:3A:B7', protocolVersion: 'ocpp1.6' });
  });

  test('a disabled device is refused with 403, and the protocol log records it', async () => {
    const { id, url } = await registered({ enabled: false });
    await expect(connectRaw(url)).rejects.toThrow('HTTP 403');
    await eventually(
      () => notes(id, 1),
      (all) => all.some((note) => note?.includes('disabled')),
    );
  });

  test('a device that is disabled during the handshake is disconnected', async () => {
    const { id, sn } = await registered();
    const late = await startTestbed(
      {},
      {
        beside: bed,
        async afterFind() {
          await bed.pool.query('update devices set enabled = false where id = $1', [id]);
        },
      },
    );
    const point = await connectRaw(`${late.url}/${sn}`);
    expect((await point.closed).code).toBe(1008);
    await late.stop();
  });

  test('a device whose password changes during the handshake is disconnected', async () => {
    const { id, sn } = await registered({ password: 'the-former-password' });
    const late = await startTestbed(
      {},
      {
        beside: bed,
        async afterFind() {
          const hash = hashDevicePassword('the-present-password');
          await bed.pool.query('update devices set gateway_password_hash = $2 where id = $1', [id, hash]);
        },
      },
    );
    const authorization = `Basic ${Buffer.from(`${sn}:the-former-password`).toString('base64')}`;
    const point = await connectRaw(`${late.url}/${sn}`, { headers: { authorization } });
    expect((await point.closed).code).toBe(1008);
    await late.stop();
  });

  test.each(['/ocpp/', '/ocpp/a%20', '/ocpp/%zz', '/ocpp/x/y', '/ocpp/..%2f..%2fetc'])(
    '%s is not the path of a device: 404',
    async (path) => {
      await expect(connectRaw(bed.url.replace('/ocpp', path), { sn: 'x' })).rejects.toThrow('HTTP 404');
    },
  );

  test('an upgrade on a path that is not served: 404', async () => {
    await expect(connectRaw(bed.url.replace('/ocpp', '/elsewhere'), { sn: 'x' })).rejects.toThrow('HTTP 404');
  });

  test.each([
    ['no password', undefined, 'HTTP 401'],
    ['a wrong password', 'wrong-password-16chars', 'HTTP 401'],
  ])('%s: 401', async (_name, password, message) => {
    const { url } = await registered({ password: 'the-right-password-1' });
    await expect(connectRaw(url, { password })).rejects.toThrow(message);
  });

  test('the right password with another user name: 401; with its own: admitted', async () => {
    const { url, sn } = await registered({ password: 'the-right-password-1' });
    await expect(connectRaw(url, { password: 'the-right-password-1', sn: 'OTHER' })).rejects.toThrow('HTTP 401');
    const point = await connectRaw(url, { password: 'the-right-password-1', sn });
    point.socket.terminate();
  });

  test.each([
    ['no subprotocol', []],
    ['another subprotocol', ['ocpp3.0']],
  ])(
    '%s: the handshake is completed without a subprotocol and the connection is closed immediately',
    async (_name, protocols) => {
      const { url } = await registered();
      const { hostname, port, pathname } = new URL(url);
      const socket = createConnection(Number(port), hostname);
      const offer = protocols.map((protocol) => `Sec-WebSocket-Protocol: ${protocol}\r\n`).join('');
      socket.write(
        `GET ${pathname} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
          `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${offer}\r\n`,
      );
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      await once(socket, 'end');
      socket.destroy();
      const answer = Buffer.concat(chunks);
      const text = answer.toString('latin1');
      expect(text).toMatch(/^HTTP\/1.1 101/);
      expect(text.toLowerCase()).not.toContain('sec-websocket-protocol');
      const frame = answer.subarray(answer.indexOf('\r\n\r\n') + 4);
      expect(frame[0]).toBe(0x88);
      expect(frame.readUInt16BE(2)).toBe(1002);
    },
  );
});

describe('the life of a connection', () => {
  test('open and close are in the protocol log; a device that disconnects is offline, with an event until it reconnects', async () => {
    const { id, url } = await registered();
    const point = await connectRaw(url);
    await point.call('Heartbeat', {});
    expect(await state(id)).toMatchObject({ connected: true, protocol: 'ocpp1.6', node: 'main' });
    point.socket.close(1000, 'bye');
    const after = await eventually(
      () => state(id),
      (one) => !one.connected,
    );
    expect(after).toMatchObject({
      disconnect_reason: 'loggedOut',
      disconnect_detail: 'the device closed the connection (1000 bye)',
    });
    expect(await notes(id, 0)).toEqual(['ocpp1.6 from 127.0.0.1']);
    expect(await notes(id, 1)).toEqual(['the device closed the connection (1000 bye)']);
    const open = 'select code, ended_at is null as open from device_events where device_id = $1 and type = 0';
    expect((await bed.pool.query(open, [id])).rows).toEqual([{ code: 'loggedOut', open: true }]);
    const again = await connectRaw(url);
    await again.call('Heartbeat', {});
    expect((await bed.pool.query(open, [id])).rows).toEqual([{ code: 'loggedOut', open: false }]);
    again.socket.terminate();
    expect(
      await eventually(
        () => state(id),
        (one) => !one.connected,
      ),
    ).toMatchObject({ disconnect_reason: 'networkTimeout' });
  });

  test('a newer connection of the same device replaces the older one, and the device is never offline in between', async () => {
    const { id, url } = await registered();
    const older = await connectRaw(url);
    await older.call('Heartbeat', {});
    const newer = await connectRaw(url);
    expect(await older.closed).toEqual({ code: 1000, reason: 'the device opened a newer connection' });
    await newer.call('Heartbeat', {});
    expect(await state(id)).toMatchObject({ connected: true, disconnected_at: null });
    expect((await bed.pool.query('select 1 from device_events where device_id = $1', [id])).rows).toEqual([]);
    expect(await notes(id, 1)).toEqual(['the device opened a newer connection']);
    newer.socket.terminate();
  });

  test('a device with another model is read by it at once', async () => {
    const id = await bed.addDevice('OTHER-MODEL');
    const point = await connectRaw(`${bed.url}/OTHER-MODEL`);
    const status = { connectorId: 1, status: 'available', errorCode: 'NoError' };
    expect((await point.call('StatusNotification', status))[0]).toBe(4);
    await bed.pool.query('update devices set device_model_id = $2 where id = $1', [id, bed.site.tolerantModelId]);
    await bed.link.reload(id);
    expect((await point.call('StatusNotification', status))[0]).toBe(3);
    point.socket.terminate();
  });

  test('a device that is disabled receives the reason and is disconnected', async () => {
    const { id, url } = await registered();
    const point = await connectRaw(url);
    await point.call('Heartbeat', {});
    await bed.link.disconnect(id, 'deviceDisabled');
    expect(await point.closed).toEqual({ code: 1008, reason: 'the device was disabled' });
    expect(
      await eventually(
        () => state(id),
        (one) => !one.connected,
      ),
    ).toMatchObject({ disconnect_reason: 'authRejected' });
  });

  test('a device that answers pings stays connected however long it sends nothing; one that answers none is judged by its heartbeats', async () => {
    const clock = steppedClock();
    const quick = await startTestbed({ pingSeconds: 30, heartbeatSeconds: 60 }, { clock });
    try {
      const connect = async (sn: string, answersPings: boolean) => {
        const id = await quick.addDevice(sn);
        return { id, point: await connectRaw(`${quick.url}/${sn}`, { answersPings }) };
      };
      const idle = await connect('IDLE-1', true);
      const slow = await connect('SLOW-1', false);
      const known = await quick.addDevice('KNOWN-1');
      await quick.pool.query(
        `insert into device_parameters (device_id, key, value, readonly, read_at) values ($1, 'heartbeatInterval', '600', false, now())`,
        [known],
      );
      const before = await connectRaw(`${quick.url}/KNOWN-1`, { answersPings: false });
      const setting = { kind: 'setParameter', params: { key: 'HeartbeatInterval', value: '600' } } as const;
      const { call } = await sendToDevice({ bed: quick, ...slow }, setting);
      slow.point.send([3, call[1], { status: 'Accepted' }]);
      const dead = await connect('DEAD-1', false);
      for (let seconds = 0; seconds < 210; seconds += 30) {
        const pinged = once(idle.point.socket, 'ping');
        await clock.advance(30_000);
        await pinged;
      }
      const read = async (id: number) =>
        (await quick.pool.query('select * from device_states where device_id = $1', [id])).rows[0];
      const gone = await eventually(
        () => read(dead.id),
        (one) => one?.disconnected_at,
      );
      expect(gone).toMatchObject({
        disconnect_reason: 'networkTimeout',
        disconnect_detail: 'no message for 181 s',
      });
      // All three were silent for longer than the one that was disconnected.
      for (const id of [idle.id, slow.id, known]) expect(await read(id)).toMatchObject({ connected: true });
      expect((await before.call('Heartbeat', {}))[0]).toBe(3);
    } finally {
      await quick.stop();
    }
  });

  test('a stop closes every connection as a restart; who does not return to any process within a minute is offline', async () => {
    const first = await startTestbed();
    const id = await first.addDevice('STOP-1');
    const point = await connectRaw(`${first.url}/STOP-1`);
    await point.call('Heartbeat', {});
    await first.gateway.stop();
    expect(await point.closed).toEqual({ code: 1012, reason: 'the server stopped' });
    const read = async () =>
      (await first.pool.query('select connected, disconnect_detail from device_states where device_id = $1', [id]))
        .rows[0];
    const events = async () =>
      (await first.pool.query('select code from device_events where device_id = $1 and type = 0', [id])).rows;
    expect([await read(), await events()]).toEqual([{ connected: true, disconnect_detail: null }, []]);
    const { rows } = await first.pool.query(
      `insert into nodes (name, roles, version, shareable, session, ended_at, end_reason)
       values ('gone', '{gateway}', '', true, '', now(), 'left') returning epoch`,
    );
    await first.pool.query('update device_states set node = $2 where device_id = $1', [id, rows[0].epoch]);
    await first.pool.query(`update devices set status = 'working' where id = $1`, [id]);
    const published: number[] = [];
    const clock = manualClock();
    const feed: Events = { publish: (_topics, { id }, ..._audience) => void published.push(id) };
    leftDevices({ pool: first.pool, events: feed, clock, log: createLog('silent') });
    for (let round = 0; round < RETURN_ROUNDS; round += 1) await clock.sweep();
    expect(await read()).toMatchObject({ connected: true });
    await clock.sweep();
    expect(await read()).toEqual({ connected: false, disconnect_detail: 'the server stopped' });
    expect([await events(), published]).toEqual([[{ code: 'networkTimeout' }], [id]]);
    expect((await first.pool.query('select status from devices where id = $1', [id])).rows).toEqual([
      { status: 'offline' },
    ]);
    await first.stop();
  });
});

describe('invalid frames', () => {
  test.each([
    ['not JSON', 'hello', null],
    ['not an array', '{}', null],
    ['empty array', '[]', null],
    ['an unknown type', '[9,"a"]', null],
    ['no id', '[2]', null],
    ['a numeric id', '[2,7,"Heartbeat",{}]', [4, 7, 'FormationViolation']],
    ['not JSON after its id', '[2,"a","MeterValues",{"transactionId":,}]', [4, 'a', 'FormationViolation']],
    ['no action', '[2,"a"]', [4, 'a', 'FormationViolation']],
    ['no payload', '[2,"a","Heartbeat"]', [4, 'a', 'ProtocolError']],
    ['a payload that is a list', '[2,"a","Heartbeat",[]]', [4, 'a', 'FormationViolation']],
    ['an unknown action', '[2,"a","Fly",{}]', [4, 'a', 'NotImplemented']],
    ['an action with the name of an object property', '[2,"a","constructor",{}]', [4, 'a', 'NotImplemented']],
    ['an action of the other direction', '[2,"a","Reset",{"type":"Soft"}]', [4, 'a', 'NotSupported']],
    ['a missing field', '[2,"a","Authorize",{}]', [4, 'a', 'OccurenceConstraintViolation']],
    ['an unknown field', '[2,"a","Heartbeat",{"x":1}]', [4, 'a', 'FormationViolation']],
    ['a number for a text', '[2,"a","Authorize",{"idTag":5}]', [4, 'a', 'TypeConstraintViolation']],
    [
      'a text that is too long',
      '[2,"a","Authorize",{"idTag":"123456789012345678901"}]',
      [4, 'a', 'PropertyConstraintViolation'],
    ],
    [
      'an invalid connector',
      '[2,"a","MeterValues",{"connectorId":99999,"meterValue":[]}]',
      [4, 'a', 'PropertyConstraintViolation'],
    ],
    ['an answer without a call', '[3,"x",{}]', null],
    ['an error without a call', '[4,"x","GenericError","",{}]', null],
  ])('%s', async (_name, frame, answer) => {
    const { url } = await registered();
    const point = await connectRaw(url);
    point.send(frame);
    if (answer) expect((await point.next()).slice(0, 3)).toEqual(answer);
    // The connection stays open, and the next message is answered.
    expect((await point.call('Heartbeat', {}, 'after'))[1]).toBe('after');
    point.socket.terminate();
  });

  test.each([
    ['binary', (socket: WebSocketLike) => socket.send(Buffer.from('[2,"a","Heartbeat",{}]')), 1003],
    ['longer than allowed', (socket: WebSocketLike) => socket.send('x'.repeat(5_000)), 1009],
    ['much longer than allowed', (socket: WebSocketLike) => socket.send('x'.repeat(1_000_000)), 1009],
    ['not UTF-8', (socket: WebSocketLike) => socket.send(Buffer.from([0x5b, 0xff, 0xfe]), { binary: false }), 1007],
  ])('a frame that is %s ends the connection', async (_name, send, code) => {
    const { id, url } = await registered();
    const point = await connectRaw(url);
    await point.call('Heartbeat', {});
    send(point.socket);
    expect((await point.closed).code).toBe(code);
    expect(
      await eventually(
        () => state(id),
        (one) => !one.connected,
      ),
    ).toMatchObject({ disconnect_reason: 'loggedOut' });
  });

  test('text that the database cannot store is stored with a replacement character', async () => {
    const { id, url } = await registered();
    const point = await connectRaw(url);
    const info = 'nul\u0000 and \ud800 half';
    const frame = `[2,"n","StatusNotification",${JSON.stringify({ connectorId: 1, status: 'Available', errorCode: 'NoError', info })}]`;
    point.send(frame);
    expect(await point.next()).toEqual([3, 'n', {}]);
    const { rows } = await bed.pool.query('select info from connectors where device_id = $1', [id]);
    expect(rows).toEqual([{ info: 'nul\uFFFD and \uFFFD half' }]);
    const boot = { chargePointVendor: 'a\u0000b', chargePointModel: '\udfff' };
    expect((await point.call('BootNotification', boot))[0]).toBe(3);
    point.socket.terminate();
  });
});

interface WebSocketLike {
  send(data: string | Buffer, options?: { binary?: boolean }): void;
}

describe('messages are processed one after the other', () => {
  test('CALLs sent together are answered in order; a repeated id gets the same answer and is not stored twice', async () => {
    const { id, url } = await registered();
    const point = await connectRaw(url);
    for (let number = 0; number < 40; number += 1) point.send([2, `q${number}`, 'Heartbeat', {}]);
    for (let number = 0; number < 40; number += 1) expect((await point.next())[1]).toBe(`q${number}`);
    const meter = {
      connectorId: 1,
      meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [{ value: '1' }] }],
    };
    const first = await point.call('MeterValues', meter, 'same');
    const second = await point.call('MeterValues', meter, 'same');
    expect(second).toEqual(first);
    expect((await bed.pool.query('select 1 from readings where device_id = $1', [id])).rows).toHaveLength(1);
    point.socket.terminate();
  });
});

test('a device that uses the same id for every message loses none of them', async () => {
  const { id, url } = await registered();
  const point = await connectRaw(url);
  const report = (connectorId: number, status: string) => ({ connectorId, errorCode: 'NoError', status });
  for (const [connector, status] of [
    [1, 'Available'],
    [2, 'Available'],
    [1, 'Charging'],
  ] as const)
    expect(await point.call('StatusNotification', report(connector, status), 'id')).toEqual([3, 'id', {}]);
  expect(await point.call('Heartbeat', {}, 'id')).toEqual([3, 'id', { currentTime: expect.any(String) }]);
  const { rows } = await bed.pool.query(
    'select connector, status from connectors where device_id = $1 order by connector',
    [id],
  );
  expect(rows).toEqual([
    { connector: 1, status: 'Charging' },
    { connector: 2, status: 'Available' },
  ]);
  point.socket.terminate();
});

describe('compression', () => {
  test('is used for OCPP 2.0.1 devices that offer it, and for no others', async () => {
    const { id, url } = await registered();
    const point = await connectRaw(url, { protocols: ['ocpp2.0.1', 'ocpp1.6'], compress: true });
    expect(point.socket.extensions).toContain('permessage-deflate');
    const chargingStation = { model: 'x'.repeat(20), vendorName: 'V' };
    for (const reason of ['PowerUp', 'Watchdog'])
      expect((await point.call('BootNotification', { reason, chargingStation }))[2]).toMatchObject({
        status: 'Accepted',
      });
    const { rows } = await bed.pool.query(
      `select bytes, length(body) as length from protocol_frames where device_id = $1 and action = 'BootNotification' and type = 2`,
      [id],
    );
    expect(rows.map(({ bytes, length }) => bytes === length)).toEqual([true, true]);
    point.socket.terminate();
    for (const protocols of [['ocpp1.6'], ['ocpp1.6', 'ocpp2.0.1']]) {
      const other = await connectRaw((await registered()).url, { protocols, compress: true });
      expect(other.socket.extensions).toBe('');
      expect((await other.call('Heartbeat', {}))[0]).toBe(3);
      other.socket.terminate();
    }
  });

  test('does not bypass the frame size limit', async () => {
    const point = await connectRaw((await registered()).url, { protocols: ['ocpp2.0.1'], compress: true });
    // Only a few kilobytes when compressed.
    point.send('x'.repeat(5_000_000));
    expect((await point.closed).code).toBe(1009);
  });
});

describe('a device model that allows off-spec frames', () => {
  test('deviations are accepted and noted; without that setting of the model they are refused', async () => {
    const tolerant = await registered({ tolerant: true });
    const point = await connectRaw(tolerant.url);
    const odd = { connectorId: '1', status: 'Parked', errorCode: 'NoError', vendorThing: 1 };
    expect(await point.call('StatusNotification', odd, 'odd')).toEqual([3, 'odd', {}]);
    const [note] = await notes(tolerant.id, 2);
    expect(note).toContain('vendorThing (left out)');
    expect(note).toContain('connectorId must be integer (read as integer)');
    expect(note).toContain('status must be equal to one of the allowed values (unchanged)');
    const { rows } = await bed.pool.query('select connector, status from connectors where device_id = $1', [
      tolerant.id,
    ]);
    expect(rows).toEqual([{ connector: 1, status: 'Parked' }]);
    point.socket.terminate();

    const strict = await registered();
    const other = await connectRaw(strict.url);
    expect((await other.call('StatusNotification', odd))[0]).toBe(4);
    other.socket.terminate();
  });

  test('a time without a time zone is read as UTC in every server time zone', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      expect(new Date('2026-01-10T12:00:00').toISOString()).toBe('2026-01-10T17:00:00.000Z');
      const { id, url } = await registered({ tolerant: true });
      const point = await connectRaw(url);
      const since = new Date(Date.now() - 600_000);
      const timestamp = since.toISOString().slice(0, -1);
      const report = { connectorId: 1, status: 'Available', errorCode: 'NoError', timestamp };
      expect((await point.call('StatusNotification', report))[0]).toBe(3);
      const sampledValue = [{ value: '1', measurand: 'Voltage' }];
      const values = { connectorId: 1, meterValue: [{ timestamp: timestamp.replace('T', ' '), sampledValue }] };
      expect((await point.call('MeterValues', values))[0]).toBe(3);
      const { rows } = await bed.pool.query(
        'select since, at from connectors join readings using (device_id) where device_id = $1',
        [id],
      );
      expect(rows).toEqual([{ since, at: since }]);
      expect((await notes(id, 2))[0]).toContain('read as UTC');
      point.socket.terminate();
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});

test('a message of a device that was just deleted is refused; messages of other devices with it are stored', async () => {
  const gone = await registered();
  const others = [await registered(), await registered(), await registered(), await registered()];
  const connections = await Promise.all([gone, ...others].map(({ url }) => connectRaw(url)));
  await Promise.all(connections.map((connection) => connection.call('Heartbeat', {})));
  await bed.pool.query('delete from devices where id = $1', [gone.id]);
  for (let round = 0; round < 5; round += 1) {
    const report = { connectorId: 1, errorCode: 'NoError', status: round % 2 ? 'Available' : 'Preparing' };
    const [refused, ...stored] = await Promise.all(
      connections.map((connection) => connection.call('StatusNotification', report)),
    );
    expect([refused?.[0], refused?.[2]]).toEqual([4, 'InternalError']);
    expect(stored.map(([type]) => type)).toEqual(others.map(() => 3));
  }
  const { rows } = await bed.pool.query(
    `select count(*)::int as count from protocol_frames where device_id = any ($1) and action = 'StatusNotification' and type = 2`,
    [others.map(({ id }) => id)],
  );
  expect(rows).toEqual([{ count: 5 * others.length }]);
  for (const connection of connections) connection.socket.terminate();
});
