import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller.ts';

/** How often the caller of a long answer is checked again. Milliseconds. */
const EVERY_MS = 1_000;

/**
 * The parts of a long answer, as long as its caller may read them: when the caller signs out, is disabled, or has other
 * permissions than at the start, the answer is aborted, so that it is not mistaken for a complete one.
 */
export function whilePermitted(
  request: FastifyRequest,
  parts: AsyncIterable<Buffer | string>,
  everyMs: number = EVERY_MS,
): Readable {
  const { caller, server } = request;
  const { endpoint } = request.routeOptions.config;
  const holds = async () => !endpoint || hasSameRights(caller, await server.guard(request, endpoint, 'watch'));
  return whileTrue(holds, parts, everyMs);
}

/** The parts of a long answer, as long as a condition holds; then the answer is aborted. */
export function whileTrue(
  holds: () => Promise<boolean>,
  parts: AsyncIterable<Buffer | string>,
  everyMs: number = EVERY_MS,
): Readable {
  const guarded = async function* (): AsyncGenerator<Buffer | string> {
    let readAt = Date.now();
    for await (const part of parts) {
      if (Date.now() - readAt >= everyMs) {
        if (!(await holds())) throw new Error('the permissions of the caller have changed since the answer started');
        readAt = Date.now();
      }
      yield part;
    }
  };
  return Readable.from(guarded());
}

function hasSameRights(one: Caller | null, other: Caller | null): boolean {
  if (one === null || other === null) return one === other;
  return isDeepStrictEqual(rightsOf(one), rightsOf(other));
}

/** What decides about rows and values. Lists are sorted, because the database returns them in any order. */
function rightsOf({ userId, root, scope, levels }: Caller) {
  const ordered = (ids: 'all' | readonly number[]) => (ids === 'all' ? ids : ids.toSorted((a, b) => a - b));
  return { userId, root, levels, customers: ordered(scope.customers), sites: ordered(scope.sites) };
}
