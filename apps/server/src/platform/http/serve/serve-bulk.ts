import { type BodyOf, type BulkAnswer, CODES, type ENDPOINTS, messageOf } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { storageProblem } from '../../storage-health.ts';
import type { Caller } from '../caller.ts';
import { Problem } from '../problem.ts';
import { type Call, serve } from './serve.ts';

/** A request that names rows and gets an answer for each row. */
type BulkEndpoint = Extract<(typeof ENDPOINTS)[keyof typeof ENDPOINTS], { answer: typeof BulkAnswer }>;

/**
 * Serves a change of many rows with the use case for one row: the policy of one row decides about each, and each row
 * has its own transaction and its own entry in the action log, so that a refused row does not affect the others. An
 * unexpected failure (such as a lost database) ends the work: rows that were not tried are reported as such.
 */
export function serveBulk<E extends BulkEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  change: (caller: Caller, id: number, body: BodyOf<E>) => Promise<unknown>,
): void {
  serve<BulkEndpoint>(app, endpoint, async ({ caller, body, locale, request }: Call<BulkEndpoint>) => {
    const refusals = await app.enforcer.enforceEach(caller, endpoint.policy, body.ids);
    const results = await tryEach(body.ids, { locale, request }, async (id) => {
      const refusal = refusals.get(id);
      if (refusal) throw refusal;
      await change(caller, id, body as BodyOf<E>);
    });
    return { results: results.map(({ item: id, code, message }) => ({ id, code, message })) };
  });
}

/** The result of one of several items. `value`: what a success returned. */
interface Tried<T, R> {
  item: T;
  code: number;
  message: string;
  value: R | null;
}

/** Handles items one after the other, so that a refused one does not affect the others. See `serveBulk`. */
export async function tryEach<T, R>(
  items: readonly T[],
  { locale, request }: Pick<Call<BulkEndpoint>, 'locale' | 'request'>,
  handle: (item: T) => Promise<R>,
): Promise<Tried<T, R>[]> {
  const results: Tried<T, R>[] = [];
  let broken = false;
  for (const item of items) {
    if (broken) {
      results.push({ item, code: CODES.notTried.code, message: messageOf('notTried', locale), value: null });
      continue;
    }
    try {
      results.push({ item, code: 0, message: '', value: await handle(item) });
    } catch (error) {
      const problem = error instanceof Problem ? error : (storageProblem(error) ?? new Problem('internalError'));
      if (problem !== error) {
        broken = true;
        request.log.error({ err: error, url: request.url, item }, 'a change of several rows was aborted');
      }
      const { code, message } = problem.envelope(locale);
      results.push({ item, code, message, value: null });
    }
  }
  return results;
}
