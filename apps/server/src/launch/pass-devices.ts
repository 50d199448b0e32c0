import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const CHILD = '--child';
/** The two processes: `api` shares the data folder of its launcher, `gateway` has a folder below it. */
export type ChildName = 'api' | 'gateway';

/** The arguments of one of them. */
export const childArguments = (name: ChildName): string[] => [CHILD, name];

/** Which of the two processes this is; null: it is not one of them. */
export function childName(): ChildName | null {
  const index = process.argv.indexOf(CHILD);
  return index === -1 ? null : (process.argv[index + 1] as ChildName);
}
/** What a process sends to its launcher when it is ready. */
export const READY = 'ready';

/** A WebSocket handshake of a device, which is sent together with its connection. */
export interface PassedHandshake {
  kind: 'handshake';
  method: string;
  url: string;
  rawHeaders: string[];
  /** what arrived after the headers, in base64 */
  head: string;
}

/** Devices connect to the port of the console. Their connections go to the process with the gateways, through the launcher. */
export function passDevicesOn({ server }: FastifyInstance): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!/^\/+ocpp(\/|$)/.test(request.url ?? '')) return;
    const { method = 'GET', url = '', rawHeaders } = request;
    if (!process.send || !(socket instanceof Socket)) return void socket.destroy();
    socket.on('error', () => socket.destroy());
    socket.pause();
    const message: PassedHandshake = { kind: 'handshake', method, url, rawHeaders, head: head.toString('base64') };
    process.send(message, socket, {}, (error) => {
      if (error) socket.destroy();
    });
  });
}

/** Handles the handshakes that another process received. */
export function receiveDevices({ server }: FastifyInstance): void {
  process.on('message', (message: Partial<PassedHandshake> | string, socket?: Socket) => {
    if (typeof message !== 'object' || message.kind !== 'handshake' || !socket) return;
    const { method = 'GET', url = '', rawHeaders = [], head = '' } = message;
    const request = new IncomingMessage(socket);
    Object.assign(request, { method, url, rawHeaders, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
    for (let index = 0; index < rawHeaders.length; index += 2)
      addHeader(request.headers, rawHeaders[index]!.toLowerCase(), rawHeaders[index + 1]!);
    request.push(null);
    server.emit('upgrade', request, socket, Buffer.from(head, 'base64'));
  });
}

/** As Node joins the values of a repeated header. */
function addHeader(headers: IncomingMessage['headers'], name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (!SINGLE.has(name)) headers[name] = `${String(before)}, ${value}`;
}

/** Repeated values of these headers are dropped. */
const SINGLE: ReadonlySet<string> = new Set(['authorization', 'host', 'user-agent', 'content-length', 'content-type']);
