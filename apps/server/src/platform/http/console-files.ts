import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

const CONSOLE = join(import.meta.dirname, '../../../../console/dist');

/**
 * Serves the built console: hashed assets for ever, the page itself never from a cache. Every other address outside
 * `/api` and `/ocpp` is a page of the console, whose own router knows whether it exists. Without a build there is only the API.
 */
export async function consoleFiles(app: FastifyInstance): Promise<void> {
  const built = existsSync(join(CONSOLE, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: CONSOLE,
      preCompressed: true,
      index: 'index.html',
      setHeaders(reply, path) {
        const hashed = path.startsWith(join(CONSOLE, 'assets'));
        void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !/^\/(api|ocpp|assets)(\/|$)/.test(request.url);
    if (!built || !isPage) throw new Problem('routeNotFound', { status: 404 });
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
}
