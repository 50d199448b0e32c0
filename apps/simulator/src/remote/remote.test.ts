import { once } from 'node:events';
import { Duplex } from 'node:stream';
import ssh2, { type ClientChannel, type ServerChannel, type SFTPWrapper } from 'ssh2';
import { expect, onTestFinished, test, vi } from 'vitest';
import WebSocket from 'ws';
import { setAcceptedScene } from '../testing/scene.ts';
import { type RemoteDevice, SHELL_PASSWORD, SHELL_USER } from './device.ts';
import { Disk } from './disk.ts';
import { newKeyPair } from './key-pair.ts';
import { Shell } from './shell.ts';
import { type LocalServer, startSshServer } from './ssh-server.ts';
import { startWebPage } from './web-page.ts';

const keys = newKeyPair();
let reboots = 0;
const device: RemoteDevice = {
  ...{ sn: 'SIM1', model: 'Pile <1>', firmware: () => '1.2.3', status: () => [['Connector 1', 'Available']] },
  reboot: () => {
    reboots += 1;
  },
};

function ending<T extends LocalServer>(server: T): T {
  onTestFinished(() => server.close());
  return server;
}

async function signIn(credentials: ssh2.ConnectConfig = { password: SHELL_PASSWORD }): Promise<ssh2.Client> {
  const disk = new Disk({ '/home/readme.txt': '你好\n', '/etc/charger.conf': 'sn=SIM1\n' });
  const { port } = ending(await startSshServer(device, disk, () => [keys.public]));
  const client = new ssh2.Client();
  client.on('error', () => undefined);
  onTestFinished(() => void client.end());
  client.connect({ host: '127.0.0.1', port, username: SHELL_USER, ...credentials });
  await once(client, 'ready');
  return client;
}

async function openShell(client: ssh2.Client) {
  const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
  client.shell((error, channel) => (error ? reject(error) : resolve(channel)));
  const channel = await promise;
  let output = '';
  channel.on('data', (data: Buffer) => {
    output += String(data);
  });
  const shows = (text: string) => expect.poll(() => output, { timeout: 30_000 }).toContain(text);
  await shows('$ ');
  return {
    shows,
    type: (text: string) => channel.write(text),
    size: () => output.length,
    closed: once(channel, 'close'),
  };
}

const openFiles = (client: ssh2.Client) =>
  new Promise<SFTPWrapper>((resolve, reject) => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))));

test('the shell lists and shows files, corrects input, and stays in its files', async () => {
  const { shows, type, closed } = await openShell(await signIn());
  type('cat readme.tx一\x7ft\r');
  await shows('你好');
  type('cd ../../..\rpwd\rls\r');
  await shows('demo@SIM1:/$ ');
  await shows('etc  home');
  type('cat /etc/passwd ../../etc/passwd\r');
  await shows('cat: /etc/passwd: No such file');
  await shows('cat: ../../etc/passwd: No such file');
  type('constructor\r');
  await shows('constructor: command not found');
  type('reboot\r');
  await closed;
  expect(reboots).toBe(1);
});

test('Ctrl-C ends endless output', async () => {
  const { shows, type, size } = await openShell(await signIn());
  type('yes\r');
  await expect.poll(size, { timeout: 30_000 }).toBeGreaterThan(100_000);
  type('\x03');
  await shows('^C');
  type('echo over\r');
  await shows('over\r\n');
});

test('endless output waits until it was sent', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const channel = new Duplex({ highWaterMark: 2 * 1024 * 1024, read: () => undefined, write: () => undefined });
  onTestFinished(() => void channel.destroy());
  void new Shell(channel as ServerChannel, { device, disk: new Disk({}), terminal: true }).execute('yes');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(channel.writableLength).toBeGreaterThan(10_000);
  expect(channel.writableLength).toBeLessThan(100_000);
});

test('a key signs in; a wrong password, another key and another user do not', async () => {
  await signIn({ privateKey: keys.private });
  await expect(signIn({ password: 'wrong' })).rejects.toThrow('authentication');
  await expect(signIn({ username: 'root', password: SHELL_PASSWORD })).rejects.toThrow('authentication');
  const { private: privateKey } = newKeyPair();
  await expect(signIn({ privateKey })).rejects.toThrow('authentication');
});

test('SFTP stores, lists and removes files of the device, and has a limit', async () => {
  const sftp = await openFiles(await signIn());
  const call = <T>(work: (done: (error: Error | null | undefined, result?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => work((error, result) => (error ? reject(error) : resolve(result as T))));
  const content = Buffer.alloc(300_000, '充');
  await call((done) => sftp.writeFile('/home/new.bin', content, done));
  expect(await call<Buffer>((done) => sftp.readFile('/../home/new.bin', done))).toEqual(content);
  const names = await call<{ filename: string }[]>((done) => sftp.readdir('/home', done as never));
  expect(names.map(({ filename }) => filename)).toContain('new.bin');
  await call((done) => sftp.unlink('/home/new.bin', done));
  await expect(call((done) => sftp.stat('/home/new.bin', done as never))).rejects.toThrow('No such file');
  await expect(call((done) => sftp.readFile('/etc/passwd', done as never))).rejects.toThrow('No such file');
  const handle = await call<Buffer>((done) => sftp.open('/home/large', 'w', done));
  await expect(call((done) => sftp.write(handle, Buffer.from('x'), 0, 1, 2 ** 40, done))).rejects.toThrow();
});

test('the web page shows escaped values, live values, and takes a form', async () => {
  const { port } = ending(await startWebPage(device));
  const url = `http://127.0.0.1:${port}`;
  const page = await (await fetch(url)).text();
  expect(page).toContain('<h1>Pile &#60;1&#62; SIM1</h1>');
  const saved = await fetch(`${url}/label`, { method: 'POST', body: new URLSearchParams({ label: '"A&B"' }) });
  expect(await saved.text()).toContain('value="&#34;A&#38;B&#34;"');
  const events = await fetch(`${url}/events`);
  const { value } = await events.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toMatch(/^data: \d{4}-.+Z\n\n$/);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/values`);
  const messages: unknown[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  socket.send('第一');
  const values = { 'Connector 1': 'Available', Uptime: expect.stringMatching(/^\d+ s$/) };
  await expect.poll(() => messages).toContainEqual({ label: '第一', values });
  socket.terminate();
  expect((await fetch(`${url}/etc/passwd`)).status).toBe(404);
});

test('control 7 is rejected without an SSH client on this computer', async () => {
  const { central } = await setAcceptedScene();
  const rejection = async () => {
    const link = { link: 1, host: '127.0.0.1', port: 1, hostKey: 'x', user: 'SIM00001.1', ticket: 'x' };
    const data = JSON.stringify({ ...link, forwards: [{ listen: 22, to: '127.0.0.1:22' }] });
    const call = { vendorId: 'Chargehand', messageId: 'startVpn', data };
    return await central.call('SIM00001', 'DataTransfer', call);
  };
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PATH', '');
  expect(await rejection()).toEqual({ status: 'Rejected', data: 'NoSshClient' });
  vi.stubEnv('PATH', import.meta.dirname);
  expect(await rejection()).toEqual({ status: 'Rejected', data: 'NoSshClient' });
});
