import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { OcppGateway } from '../gateways/ocpp/index.ts';
import { isPublicHttps } from '../platform/config/config.ts';
import { mapOrigins } from '../platform/config/map-origins.ts';
import { LISTEN_BACKLOG, listenOn } from '../platform/http/listen.ts';
import { httpServer } from '../platform/http/server.ts';
import { requestsOnce } from '../platform/requests/once.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    app: FastifyInstance;
  }
}

/** The HTTP server. It closes after all that use its port. */
export const http = declareRoom({
  name: 'http',
  needs: ['log', 'access', 'enforcer', 'db', 'peers', 'config', 'version', 'certificate', 'objects', 'storageHealth'],
  provides: ['app'],
  async open({ log, access, enforcer, db, peers, config, version, certificate, objects, storageHealth }) {
    const app = await httpServer({
      ...{ log, guard: access.guard, enforcer, peers, version, https: certificate },
      requests: requestsOnce({ db, log }),
      isPublicHttps: isPublicHttps(config),
      objectOrigins: objects.origins,
      mapOrigins: mapOrigins(config),
      storageProblems: () => storageHealth.problems,
    });
    return { app, stop: () => app.close() };
  },
});

/** Opens the port of the console, the API and the gateways. It opens last, when everything behind it is ready. */
export const httpPort = declareRoom({
  name: 'http port',
  needs: ['app', 'config', 'addresses'],
  open: ({ app, config: { host, port }, addresses }) => ({
    async start() {
      await listenOn({ host, port, setting: 'PORT' }, () => app.listen({ port, host, backlog: LISTEN_BACKLOG }));
      addresses.listening('http', (app.server.address() as AddressInfo).port);
    },
  }),
});

/** The port for devices that do not support TLS, in addition to a server that only uses TLS. */
export const plainDevicePort = declareRoom({
  name: 'plain device port',
  needs: ['config', 'certificate', 'ocpp', 'addresses', 'app'],
  open({ config, certificate, ocpp, addresses, app }) {
    const { host, devicePort: port } = config;
    if (!certificate || port === 0 || config.ocppSecurityProfile >= 2) return {};
    const server = createServer((request, response) => {
      if (/^\/(?:device-files|ocpp)\b/.test(request.url ?? '')) app.routing(request, response);
      else response.writeHead(404).end();
    });
    return {
      role: 'gateway',
      async start() {
        ocpp.attach(server);
        const place = { host, port, setting: 'CHARGEHAND_DEVICE_PORT' } as const;
        await listenOn(place, () => once(server.listen(port, host, LISTEN_BACKLOG), 'listening'));
        addresses.listening('plain', port);
      },
      stop() {
        server.close();
      },
    };
  },
});

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
