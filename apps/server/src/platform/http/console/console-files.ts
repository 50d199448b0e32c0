import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Branding } from '@chargehand/contract';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PRODUCT_ADDRESSES } from '../../config/addresses.ts';
import { withoutPageHeaders } from '../page-headers.ts';
import { Problem } from '../problem.ts';
import { consolePage } from './console-page.ts';

const CONSOLE = join(import.meta.dirname, '../../../../../console/dist');

const PAGE = join(CONSOLE, 'index.html');

/** The inline scripts of the page as sources of a content security policy. */
export function inlineScriptSources(): string[] {
  if (!existsSync(PAGE)) return [];
  const scripts = readFileSync(PAGE, 'utf8').matchAll(/<script>(.*?)<\/script>/gs);
  return [...scripts].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
}

/** The script that loads and reads vector tiles. */
const MAP_WORKER = 'maplibre-gl-worker';

/**
 * Serves the built console in the form that the build compressed: hashed assets are cached forever, the page itself
 * never. Every address that does not belong to the server is a page of the console, whose router decides whether it
 * exists. Without a build only the API is served.
 */
export async function consoleFiles(app: FastifyInstance, branding: () => Branding): Promise<void> {
  const built = existsSync(PAGE);
  const sendPage = built ? consolePage(readFileSync(PAGE, 'utf8'), branding) : null;
  if (built) {
    // Their names change with their content, so they need no validators.
    await app.register(fastifyStatic, {
      root: join(CONSOLE, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      ...{ etag: false, lastModified: false, acceptRanges: false },
      setHeaders(reply, path) {
        // A worker has the content security policy of its own script, not of the page.
        if (!path.includes(MAP_WORKER)) withoutPageHeaders(reply);
      },
    });
    await app.register(fastifyStatic, {
      root: CONSOLE,
      preCompressed: true,
      // The page has the branding inside, so the handler below sends it.
      index: false,
      allowedPath: (path) => !path.startsWith('/.vite') && path !== '/index.html' && path !== '/',
      setHeaders(reply) {
        void reply.header('cache-control', 'no-cache');
        withoutPageHeaders(reply);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !PRODUCT_ADDRESSES.test(request.url);
    if (!sendPage || !isPage) throw new Problem('routeNotFound', { status: 404 });
    // Links that are sent to people without an account must not be found by search engines.
    if (request.url.startsWith('/share/')) void reply.header('x-robots-tag', 'noindex, nofollow');
    return sendPage(request, reply);
  });
}
