import { timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import { READINESS_PATH, type Readiness } from '@chargehand/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import { isWarning } from '../storage-health.ts';
import { Problem } from './problem.ts';

/** A value that is read when the metrics are requested. */
export interface Measure {
  name: string;
  help: string;
  read(): number | Promise<number>;
}

export interface HealthOptions {
  /** the metrics of the modules */
  registry: Registry;
  /** Resolves with the reasons why requests cannot be served, now or soon. */
  problems(): Promise<readonly Problem[]>;
  /** what is wrong with the installation. It does not change the status: another node would have the same problems */
  installation(): Extract<Readiness['data'], { status: 'ready' }>['problems'];
  measures: readonly Measure[];
  /** the bearer token for reading the metrics from anywhere; without one they are only for this machine */
  metricsToken: string | undefined;
}

/** The timeout of readiness. Milliseconds. */
const READY_TIMEOUT_MS = 2_000;

/** Upper bounds in seconds: a page is fast below 0.1, an export may take minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * `/healthz`: the process answers. `/readyz`: it can serve and store, or 503 with the cause. `/metrics`: Prometheus
 * text, with the duration of every request by its route; only for this machine, or with the token.
 */
export function healthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const { registry } = options;
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'chargehand_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by route.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  for (const { name, help, read } of options.measures) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  }
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    durations.observe(labels, reply.elapsedTime / 1000);
  });

  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ code: 0, message: '', data: { status: 'ok' } }));
  app.get(READINESS_PATH, hidden, async (request, reply): Promise<Readiness> => {
    void reply.header('cache-control', 'no-store');
    const problems = await withinTime(options.problems(), READY_TIMEOUT_MS).catch((error: Error) => {
      request.log.warn({ err: error }, 'readiness is unknown');
      return [new Problem('databaseAway')];
    });
    const blocking = problems.find((problem) => !isWarning(problem));
    if (blocking) {
      void reply.code(503);
      return { ...blocking.envelope(request.locale), data: { status: 'notReady', cause: blocking.code } };
    }
    const warnings = problems.map((problem) => {
      const { code, message } = problem.envelope(request.locale);
      return { code, message, cause: problem.code };
    });
    return { code: 0, message: '', data: { status: 'ready', warnings, problems: options.installation() } };
  });
  app.get('/metrics', hidden, async (request, reply) => {
    if (!mayReadMetrics(request, options.metricsToken)) throw new Problem('routeNotFound', { status: 404 });
    void reply.type(registry.contentType).header('cache-control', 'no-store');
    return registry.metrics();
  });
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(localhost|127\.[0-9.]{1,11}|\[::1\])$/i;

/**
 * A reverse proxy on this machine makes every request look local. A forwarded request counts as local only when the
 * proxy is trusted to report its origin.
 */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return sameToken(request.headers.authorization ?? '', `Bearer ${token}`);
  const forwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
  const direct = request.ip === request.socket.remoteAddress;
  if (forwarded && direct) return false;
  // A page in a browser on this machine may have a name that resolves to it: only the machine's own names count.
  return LOOPBACK.test(request.ip) && (LOOPBACK_HOST.test(request.hostname) || request.hostname === hostname());
}

function sameToken(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
