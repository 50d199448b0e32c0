import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SteppedClock, steppedClock } from '../../../testing/clock.ts';
import { connectRaw, eventually, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
let clock: SteppedClock;
beforeAll(async () => {
  clock = steppedClock();
  bed = await startTestbed({}, { clock, proxies: ['127.0.0.1'] });
});
afterAll(() => bed.stop());

const RIGHT = 'the-right-password-1';
/** A connection from its own address. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
/** How an attempt ends: `in`, or the reason for refusing it. */
const outcome = (sn: string, address: string, password?: string) =>
  connectRaw(`${bed.url}/${sn}`, { ...from(address), sn, password }).then(
    (point) => {
      point.socket.terminate();
      return 'in';
    },
    (error: Error) => error.message,
  );
/** Attempts at the same time. `delayed` of them are only checked later. */
async function many(count: number, attempt: (index: number) => Promise<string>, delayed: number): Promise<string[]> {
  let over = 0;
  const attempts = Array.from({ length: count }, async (_, index) => {
    const result = await attempt(index);
    over += 1;
    return result;
  });
  await eventually(
    () => over,
    (number) => number === count - delayed,
    { what: `${count - delayed} of ${count} attempts to end` },
  );
  await clock.advance(5_000);
  return Promise.all(attempts);
}
const attemptsFrom = async (address: string) =>
  (await bed.attempts()).filter(({ remoteAddress }) => remoteAddress === address);

describe('passwords cannot be guessed by brute force', () => {
  test('for a device that was admitted before: a few attempts are checked, the rest are refused, and the device itself can connect', async () => {
    const id = await bed.addDevice('GUESS-1', { password: RIGHT });
    expect(await outcome('GUESS-1', '10.1.0.1', RIGHT)).toBe('in');
    const outcomes = await many(60, (index) => outcome('GUESS-1', '10.1.0.1', `wrong-password-${index}-0000`), 5);
    expect(outcomes.filter((one) => one === 'HTTP 401')).toHaveLength(15);
    expect(outcomes.filter((one) => one === 'HTTP 429')).toHaveLength(45);
    await clock.advance(1_000);
    expect(await outcome('GUESS-1', '10.1.0.1', RIGHT)).toBe('in');
    const refused = await eventually(
      () => attemptsFrom('10.1.0.1'),
      (all) => all.length >= 2 && all.reduce((sum, { attempts }) => sum + attempts, 0) === 60,
    );
    expect(refused.map(({ reason, deviceId }) => [reason, deviceId]).sort()).toEqual([
      ['password', id],
      ['throttled', id],
    ]);
  });

  test('from many addresses', async () => {
    await bed.addDevice('GUESS-2', { password: RIGHT });
    const outcomes = await many(120, (index) => outcome('GUESS-2', `10.2.${index}.1`, 'wrong-password-0000'), 5);
    expect(outcomes.filter((one) => one === 'HTTP 401')).toHaveLength(65);
    expect(outcomes.filter((one) => one === 'HTTP 429')).toHaveLength(55);
  });
});

describe('other devices at its address do not block a device', () => {
  test('invented names at its address do not block a device that has never connected', async () => {
    await bed.addDevice('NEIGHBOUR-1', { password: RIGHT });
    const outcomes = await many(90, (index) => outcome(`MADE-UP-${index}`, '10.3.0.1'), 0);
    expect(outcomes.filter((one) => one === 'HTTP 429').length).toBeGreaterThanOrEqual(20);
    expect(await outcome('NEIGHBOUR-1', '10.3.0.1', RIGHT)).toBe('in');
  });

  test('wrong passwords for other devices at its address do not block a device', async () => {
    for (let index = 0; index < 12; index += 1) await bed.addDevice(`SPRAYED-${index}`, { password: RIGHT });
    await bed.addDevice('NEIGHBOUR-2', { password: RIGHT });
    await many(120, (index) => outcome(`SPRAYED-${index % 12}`, '10.4.0.1', 'wrong-password-0000'), 10);
    await clock.advance(1_000);
    expect(await outcome('NEIGHBOUR-2', '10.4.0.1', RIGHT)).toBe('in');
  });
});

describe('every attempt is recorded', () => {
  const traceOf = (address: string) =>
    eventually(
      () => attemptsFrom(address),
      (all) => all.length > 0,
    );

  test.each([
    ['/ocpp/', 'path', '10.5.0.1'],
    ['/ocpp/a/b', 'path', '10.5.0.2'],
    ['/ocpp/%zz', 'path', '10.5.0.3'],
    ['/ocpp/RDAM%20?token=secret', 'path', '10.5.0.4'],
  ])('%s: %s, with the path and the offered subprotocols', async (path, reason, address) => {
    const url = bed.url.replace('/ocpp', path);
    for (let times = 0; times < 3; times += 1) {
      const offer = { sn: 'x', protocols: ['ocpp2.0.1', 'ocpp1.6'], ...from(address) };
      await expect(connectRaw(url, offer)).rejects.toThrow('HTTP 404');
    }
    const [attempt] = await eventually(
      () => attemptsFrom(address),
      (all) => all[0]?.attempts === 3,
    );
    expect(attempt).toMatchObject({ gateway: 'ocpp', target: path.split('?')[0], reason, deviceId: null });
    expect(attempt?.protocols).toBe('ocpp2.0.1, ocpp1.6');
  });

  test('an SN that is not registered', async () => {
    const point = await connectRaw(`${bed.url}//NOBODY`, { sn: 'NOBODY', ...from('10.5.0.6') });
    point.socket.terminate();
    expect(await traceOf('10.5.0.6')).toMatchObject([{ reason: 'unknown', target: '/ocpp//NOBODY', deviceId: null }]);
  });

  test('no supported subprotocol', async () => {
    const id = await bed.addDevice('OLD-1');
    const url = `${bed.url}/OLD-1`;
    const point = await connectRaw(url, { protocols: ['ocpp1.5'], ...from('10.6.0.1') }).catch((error: Error) => error);
    expect(point).toBeInstanceOf(Error);
    expect(await traceOf('10.6.0.1')).toMatchObject([{ reason: 'subprotocol', protocols: 'ocpp1.5', deviceId: id }]);
  });

  test('an upgrade to something other than WebSocket: 400', async () => {
    await bed.addDevice('ODD-1');
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'x-forwarded-for': '10.6.0.2' };
    const { host } = new URL(bed.url);
    const sent = request(`http://${host}/ocpp/ODD-1`, { headers }).end();
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(400);
    expect(await traceOf('10.6.0.2')).toMatchObject([{ reason: 'malformed', target: '/ocpp/ODD-1' }]);
  });

  test('a request connection with a space that is not encoded', async () => {
    const { hostname, port } = new URL(bed.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /ocpp/RDAM 123 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    const all = await eventually(
      () => bed.attempts(),
      (rows) => rows.some(({ target }) => target === '/ocpp/RDAM 123'),
    );
    expect(all.find(({ target }) => target === '/ocpp/RDAM 123')).toMatchObject({ reason: 'malformed' });
  });
});
