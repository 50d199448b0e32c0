import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { OcppGateway } from '../gateways/ocpp/index.ts';
import type { Config } from '../platform/config/config.ts';
import { listenOn } from '../platform/http/listen.ts';
import type { Room } from '../platform/room.ts';
import type { Certificate } from '../platform/tls/certificate.ts';
import type { Addresses } from './addresses.ts';

/** Opens the port of the console, the API and the gateways. It opens last, when everything behind it is ready. */
export function httpPort(app: FastifyInstance, config: Config, addresses: Addresses): Room {
  const { host, port } = config;
  return {
    name: 'http port',
    async start() {
      await listenOn({ host, port, setting: 'PORT' }, () => app.listen({ port, host }));
      addresses.listening('http', (app.server.address() as AddressInfo).port);
    },
  };
}

/** The port for devices that do not support TLS, in addition to a server that only uses TLS. */
export function plainDevicePort(
  parts: { config: Config; certificate: Certificate | null; gateway: OcppGateway; addresses: Addresses },
  app: FastifyInstance,
): Room {
  const { config, certificate, gateway, addresses } = parts;
  const { host, devicePort: port } = config;
  if (!certificate || port === 0 || config.ocppSecurityProfile >= 2) return { name: 'plain device port' };
  const server = createServer((request, response) => {
    if (/^\/(?:device-files|ocpp)\b/.test(request.url ?? '')) app.routing(request, response);
    else response.writeHead(404).end();
  });
  return {
    name: 'plain device port',
    role: 'gateway',
    async start() {
      gateway.attach(server);
      const place = { host, port, setting: 'CHARGEHAND_DEVICE_PORT' } as const;
      await listenOn(place, () => once(server.listen(port, host), 'listening'));
      addresses.listening('plain', port);
    },
    stop() {
      server.close();
    },
  };
}

/** Answers plain HTTP requests at the address of charge points: a proxy removed the WebSocket headers. */
export function ocppPages(app: FastifyInstance, gateway: OcppGateway): void {
  for (const url of ['/ocpp', '/ocpp/*']) {
    app.get(url, { schema: { hide: true } }, (request, reply) => {
      gateway.notUpgraded(request.raw);
      return reply
        .code(426)
        .headers({ upgrade: 'websocket', 'cache-control': 'no-store' })
        .type('text/plain; charset=utf-8')
        .send('Charge points connect here with a WebSocket. This request has no WebSocket headers.\n');
    });
  }
}
