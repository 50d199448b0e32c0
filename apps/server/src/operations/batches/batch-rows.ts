import type { BatchRow, ShownBatchCounts, WithDates } from '@chargehand/contract';
import { type Command, type CommandKind, commandLevels, type Level, levelSuffices, meets } from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import type { StoredBatch, StoredOperation } from './shown-batches.store.ts';

/** A caller who may send the command to the devices may cancel and repeat it. */
function mayLead(caller: Caller, batch: StoredBatch): boolean {
  const level = batch.level as Level;
  const model = { control: level, parameterRead: level, parameterWrite: level };
  return meets(caller.levels, commandLevels(model, batch.kind as CommandKind, 'standard'));
}

/** Whether the caller may read the parameter value that an operation sets. */
export function mayReadValue(caller: Caller, { batches }: StoredOperation): boolean {
  return batches.every((batch) => !batch.secret && levelSuffices(caller.levels.params.read, batch.valueLevel as Level));
}

/** An operation for the API. The parameter value is included only for callers who may read it. */
export function rowFor(caller: Caller, operation: StoredOperation): WithDates<BatchRow> {
  const { id, batches, outside } = operation;
  const [first] = batches;
  const { value, ...params } = first.params as Command['params'];
  const stopped = batches.find((batch) => batch.stopped !== null) ?? first;
  const ends = batches.map(({ endedAt }) => endedAt);
  return {
    id,
    kind: first.kind as CommandKind,
    controlType: first.controlType,
    connector: first.connector,
    params: value !== undefined && mayReadValue(caller, operation) ? { ...params, value } : params,
    sites: batches.map((batch) => ({
      ...{ siteId: batch.siteId, siteName: batch.siteName, counts: countsOf([batch]) },
      ...{ stopped: batch.stopped as BatchRow['stopped'], stoppedBy: batch.stoppedBy },
    })),
    outside,
    requestedBy: first.requestedBy,
    requestedAt: first.requestedAt,
    parallel: first.parallel,
    stopAfter: first.stopAfter,
    whenOffline: first.queueMinutes === null ? 'fail' : 'queue',
    queueMinutes: first.queueMinutes,
    rerunOf: first.rerunOf,
    counts: countsOf(batches),
    stopped: stopped.stopped as BatchRow['stopped'],
    stoppedBy: stopped.stoppedBy,
    endedAt: ends.includes(null) ? null : new Date(Math.max(...ends.map(Number))),
    may: !caller.readOnly && batches.every((batch) => mayLead(caller, batch)),
  };
}

const STATES = ['queued', 'inFlight', 'succeeded', 'failed', 'timedOut', 'offline', 'cancelled', 'refused'] as const;

function countsOf(batches: readonly StoredBatch[]): ShownBatchCounts {
  const sum = (name: (typeof STATES)[number] | 'accepted' | 'same') =>
    batches.reduce((total, batch) => total + batch[name], 0);
  return {
    total: STATES.reduce((total, name) => total + sum(name), 0),
    ...{ queued: sum('queued'), inFlight: sum('inFlight'), accepted: sum('accepted'), succeeded: sum('succeeded') },
    ...{ failed: sum('failed'), timedOut: sum('timedOut'), offline: sum('offline'), cancelled: sum('cancelled') },
    ...{ refused: sum('refused'), same: sum('same') },
  };
}
