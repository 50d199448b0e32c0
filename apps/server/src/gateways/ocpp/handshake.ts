import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isSn } from '@chargehand/domain';

/** The SN in a request for `/ocpp/{SN}`; null for any other path; '' when the path is ours but holds no possible SN. */
export function snOf(request: IncomingMessage): string | null {
  const match = /^\/ocpp(?:\/([^/?]*))?\/?(?:\?.*)?$/.exec(request.url ?? '');
  if (!match) return null;
  try {
    const sn = decodeURIComponent(match[1] ?? '');
    return isSn(sn) ? sn : '';
  } catch {
    // Not an escaped text at all, so not an SN either.
    return '';
  }
}

/** Where a request comes from; behind the operator's own proxy, what that proxy says (its entry is the last one). */
export function addressOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(request.headers['x-forwarded-for'] ?? '') : '';
  return forwarded.split(',').at(-1)?.trim() || request.socket.remoteAddress || 'unknown';
}

/** The MAC that some vendors tell in a header or in the query; null when none is told. */
export function macOf(request: IncomingMessage): string | null {
  const { headers, url } = request;
  const query = new URLSearchParams((url ?? '').split('?')[1] ?? '');
  const told = headers['x-mac'] ?? headers.mac ?? query.get('mac') ?? query.get('Mac');
  const text = Array.isArray(told) ? told[0] : told;
  const digits = text?.replaceAll(/[^0-9a-f]/gi, '').toUpperCase();
  return digits?.length === 12 ? (digits.match(/../g) ?? []).join(':') : null;
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
