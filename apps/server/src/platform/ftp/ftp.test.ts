import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client, FTPError } from 'basic-ftp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { nameIn } from './path.ts';
import { type FtpFolder, FtpRefusal, type FtpRefused } from './port.ts';
import { type FtpServer, ftpServer } from './server.ts';

const CONTENT = randomBytes(300_000);
const AT = new Date('2026-01-02T03:04:05Z');
const kept = new Map<string, Buffer>();
let delivered = 0;

const firmware: FtpFolder = {
  file: { name: 'fw-2.0.bin', size: CONTENT.length, modifiedAt: AT },
  read: async (first) => Readable.from([CONTENT.subarray(first)]),
  delivered: async () => {
    delivered += 1;
  },
  takes: false,
  write: async () => {
    throw new FtpRefusal(550, 'no');
  },
};
const log: FtpFolder = {
  file: null,
  read: async () => null,
  delivered: async () => undefined,
  takes: true,
  write: async (name, chunks) => {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    kept.set(name, Buffer.concat(parts));
  },
};

let server: FtpServer;
const open = async (limits = {}, onRefused?: FtpRefused) => {
  const options = { host: '127.0.0.1', port: 0, passivePorts: { first: 0, last: 0 }, address: null };
  const one = ftpServer({
    ...options,
    log: createLog('silent'),
    limits,
    ...(onRefused ? { onRefused } : {}),
    signIn: async (user, password) => (password === 'right' ? ({ fw: firmware, log }[user] ?? null) : null),
  });
  await one.listen();
  return one;
};
beforeAll(async () => {
  server = await open();
});
afterAll(() => server.stop());

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
const signIn = async (user: string, password = 'right') => {
  const client = new Client(10_000);
  clients.push(client);
  await client.access({ host: '127.0.0.1', port: server.port(), user, password });
  return client;
};
const fetched = async (client: Client, name: string, from = 0) => {
  const through = new PassThrough();
  const [bytes] = await Promise.all([buffer(through), client.downloadTo(through, name, from)]);
  return bytes;
};
const codeOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 0,
    (error: unknown) => (error instanceof FTPError ? error.code : Promise.reject(error)),
  );

/** A client that sends raw bytes. */
async function raw(port = server.port()) {
  const socket: Socket = connect(port, '127.0.0.1');
  // Writing to a connection that the server has closed fails; the reply then contains the error.
  socket.on('error', () => undefined);
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const reply = async (): Promise<string> => (await lines.next()).value ?? 'ended';
  const say = async (bytes: string | Buffer) => {
    socket.write(bytes);
    return await reply();
  };
  await reply();
  return { socket, say, reply };
}

describe('a well-behaved client', () => {
  test('finds one file, and downloads it completely and in part', async () => {
    const client = await signIn('fw');
    expect(await client.pwd()).toBe('/');
    expect((await client.list()).map(({ name, size }) => [name, size])).toEqual([['fw-2.0.bin', CONTENT.length]]);
    expect(await client.size('fw-2.0.bin')).toBe(CONTENT.length);
    expect(await client.lastMod('/fw-2.0.bin')).toEqual(AT);
    const before = delivered;
    expect((await fetched(client, 'fw-2.0.bin')).equals(CONTENT)).toBe(true);
    expect((await fetched(client, '/./fw-2.0.bin', 250_000)).equals(CONTENT.subarray(250_000))).toBe(true);
    expect(delivered).toBe(before + 2);
    await client.cd('/');
  });

  test('uploads a file', async () => {
    const client = await signIn('log');
    await client.uploadFrom(Readable.from([CONTENT]), 'device.log');
    expect(kept.get('device.log')?.equals(CONTENT)).toBe(true);
    expect(await client.list()).toEqual([]);
  });

  test('uploads into a folder that it creates, and with a Chinese name in UTF-8 or GBK', async () => {
    const client = await signIn('log');
    await client.ensureDir('2026-11-28/logs');
    await client.uploadFrom(Readable.from([CONTENT]), '充电桩日志.zip');
    await client.uploadFrom(Readable.from(['x']), '/2026/diag.zip');
    const { say, reply, socket } = await raw();
    await say('USER log\r\n');
    await say('PASS right\r\n');
    const [, port] = /\|\|\|(\d+)\|/.exec(await say('EPSV\r\n')) ?? [];
    const data = connect(Number(port), '127.0.0.1');
    await once(data, 'connect');
    const gbk = Buffer.from([0xc8, 0xd5, 0xd6, 0xbe]);
    expect(await say(Buffer.concat([Buffer.from('STOR '), gbk, Buffer.from('.log\r\n')]))).toMatch(/^150/);
    data.end('y');
    expect(await reply()).toMatch(/^226/);
    socket.destroy();
    expect([...kept.keys()].slice(-3)).toEqual(['充电桩日志.zip', 'diag.zip', '日志.log']);
    for (const name of ['充电桩日志.zip', 'diag.zip', '日志.log']) kept.delete(name);
  });

  test('may use PASV, and receives the address that it connected to', async () => {
    const { say, socket } = await raw();
    await say('USER fw\r\n');
    expect(await say('PASS right\r\n')).toMatch(/^230/);
    expect(await say('TYPE I\r\n')).toMatch(/^200/);
    expect(await say('PASV\r\n')).toMatch(/^227 .*\(127,0,0,1,\d+,\d+\)/);
    socket.destroy();
  });
});

describe('a client that tries to leave its folder', () => {
  test.each([
    ['CWD ..', 550],
    ['CDUP', 550],
    ['CWD /etc', 550],
    ['CWD fw-2.0.bin', 550],
    ['RETR ../fw-2.0.bin', 550],
    ['RETR ../../../etc/passwd', 550],
    ['RETR /etc/passwd', 550],
    ['RETR ..\\..\\boot.ini', 550],
    ['RETR fw-2.0.bin/../../x', 550],
    ['RETR %2e%2e/fw-2.0.bin', 550],
    ['RETR other.bin', 550],
    ['SIZE ../fw-2.0.bin', 550],
    ['LIST ..', 550],
    ['STOR x.log', 550],
    ['DELE fw-2.0.bin', 502],
    ['MKD x', 502],
    ['RNFR fw-2.0.bin', 502],
    ['APPE fw-2.0.bin', 502],
    ['SITE CHMOD 777 fw-2.0.bin', 502],
    ['PORT 127,0,0,1,4,1', 502],
    ['EPRT |1|127.0.0.1|1025|', 502],
    ['NONSENSE', 500],
  ])('%s is answered with %i', async (command, code) => {
    const client = await signIn('fw');
    expect(await codeOf(client.send(command))).toBe(code);
    expect(await client.pwd()).toBe('/');
  });

  test('upwards with an upload too', async () => {
    const client = await signIn('log');
    for (const path of ['../x.log', '/a/../../x', 'a/..', '..', '.', '\\x']) {
      expect(await codeOf(client.uploadFrom(Readable.from(['x']), path)), path).toBe(553);
    }
    expect([...kept.keys()]).toEqual(['device.log']);
  });

  test('with characters that no file name contains', async () => {
    const { say, socket } = await raw();
    await say('USER fw\r\n');
    await say('PASS right\r\n');
    expect(await say('RETR fw-2.0.bin\0.txt\r\n')).toMatch(/^501/);
    expect(await say('CWD /\rPWD\r\n')).toMatch(/^501/);
    expect(await say('RETR a\r\nDELE fw-2.0.bin\r\n')).toMatch(/^550/);
    socket.destroy();
  });
});

describe('a malicious client', () => {
  test('has no access without a sign-in, and three attempts', async () => {
    const { say } = await raw();
    for (const command of ['RETR fw-2.0.bin', 'LIST', 'PASV', 'PWD', 'STOR x']) {
      expect(await say(`${command}\r\n`), command).toMatch(/^530/);
    }
    expect(await say('PASS right\r\n')).toMatch(/^503/);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await say('USER fw\r\n')).toMatch(/^331/);
      expect(await say(`PASS wrong${attempt}\r\n`)).toMatch(attempt < 3 ? /^530/ : /^421/);
    }
    expect(await say('NOOP\r\n')).toBe('ended');
  });

  test('is slowed down, then refused, after many wrong passwords; another account at its address is not', async () => {
    const refused: string[] = [];
    const strict = await open({}, (address, user, reason) => refused.push(`${address} ${user} ${reason}`));
    const guess = async () => {
      const { say, socket } = await raw(strict.port());
      await say('USER fw\r\n');
      const answer = await say('PASS wrong\r\n');
      socket.destroy();
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 20 }, guess));
    expect(answers.filter((answer) => answer.startsWith('421')).length).toBeGreaterThanOrEqual(4);
    expect(refused.filter((one) => one === '127.0.0.1 fw password').length).toBeLessThanOrEqual(16);
    expect(refused).toContain('127.0.0.1 fw throttled');
    const other = await raw(strict.port());
    await other.say('USER log\r\n');
    expect(await other.say('PASS right\r\n')).toMatch(/^230/);
    await strict.stop();
  });

  test('has a limited number of connections', async () => {
    const small = await open({ connectionsOfAddress: 1 });
    const first = await raw(small.port());
    const second = connect(small.port(), '127.0.0.1').setEncoding('utf8');
    const [greeting] = await once(second, 'data');
    expect(greeting).toMatch(/^421/);
    expect(await first.say('NOOP\r\n')).toMatch(/^200/);
    await small.stop();
  });

  test('is disconnected when it sends nothing', async () => {
    const timeouts = await open({ idleMs: 50 });
    expect(await (await raw(timeouts.port())).reply()).toMatch(/^421 No command/);
    await timeouts.stop();
  });

  test('cannot send a line that is too long', async () => {
    const { say } = await raw();
    expect(await say('X'.repeat(2_000))).toMatch(/^421/);
  });

  test('gets no data without requesting a port, and no other client can use its port', async () => {
    const { say, socket } = await raw();
    await say('USER fw\r\n');
    await say('PASS right\r\n');
    expect(await say('RETR fw-2.0.bin\r\n')).toMatch(/^425/);
    socket.destroy();
  });

  test('that aborts an upload leaves nothing', async () => {
    const { say, socket } = await raw();
    await say('USER log\r\n');
    await say('PASS right\r\n');
    const [, port] = /\|\|\|(\d+)\|/.exec(await say('EPSV\r\n')) ?? [];
    const data = connect(Number(port), '127.0.0.1');
    await once(data, 'connect');
    // Whatever reply it gets.
    data.on('error', () => undefined);
    expect(await say('STOR broken.log\r\n')).toMatch(/^150/);
    data.write('half of it');
    const gone = once(data, 'close');
    socket.destroy();
    await gone;
    expect(kept.has('broken.log')).toBe(false);
  });

  test('that aborts a download is informed, and the download does not count', async () => {
    const before = delivered;
    const { say, socket } = await raw();
    await say('USER fw\r\n');
    await say('PASS right\r\n');
    expect(await say('EPSV\r\n')).toMatch(/^229/);
    // Nothing connects to the port: the file waits until the timeout.
    expect(await say('RETR fw-2.0.bin\r\n')).toMatch(/^150/);
    expect(await say('ABOR\r\n')).toMatch(/^426/);
    socket.destroy();
    expect(delivered).toBe(before);
  });
});

test.each([
  ['', ''],
  ['/', ''],
  ['.', ''],
  ['a.bin', 'a.bin'],
  ['/./a.bin', 'a.bin'],
  ['..', null],
  ['/..', null],
  ['a/b', null],
  ['a\\b', null],
  ['a\0', null],
  ['x'.repeat(256), null],
])('the path %j is %j', (path, expected) => {
  expect(nameIn(path)).toBe(expected);
});
