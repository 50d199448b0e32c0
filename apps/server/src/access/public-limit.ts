import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../platform/http/problem.ts';
import { networkOf } from './sign-in/sign-in-limits.ts';

/** Parts of uploads from one network in a minute. Parts of fast connections have megabytes. */
export const PUBLIC_PARTS_A_MINUTE = 3_000;

/** Requests per minute from one address to public endpoints: far more than an office of users needs. */
const PUBLIC_REQUESTS_A_MINUTE = 300;

/** Limits the requests of one address to the endpoints on `open`. A 429 response says how long to wait. */
export async function limitPublicCalls(
  open: FastifyInstance,
  { requests = PUBLIC_REQUESTS_A_MINUTE, windowMs = 60_000 }: { requests?: number; windowMs?: number } = {},
): Promise<void> {
  await open.register(rateLimit, {
    max: requests,
    timeWindow: windowMs,
    keyGenerator: (request) => networkOf(request.ip),
    errorResponseBuilder: (_request, context) =>
      new Problem('tooManyRequests', {
        status: 429,
        values: { seconds: Math.max(1, Math.ceil(context.ttl / 1_000)) },
      }),
  });
}
