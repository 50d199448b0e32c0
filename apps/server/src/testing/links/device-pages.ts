import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** The web server of a device. */
export interface DevicePages {
  port: number;
  /** the requests that it got */
  requests: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[];
  /** connections that it got */
  connections(): number;
  close(): Promise<void>;
}

/**
 * Starts the web server of a device. It records requests, and sends what `answer` does; without it, what it received.
 * Its WebSockets return messages.
 */
export async function devicePages(
  answer?: RequestListener,
  { port = 0, tls }: { port?: number; tls?: { cert: string; key: string } } = {},
): Promise<DevicePages> {
  const requests: DevicePages['requests'] = [];
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body: '' };
    requests.push(entry);
    if (answer) return answer(request, response);
    request.on('data', (data) => {
      entry.body += String(data);
    });
    request.on('end', () => response.end(JSON.stringify(entry)));
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { headers }) => {
    socket.send(JSON.stringify({ host: headers.host, origin: headers.origin, cookie: headers.cookie ?? null }));
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
