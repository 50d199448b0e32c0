import { isIP } from 'node:net';
import {
  type applicationEndpoints,
  type ExplainStep,
  type Explanation,
  OPEN_OPERATIONS,
  type OpenEndpoint,
  type QueryOf,
} from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { type AccessRoom, type ExplainedStep, explanationOf, step } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { eventRights } from './events/receivers.ts';
import { type CallingApplication, findById, requestsNow } from './requests/callers.store.ts';
import {
  type Decided,
  decideAddress,
  decideEvents,
  decideOperation,
  decideRate,
  decideState,
  operationForbidden,
  userUnusable,
} from './requests/usable.ts';

export type ApplicationExplanations = ReturnType<typeof applicationExplanations>;

/**
 * Whether an application may call an operation, and why. The steps are those of a real request, in its order: the
 * application, then its user. Each uses the function that also decides real requests.
 */
export function applicationExplanations(parts: {
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  explain: AccessRoom['explain'];
}) {
  const { db, pool, clock, explain } = parts;
  return {
    async explain(
      caller: Caller,
      id: number,
      query: QueryOf<(typeof applicationEndpoints)['explainApplication']>,
    ): Promise<Explanation> {
      const { callerAddress, objectId, kind } = query;
      const operation = OPEN_OPERATIONS[query.operation];
      if (!operation) {
        throw new Problem('applicationOperation', { field: 'operation', values: { operation: query.operation } });
      }
      if (callerAddress !== undefined && isIP(callerAddress) === 0) {
        throw new Problem('fieldFormat', { field: 'callerAddress', values: { expected: '203.0.113.7, 2001:db8::7' } });
      }
      const application = await findById(db, id);
      if (!application) throw notFound('application');
      const now = clock.now();
      const steps = [
        stepOf(application, 'application', decideState(application, now)),
        addressStep(application, callerAddress),
        stepOf(application, 'rate', decideRate(application, 1 + (await requestsNow(db, id, now)), now)),
      ];
      if (application.userId !== null) {
        const ofUser = await explain.boundUserSteps(caller, application.userId, operation.like, {
          ...(operation.stream ? {} : { objectId }),
          kind,
        });
        const first = ofUser.findIndex((one) => !OF_INTERFACE.has(one.step));
        const split = first < 0 ? ofUser.length : first;
        steps.push(
          ...ofUser.slice(0, split).map((one) => asRequest(one, operation)),
          stepOf(application, 'operation', decideOperation(application, operation)),
          ...ofUser.slice(split),
        );
        if (operation.stream) {
          const rights = await eventRights(pool, application, now);
          steps.push(stepOf(application, 'events', decideEvents(rights?.types ?? new Set(), operation)));
        }
      }
      return explanationOf(steps, caller.locale);
    },
  };
}

/** The steps about the user that come before the operation of the application is checked. */
const OF_INTERFACE: ReadonlySet<ExplainStep['step']> = new Set(['account', 'route', 'readOnly']);

/** A step about the user, with the error that the request gets. */
function asRequest(one: ExplainedStep, operation: OpenEndpoint): ExplainedStep {
  if (one.problem === null) return one;
  return { ...one, problem: one.step === 'account' ? userUnusable() : operationForbidden(operation) };
}

/** These are not changed in the form of the application. */
const NOT_IN_FORM: ReadonlySet<ExplainStep['reason']> = new Set(['applicationDisabled', 'applicationUser']);

function stepOf(
  { id, name }: CallingApplication,
  of: ExplainStep['step'],
  { reason, problem }: Decided,
): ExplainedStep {
  const fix = NOT_IN_FORM.has(reason) ? null : { place: 'application' as const, id };
  return { ...step(of, { reason, refusedWith: problem?.code ?? null }, { names: [name], fix }), problem };
}

/** Without an address, an application that is limited to some depends on it. */
function addressStep(application: CallingApplication, from: string | undefined): ExplainedStep {
  if (from === undefined && application.allowedAddresses.length > 0) {
    const networks = { names: [application.allowedAddresses.join(', ')] };
    return step('address', { reason: 'addressNeeded', refusedWith: null, open: true }, networks);
  }
  const taken = stepOf(application, 'address', decideAddress(application, from ?? ''));
  return from === undefined ? taken : { ...taken, names: [from] };
}
