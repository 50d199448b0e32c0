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
    const results: BulkAnswer['results'] = [];
    let broken = false;
    const refusals = await app.enforcer.enforceEach(caller, endpoint.policy, body.ids);
    for (const id of body.ids) {
      if (broken) {
        results.push({ id, code: CODES.notTried.code, message: messageOf('notTried', locale) });
        continue;
      }
      try {
        const refusal = refusals.get(id);
        if (refusal) throw refusal;
        await change(caller, id, body as BodyOf<E>);
        results.push({ id, code: 0, message: '' });
      } catch (error) {
        const problem = error instanceof Problem ? error : (storageProblem(error) ?? new Problem('internalError'));
        if (problem !== error) {
          broken = true;
          request.log.error({ err: error, url: request.url, id }, 'a change of several rows was aborted');
        }
        const { code, message } = problem.envelope(locale);
        results.push({ id, code, message });
      }
    }
    return { results };
  });
}
