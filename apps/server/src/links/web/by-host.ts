import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';

export interface HostHandlers {
  /** the requests of this host are for these handlers */
  takes(host: string): boolean;
  request(request: IncomingMessage, response: ServerResponse, host: string): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, host: string): void;
}

/**
 * Takes the requests and upgrades of some hosts from a server, so that no other listener of the server sees them:
 * neither the routes of the console nor its WebSockets. @returns a function that undoes this
 */
export function takeHosts(server: HttpServer | HttpsServer, handlers: HostHandlers): () => void {
  const emit = server.emit;
  server.emit = (event: string, ...values: unknown[]): boolean => {
    if (event === 'request' || event === 'upgrade' || event === 'checkContinue' || event === 'checkExpectation') {
      const request = values[0] as IncomingMessage;
      const host = hostOf(request);
      if (handlers.takes(host.replace(/:\d+$/, ''))) {
        if (event === 'upgrade') handlers.upgrade(request, values[1] as Duplex, values[2] as Buffer, host);
        else handlers.request(request, values[1] as ServerResponse, host);
        return true;
      }
    }
    return Reflect.apply(emit, server, [event, ...values]);
  };
  return () => {
    server.emit = emit;
  };
}

/** The host of a request with its port, in lower case. It has another header in HTTP/2. */
function hostOf({ headers }: IncomingMessage): string {
  return String(headers.host ?? headers[':authority'] ?? '').toLowerCase();
}
