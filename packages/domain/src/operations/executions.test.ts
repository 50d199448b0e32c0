import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  awaitsLateAnswer,
  type DisplayState,
  displayStateOf,
  EXECUTION_REASONS,
  EXECUTION_RESULTS,
  type Execution,
  type ExecutionEvent,
  type ExecutionResult,
  type ExecutionState,
  executionResultOf,
  NEW_EXECUTION,
  type NotSent,
  nextExecution,
  outcomeOf,
  refusedExecution,
  type Stage,
  stageOf,
} from './executions.ts';
import type { TransferState } from './transfers.ts';

const sent: Execution = { state: 'sent', result: 'waiting', reason: null };
const accepted: Execution = { state: 'accepted', result: 'waiting', reason: null };
const reporting: Execution = { ...accepted, reason: 'reporting' };
const ended = (result: Execution['result'], reason: Execution['reason']): Execution => ({
  state: 'ended',
  result,
  reason,
});

test.each<[string, Execution, ExecutionEvent, Execution | null]>([
  ['a queued command is sent', NEW_EXECUTION, { type: 'sent' }, sent],
  ['a sent command is not sent again', sent, { type: 'sent' }, null],
  [
    'an accepted command is a success',
    sent,
    { type: 'answered', success: true, reason: 'accepted' },
    ended('success', 'accepted'),
  ],
  [
    'a rejected command is a failure',
    sent,
    { type: 'answered', success: false, reason: 'rejected' },
    ended('failure', 'rejected'),
  ],
  [
    'a command with a later report is accepted first',
    sent,
    { type: 'answered', success: true, reason: 'accepted', confirmedBy: 'transactionStarted' },
    accepted,
  ],
  [
    'an acceptance for later keeps its reason',
    sent,
    { type: 'answered', success: true, reason: 'scheduled', confirmedBy: 'availabilityChanged' },
    { ...accepted, reason: 'scheduled' },
  ],
  ['a device that sends a report', sent, { type: 'working' }, reporting],
  ['a device that goes on with its report', reporting, { type: 'working' }, reporting],
  [
    'a complete report',
    reporting,
    { type: 'answered', success: true, reason: 'accepted' },
    ended('success', 'accepted'),
  ],
  ['a report that stops', reporting, { type: 'unanswered', reason: 'noAnswer' }, ended('timeout', 'noAnswer')],
  [
    'a report that is not complete in time',
    reporting,
    { type: 'deadlinePassed', connection: 'lost' },
    ended('timeout', 'connectionLost'),
  ],
  ['no report for a command that needs none', accepted, { type: 'working' }, null],
  ['a repeated acceptance', accepted, { type: 'answered', success: true, reason: 'accepted' }, null],
  ['a restart that is over', accepted, { type: 'confirmed', by: 'restarted' }, ended('success', 'restarted')],
  [
    'and a rejection ends it',
    sent,
    { type: 'answered', success: false, reason: 'rejected', confirmedBy: 'transactionStarted' },
    ended('failure', 'rejected'),
  ],
  [
    'the report makes it a success',
    accepted,
    { type: 'confirmed', by: 'transactionStarted' },
    ended('success', 'transactionStarted'),
  ],
  [
    'also before the response',
    sent,
    { type: 'confirmed', by: 'transactionEnded' },
    ended('success', 'transactionEnded'),
  ],
  ['a report does not confirm an unsent command', NEW_EXECUTION, { type: 'confirmed', by: 'transactionEnded' }, null],
  ['no report in time', accepted, { type: 'deadlinePassed', connection: 'kept' }, ended('timeout', 'notConfirmed')],
  ['an accepted command cannot be cancelled', accepted, { type: 'cancelled', reason: 'cancelled' }, null],
  ['an unsent command has no response', NEW_EXECUTION, { type: 'answered', success: true, reason: 'accepted' }, null],
  [
    'an offline device was not sent the command',
    sent,
    { type: 'notSent', reason: 'deviceOffline' },
    ended('offline', 'deviceOffline'),
  ],
  [
    'a protocol without such a command',
    sent,
    { type: 'notSent', reason: 'notSupported' },
    ended('failure', 'notSupported'),
  ],
  [
    'a device that was disabled in the meantime',
    sent,
    { type: 'notSent', reason: 'deviceDisabled' },
    ended('failure', 'deviceDisabled'),
  ],
  [
    'a precondition that is no longer met when the command is due',
    sent,
    { type: 'notSent', reason: 'sessionInProgress' },
    ended('failure', 'sessionInProgress'),
  ],
  ['a command keeps waiting for an offline device', sent, { type: 'putBack' }, NEW_EXECUTION],
  ['an unsent command is not queued again', NEW_EXECUTION, { type: 'putBack' }, null],
  [
    'a user cancels a waiting command',
    NEW_EXECUTION,
    { type: 'cancelled', reason: 'cancelled' },
    ended('failure', 'cancelled'),
  ],
  [
    'a stopped batch cancels waiting commands',
    NEW_EXECUTION,
    { type: 'cancelled', reason: 'batchStopped' },
    ended('failure', 'batchStopped'),
  ],
  ['a sent command cannot be cancelled', sent, { type: 'cancelled', reason: 'cancelled' }, null],
  [
    'an ended command cannot be cancelled',
    ended('success', 'accepted'),
    { type: 'cancelled', reason: 'cancelled' },
    null,
  ],
  ['a lost connection', sent, { type: 'unanswered', reason: 'connectionLost' }, ended('timeout', 'connectionLost')],
  ['a device that does not respond', sent, { type: 'unanswered', reason: 'noAnswer' }, ended('timeout', 'noAnswer')],
  ['an unsent command cannot lose its response', NEW_EXECUTION, { type: 'unanswered', reason: 'connectionLost' }, null],
  [
    'no response on a kept connection',
    sent,
    { type: 'deadlinePassed', connection: 'kept' },
    ended('timeout', 'noAnswer'),
  ],
  [
    'no response on a lost connection',
    sent,
    { type: 'deadlinePassed', connection: 'lost' },
    ended('timeout', 'connectionLost'),
  ],
  [
    'a device that did not reconnect',
    NEW_EXECUTION,
    { type: 'deadlinePassed', connection: 'lost' },
    ended('offline', 'deviceOffline'),
  ],
  [
    'a device that was always busy',
    NEW_EXECUTION,
    { type: 'deadlinePassed', connection: 'kept' },
    ended('failure', 'notSent'),
  ],
  [
    'a device that was never idle',
    NEW_EXECUTION,
    { type: 'deadlinePassed', connection: 'kept', whenIdle: true },
    ended('failure', 'notIdle'),
  ],
  [
    'a device that was away instead',
    NEW_EXECUTION,
    { type: 'deadlinePassed', connection: 'lost', whenIdle: true },
    ended('offline', 'deviceOffline'),
  ],
  [
    'a late response does not change the result',
    ended('timeout', 'noAnswer'),
    { type: 'answered', success: true, reason: 'accepted' },
    null,
  ],
  [
    'a response to control 7 that cannot be read',
    sent,
    { type: 'answered', success: false, reason: 'badAnswer', confirmedBy: 'linkOpened' },
    { ...accepted, reason: 'badAnswer' },
  ],
  [
    'a device that connects after it',
    { ...accepted, reason: 'badAnswer' },
    { type: 'confirmed', by: 'linkOpened' },
    ended('success', 'linkOpened'),
  ],
  [
    'and one that does not',
    { ...accepted, reason: 'badAnswer' },
    { type: 'deadlinePassed', connection: 'kept' },
    ended('failure', 'badAnswer'),
  ],
  [
    'a result stays when the device connects later',
    ended('failure', 'badAnswer'),
    { type: 'confirmed', by: 'linkOpened' },
    null,
  ],
  [
    'an ended execution has no deadline',
    ended('success', 'accepted'),
    { type: 'deadlinePassed', connection: 'kept' },
    null,
  ],
])('%s', (_, execution, event, expected) => {
  expect(nextExecution(execution, event)).toEqual(expected);
});

test.each<[ExecutionState, ExecutionResult, DisplayState]>([
  ['queued', 'waiting', 'queued'],
  ['sent', 'waiting', 'sent'],
  ['accepted', 'waiting', 'accepted'],
  // its file transfer is in progress
  ['ended', 'waiting', 'accepted'],
  ['ended', 'success', 'success'],
  ['ended', 'failure', 'failure'],
  ['ended', 'timeout', 'timeout'],
  ['ended', 'offline', 'offline'],
])('an execution that is %s with outcome %s is shown as %s', (state, outcome, shown) => {
  expect(displayStateOf(state, outcome)).toBe(shown);
});

const LATER = '2026-05-01T10:00:01Z';
const NOW = { kind: 'clearCache', whenOffline: 'fail', params: {} } as const;
const RESET = { ...NOW, kind: 'hardReset' } as const;
const UPGRADE = { ...NOW, kind: 'upgradeSoftware' } as const;
const IDLE = { ...NEW_EXECUTION, ...UPGRADE, whenOffline: 'queue', params: { start: 'whenIdle' } } as const;
const AT = { ...IDLE, params: { start: 'at', startAt: '2026-05-01T10:00:00Z' } } as const;

test.each<[string, Parameters<typeof stageOf>[0], TransferState | null, boolean | null, Stage]>([
  ['queued', { ...NEW_EXECUTION, ...NOW }, null, true, 'queued'],
  ['queued for an offline device', { ...NEW_EXECUTION, ...NOW, whenOffline: 'queue' }, null, false, 'waitsForDevice'],
  ['queued until the device is idle', IDLE, 'requested', true, 'waitsForIdle'],
  ['queued until the device is idle, and offline', IDLE, 'requested', false, 'waitsForDevice'],
  ['queued for a time that has come', AT, 'requested', true, 'waitsForIdle'],
  ['queued for later', { ...AT, params: { ...AT.params, startAt: LATER } }, 'requested', false, 'waitsForTime'],
  ['sent', { ...sent, ...NOW }, null, true, 'sent'],
  ['a remote start that was accepted', { ...accepted, ...NOW, kind: 'remoteStart' }, null, true, 'transactionStarted'],
  ['a restart before the device disconnects', { ...accepted, ...RESET }, null, true, 'restarted'],
  ['a restart while the device is offline', { ...accepted, ...RESET }, null, false, 'restarting'],
  ['a restart of a device nobody knows about', { ...accepted, ...RESET }, null, null, 'restarted'],
  [
    'a report in parts',
    { ...accepted, ...NOW, kind: 'refreshConfiguration', reason: 'reporting' },
    null,
    true,
    'reporting',
  ],
  ['a restart after the session', { ...accepted, ...RESET, reason: 'scheduled' }, null, true, 'scheduled'],
  ['a reset that succeeded', { ...ended('success', 'restarted'), ...RESET }, null, true, 'ended'],
  ['an upgrade before the answer', { ...sent, ...UPGRADE }, 'requested', true, 'sent'],
  ['an accepted upgrade', { ...ended('success', 'accepted'), ...UPGRADE }, 'requested', true, 'transfer'],
  ['an upgrade that downloads', { ...ended('success', 'accepted'), ...UPGRADE }, 'downloading', true, 'transfer'],
  ['a rejected upgrade', { ...ended('failure', 'rejected'), ...UPGRADE }, 'failed', true, 'ended'],
  ['an upgrade without an answer', { ...ended('timeout', 'noAnswer'), ...UPGRADE }, 'requested', true, 'ended'],
  ['that downloads all the same', { ...ended('timeout', 'noAnswer'), ...UPGRADE }, 'downloading', true, 'transfer'],
])('the stage of %s', (_, execution, state, connected, stage) => {
  expect(stageOf(execution, state && { state }, connected, new Date('2026-05-01T10:00:00Z'))).toBe(stage);
});

test('a late response is only stored next to a result that is not itself a response', () => {
  const noted = EXECUTION_REASONS.filter((reason) => awaitsLateAnswer(ended('failure', reason)));
  expect(noted).toEqual(['noAnswer', 'deviceOffline', 'connectionLost', 'deviceDisabled', 'notSent', 'notIdle']);
  expect(awaitsLateAnswer(sent)).toBe(false);
});

/** An event of a command, its server or its device, in any order. */
type Step =
  | { type: 'dispatch' }
  | { type: 'write' }
  | { type: 'refuse'; reason: NotSent }
  | { type: 'putBack' }
  | { type: 'cancel'; reason: 'cancelled' | 'batchStopped' }
  | { type: 'answer'; success: boolean; times: number }
  | { type: 'deadline'; connection: 'kept' | 'lost' }
  | { type: 'kill' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ type: 'dispatch' }),
  fc.constant<Step>({ type: 'write' }),
  fc
    .constantFrom<NotSent>('deviceOffline', 'deviceDisabled', 'notSupported', 'notSent', 'sessionInProgress')
    .map((reason): Step => ({ type: 'refuse', reason })),
  fc.constant<Step>({ type: 'putBack' }),
  fc
    .constantFrom('cancelled', 'batchStopped')
    .map((reason): Step => ({ type: 'cancel', reason: reason as 'cancelled' })),
  fc.record({ type: fc.constant('answer' as const), success: fc.boolean(), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('deadline' as const), connection: fc.constantFrom('kept' as const, 'lost' as const) }),
  fc.constant<Step>({ type: 'kill' }),
);

/** Plays a command from its record to its end. The row survives a crash; the pending work of the process does not. */
function play(steps: Step[]): { row: Execution; sent: number; answers: boolean[]; results: Execution[] } {
  let row = NEW_EXECUTION;
  let meantToWrite = false;
  let sentCount = 0;
  const answers: boolean[] = [];
  const results: Execution[] = [];
  const apply = (event: ExecutionEvent): boolean => {
    const next = nextExecution(row, event);
    if (next === null) return false;
    row = next;
    if (row.state === 'ended') results.push(row);
    return true;
  };
  for (const one of steps) {
    switch (one.type) {
      case 'dispatch':
        if (apply({ type: 'sent' })) meantToWrite = true;
        break;
      case 'write':
        if (meantToWrite) sentCount += 1;
        meantToWrite = false;
        break;
      case 'refuse':
        if (meantToWrite) apply({ type: 'notSent', reason: one.reason });
        meantToWrite = false;
        break;
      case 'putBack':
        if (meantToWrite) apply({ type: 'putBack' });
        meantToWrite = false;
        break;
      case 'cancel':
        apply({ type: 'cancelled', reason: one.reason });
        break;
      case 'answer':
        if (sentCount === 0) break;
        answers.push(one.success);
        for (let time = 0; time < one.times; time += 1)
          apply({ type: 'answered', success: one.success, reason: one.success ? 'accepted' : 'rejected' });
        break;
      case 'deadline':
        apply({ type: 'deadlinePassed', connection: one.connection });
        break;
      case 'kill':
        meantToWrite = false;
    }
  }
  return { row, sent: sentCount, answers, results };
}

test('in every order of events, with a crash after each of them, a command is sent at most once and ends exactly once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      for (let killedAfter = -1; killedAfter < steps.length; killedAfter += 1) {
        const killed = [...steps.slice(0, killedAfter + 1), { type: 'kill' } as const, ...steps.slice(killedAfter + 1)];
        const { row, sent: sentCount, answers, results } = play([...killed, { type: 'deadline', connection: 'kept' }]);
        expect(sentCount).toBeLessThanOrEqual(1);
        expect(results).toHaveLength(1);
        expect(results[0]).toBe(row);
        expect(row.result).not.toBe('waiting');
        expect(row.reason).not.toBeNull();
        if (row.result === 'success') expect(answers).toContain(true);
        if (row.result === 'offline') expect(sentCount).toBe(0);
        if (row.reason === 'cancelled' || row.reason === 'batchStopped') expect(sentCount).toBe(0);
      }
    }),
  );
});

test('without failures, a command ends with the response of its device, whatever follows', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { maxLength: 8 }), (success, later) => {
      const calm: Step[] = [{ type: 'dispatch' }, { type: 'write' }, { type: 'answer', success, times: 1 }];
      expect(play([...calm, ...later]).row.result).toBe(success ? 'success' : 'failure');
    }),
  );
});

test('results have the numbers of the specification', () => {
  for (const [name, number] of Object.entries(EXECUTION_RESULTS)) expect(executionResultOf(number)).toBe(name);
  expect(() => executionResultOf(6)).toThrow(new RangeError('There is no execution result 6.'));
});

test('a command that is refused at once is a failure', () => {
  expect(refusedExecution('sameValue')).toEqual(ended('failure', 'sameValue'));
});

test('a command that was never sent has no result, and an accepted one cannot become unsent', () => {
  expect(NEW_EXECUTION).toEqual({ state: 'queued', result: 'waiting', reason: null });
  expect(nextExecution(accepted, { type: 'notSent', reason: 'deviceOffline' })).toBeNull();
});

test.each<[Execution, Parameters<typeof outcomeOf>[1], ExecutionResult]>([
  [sent, 'done', 'waiting'],
  [accepted, 'failed', 'waiting'],
  [ended('success', 'accepted'), null, 'success'],
  [ended('success', 'accepted'), 'underWay', 'waiting'],
  [ended('success', 'accepted'), 'failed', 'failure'],
  [ended('success', 'accepted'), 'timedOut', 'timeout'],
  [ended('timeout', 'noAnswer'), 'done', 'success'],
  [ended('failure', 'badAnswer'), 'underWay', 'waiting'],
  [ended('failure', 'badAnswer'), 'done', 'success'],
  [ended('failure', 'badAnswer'), 'failed', 'failure'],
  [ended('failure', 'rejected'), 'underWay', 'failure'],
  [ended('timeout', 'noAnswer'), 'underWay', 'timeout'],
])('the outcome of %j with a transfer that is %s is %s', (execution, file, outcome) => {
  expect(outcomeOf(execution, file)).toBe(outcome);
});
