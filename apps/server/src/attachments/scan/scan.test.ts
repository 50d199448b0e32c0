import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { attachmentEndpoints, CODES, ENDPOINTS } from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readClamdUrl } from '../../platform/scan/clamd.ts';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** The test file of the anti-virus industry (eicar.org), in two parts, so that scanners do not report this file. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
/** The limit of the stand-in's streams. Bytes. */
const STREAM_MAX_LENGTH = 100_000;

/** A stand-in that speaks clamd's INSTREAM as described in clamd(8), and finds EICAR. */
function standIn(): Server {
  return createServer((socket: Socket) => {
    let read = Buffer.alloc(0);
    let content = Buffer.alloc(0);
    let begun = false;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      read = Buffer.concat([read, data]);
      if (!begun) {
        const command = 'zINSTREAM\0';
        if (read.length < command.length) return;
        if (read.subarray(0, command.length).toString() !== command) return void socket.end('UNKNOWN COMMAND\0');
        begun = true;
        read = read.subarray(command.length);
      }
      while (read.length >= 4 && read.length >= 4 + read.readUInt32BE()) {
        const length = read.readUInt32BE();
        content = Buffer.concat([content, read.subarray(4, 4 + length)]);
        read = read.subarray(4 + length);
        if (content.length > STREAM_MAX_LENGTH) return void socket.end('INSTREAM size limit exceeded. ERROR\0');
        if (length === 0) return void socket.end(content.includes(EICAR) ? 'stream: Eicar FOUND\0' : 'stream: OK\0');
      }
    });
  });
}

let clamd: Server;
let server: TestServer;
let north: Client;
const listen = (port: number) =>
  new Promise<number>((resolve) => {
    clamd = standIn();
    clamd.listen(port, '127.0.0.1', () => resolve((clamd.address() as AddressInfo).port));
  });
const close = () => new Promise((resolve) => clamd.close(resolve));

beforeAll(async () => {
  server = await startTestServer({ captcha: false, clamd: { host: '127.0.0.1', port: await listen(0) } });
  north = await server.as('northAdmin');
});
afterAll(async () => {
  await server.stop();
  await close();
});

async function added(bytes: string): Promise<number> {
  const credential = await north.data(ENDPOINTS.writeCredentials);
  const key = `${credential.prefixes.find((prefix) => prefix.startsWith('document/'))}${randomUUID()}.txt`;
  const { accessKeyId, accessKeySecret: secretAccessKey, securityToken: sessionToken, region } = credential;
  const aws = new AwsClient({ accessKeyId, secretAccessKey, sessionToken, service: 's3', region });
  await aws.fetch(`${server.url}/chargehand/${key}`, { method: 'PUT', body: bytes });
  const body = { key, name: `${randomUUID()}.txt` };
  return (await north.data(attachmentEndpoints.registerAttachment, { body })).id;
}

const scanOf = async (id: number) => (await north.data(attachmentEndpoints.readAttachment, { params: { id } })).scan;
const content = async (id: number) => {
  const answer = await north.fetch(`/api/auth/sys/attachments/${id}/content`);
  return answer.headers.get('content-type')?.startsWith('application/json') ? await answer.json() : await answer.text();
};

test('a file is read when nothing was found in it', async () => {
  const id = await added('Nothing in here.');
  await server.sweep('attachmentScan');
  expect(await scanOf(id)).toBe('clean');
  expect(await content(id)).toBe('Nothing in here.');
  expect((await north.data(attachmentEndpoints.listAttachments)).scanning).toBe(true);
});

test('a file with a virus is not read, copied or hidden', async () => {
  const id = await added(EICAR);
  await server.sweep('attachmentScan');
  expect(await scanOf(id)).toBe('infected');
  expect(await content(id)).toMatchObject({
    code: CODES.attachmentInfected.code,
    message: expect.stringMatching(/Eicar/),
  });
  const copy = await north.call(attachmentEndpoints.copyAttachment, { params: { id }, body: { folderId: null } });
  expect(copy.code).toBe(CODES.attachmentInfected.code);
});

test('a file that is larger than the scanner accepts says so', async () => {
  const id = await added('x'.repeat(2 * STREAM_MAX_LENGTH));
  await server.sweep('attachmentScan');
  expect(await scanOf(id)).toBe('tooLarge');
});

test('without the scanner a file waits and is not read, until the scanner is back', async () => {
  const { port } = clamd.address() as AddressInfo;
  await close();
  const id = await added('Later.');
  await server.sweep('attachmentScan');
  expect(await scanOf(id)).toBe('waiting');
  expect(await content(id)).toMatchObject({ code: CODES.attachmentWaiting.code });
  await listen(port);
  await server.sweep('attachmentScan');
  expect(await scanOf(id)).toBe('clean');
});

test.each([
  ['tcp://clam.example.org', { host: 'clam.example.org', port: 3310 }],
  ['tcp://[::1]:3311', { host: '::1', port: 3311 }],
  ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ['http://clam.example.org', undefined],
  ['unix:clamd.ctl', undefined],
])('the address %s', (text, address) => expect(readClamdUrl(text)).toEqual(address));
