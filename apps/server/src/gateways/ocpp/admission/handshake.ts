import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isSn } from '@chargehand/domain';
import type { Peers } from '../../../platform/http/peers.ts';
import type { ConnectionAttempt } from '../../../ports/devices/connection-attempts.ts';
import { macAddress, macOfIdentifier } from '../../mac-address.ts';

/**
 * The SN in a request for `/ocpp/{SN}`; null for any other path; '' when the path matches but contains no valid SN.
 * Repeated slashes count as one: an endpoint that ends with a slash gives `/ocpp//SN`.
 */
export function snOf(request: IncomingMessage): string | null {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const [root, segment = '', ...more] = path.split('/').filter((part) => part !== '');
  if (root !== 'ocpp') return null;
  try {
    const sn = decodeURIComponent(segment);
    return more.length === 0 && isSn(sn) ? sn : '';
  } catch {
    // Not percent-encoded correctly, so not a valid SN.
    return '';
  }
}

/** The request as it is recorded for connection attempts. Without the query, which may contain secrets. */
export function attemptOf(request: IncomingMessage, peers: Peers): Omit<ConnectionAttempt, 'reason'> {
  return {
    gateway: 'ocpp',
    remoteAddress: peers.addressOf(request),
    target: (request.url ?? '').split('?', 1)[0] ?? '',
    protocols: offeredProtocols(request).join(', ') || null,
    deviceId: null,
  };
}

/** The MAC address that some vendors send in a header, in the query or as the SN; null when there is none. */
export function macOf(request: IncomingMessage, sn: string): string | null {
  const { headers, url } = request;
  const query = new URLSearchParams((url ?? '').split('?')[1] ?? '');
  const mac = headers['x-mac'] ?? headers.mac ?? query.get('mac') ?? query.get('Mac');
  const text = Array.isArray(mac) ? mac[0] : mac;
  return (text ? macAddress(text) : null) ?? macOfIdentifier(sn);
}

/** The subprotocols that a request offers. */
export function offeredProtocols(request: IncomingMessage): string[] {
  return String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '');
}

/** Answers a handshake with an HTTP status and ends the connection. */
export function refuseUpgrade(socket: Duplex, status: number, detail: string): void {
  const body = `${detail}\n`;
  const extra =
    status === 401
      ? 'WWW-Authenticate: Basic realm="OCPP"\r\n'
      : status === 503 || status === 429
        ? 'Retry-After: 30\r\n'
        : '';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n${extra}\r\n${body}`,
  );
  socket.once('finish', () => socket.destroy());
}
