import type { ExecutionRow, WithDates } from '@chargehand/contract';
import {
  type Command,
  controlOf,
  EXECUTION_RESULTS,
  executionResultOf,
  meets,
  outcomeOf,
  transferResult,
  valueWithoutTokens,
  verificationOf,
} from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import type { ParameterView } from '../parameters/parameter-view.ts';
import type { CommandedDevice, ListedExecution } from './commands.store.ts';
import { levelsFor } from './control-rules.ts';

/** Whether a caller may read the parameter value of an execution. */
export function mayReadValue(
  caller: Caller,
  device: CommandedDevice,
  view: ParameterView,
  { kind, params }: ListedExecution,
): boolean {
  // A message and its response may contain the value of any parameter.
  if (kind === 'sendMessage') return meets(caller.levels, levelsFor(device, kind, controlOf(view.description, kind)));
  const { key } = params as Command['params'];
  return key === undefined || (view.mayRead(key) && !view.isSecret(key));
}

/**
 * An execution for the API. The parameter value is included only for callers who may read it; tokens are masked for those
 * who may not read them.
 */
export function rowOf(listed: ListedExecution, withValue: boolean, readsTokens: boolean): WithDates<ExecutionRow> {
  const { readingState, readingResult, readBack, waitsUntil, transfer, ...execution } = listed;
  const given = execution.params as Command['params'];
  const { value, payload, ...params } = readsTokens ? given : valueWithoutTokens(given);
  const result = executionResultOf(execution.result);
  const [state, reason] = [execution.state as ExecutionRow['state'], execution.reason as ExecutionRow['reason']];
  const outcome = outcomeOf({ state, result, reason }, transfer && transferResult(transfer));
  return {
    ...execution,
    kind: execution.kind as ExecutionRow['kind'],
    params: withValue ? { ...params, ...(value === undefined ? {} : { value }), ...(payload && { payload }) } : params,
    state,
    // A file that arrived says more than the connection that was lost before the response.
    ...(outcome === 'success' && result !== 'success'
      ? { result: EXECUTION_RESULTS.success, reason: null }
      : { reason }),
    outcome: EXECUTION_RESULTS[outcome],
    transfer: transfer && { ...transfer, endedAt: transfer.endedAt && new Date(transfer.endedAt).toISOString() },
    whenOffline: waitsUntil === null ? 'fail' : 'queue',
    verification: verified(listed, withValue),
  };
}

function verified(listed: ListedExecution, withValue: boolean): ExecutionRow['verification'] {
  const { readingState, readingResult, readBack } = listed;
  const { value } = listed.params as Command['params'];
  if (readingState === null || value === undefined) return null;
  const read = readingResult === EXECUTION_RESULTS.success ? 'read' : 'failed';
  const state = verificationOf(
    { value, needsRestart: listed.reason === 'rebootRequired' },
    { state: readingState === 'ended' ? read : 'waiting', readBack },
  );
  return { state, value: withValue && (state === 'other' || state === 'afterRestart') ? readBack : null };
}
