import type { BatchRow } from '@chargehand/contract';
import { type Command, type CommandKind, commandLevels, type Level, levelSuffices, meets } from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ListedBatch } from './batches.store.ts';

/** A caller who may send the command to the devices may cancel and repeat the batch. */
function mayLead(caller: Caller, batch: ListedBatch): boolean {
  const level = batch.level as Level;
  const model = { control: level, parameterRead: level, parameterWrite: level };
  return meets(caller.levels, commandLevels(model, batch.kind as CommandKind, 'standard'));
}

/** Whether the caller may read the parameter value that a batch sets. */
export function mayReadValue(caller: Caller, batch: ListedBatch): boolean {
  return !batch.secret && levelSuffices(caller.levels.params.read, batch.valueLevel as Level);
}

/** The results of spec §4 in a filter; null for all. @throws {Problem} fieldChoice */
export function resultsOf(text: string | undefined): number[] | null {
  if (!text) return null;
  const results = text.split(',').map(Number);
  if (results.every((result) => [1, 2, 3, 4, 5].includes(result))) return results;
  throw new Problem('fieldChoice', { field: 'results', values: { expected: '1, 2, 3, 4, 5' } });
}

/** A batch for the API. The parameter value is included only for callers who may read it. */
export function rowFor(caller: Caller, batch: ListedBatch): BatchRow {
  const { value, ...params } = batch.params as Command['params'];
  const { level: _, valueLevel: __, customerId: ___, secret: ____, queueMinutes, endedAt, ...rest } = batch;
  const { queued, inFlight, succeeded, failed, timedOut, offline, cancelled, refused, ...row } = rest;
  const counts = { queued, inFlight, succeeded, failed, timedOut, offline, cancelled, refused };
  return {
    ...row,
    kind: row.kind as CommandKind,
    params: value !== undefined && mayReadValue(caller, batch) ? { ...params, value } : params,
    requestedAt: row.requestedAt.toISOString(),
    whenOffline: queueMinutes === null ? 'fail' : 'queue',
    queueMinutes,
    counts: { total: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts },
    stopped: row.stopped as BatchRow['stopped'],
    endedAt: endedAt?.toISOString() ?? null,
    may: !caller.readOnly && mayLead(caller, batch),
  };
}
