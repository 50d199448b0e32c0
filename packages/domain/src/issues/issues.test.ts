import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVIDENCE_LIMITS, framesWithin } from './evidence.ts';
import { issueFileStep } from './issue-files.ts';
import { type IssueMoment, type IssueReminder, issueReminder, issueTimes, nextIssueReminder } from './issue-times.ts';
import {
  ISSUE_ACTIONS,
  ISSUE_STATUSES,
  type IssueAction,
  type IssueStatus,
  issueLabels,
  issueStatusAfter,
} from './issues.ts';

const START = new Date('2026-11-23T08:00:00Z');
const hours = (count: number) => new Date(START.getTime() + count * 3_600_000);

describe('the status of an issue', () => {
  test.each<[IssueStatus, Record<IssueAction, IssueStatus | null>]>([
    ['open', { start: 'pending', comment: 'open', close: 'closed', commentAndClose: 'closed', reopen: null }],
    ['pending', { start: null, comment: 'pending', close: 'closed', commentAndClose: 'closed', reopen: null }],
    ['closed', { start: null, comment: 'closed', close: null, commentAndClose: null, reopen: 'reopen' }],
    ['reopen', { start: 'pending', comment: 'reopen', close: 'closed', commentAndClose: 'closed', reopen: null }],
  ])('%s', (status, after) => {
    for (const action of ISSUE_ACTIONS)
      expect([action, issueStatusAfter(status, action)]).toEqual([action, after[action]]);
  });

  test('every status is reached from open, a comment keeps it, and an open issue can always be closed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ISSUE_ACTIONS), { maxLength: 30 }), (actions) => {
        let status: IssueStatus = 'open';
        for (const action of actions) status = issueStatusAfter(status, action) ?? status;
        expect(ISSUE_STATUSES).toContain(status);
        expect(issueStatusAfter(status, 'comment')).toBe(status);
        expect(issueStatusAfter(status, status === 'closed' ? 'reopen' : 'close')).not.toBeNull();
      }),
    );
  });
});

describe('response and resolution time', () => {
  const moment = (at: number, kind: IssueMoment['kind'], byReporter = false): IssueMoment => ({
    ...{ at: hours(at), kind, byReporter },
  });
  test.each<[string, IssueMoment[], number | null, number | null]>([
    ['nobody answered', [], null, null],
    ['only the reporter commented', [moment(1, 'comment', true)], null, null],
    ['somebody commented', [moment(1, 'comment', true), moment(2, 'comment')], 2, null],
    ['work was started', [moment(3, 'start')], 3, null],
    ['the reporter closed it', [moment(4, 'close', true)], 4, 4],
    ['closed after an answer', [moment(1, 'comment'), moment(5, 'close')], 1, 5],
    ['reopened', [moment(1, 'close'), moment(3, 'reopen')], 1, null],
    [
      'closed again: the time in between does not count',
      [moment(1, 'close'), moment(3, 'reopen'), moment(6, 'close')],
      1,
      4,
    ],
    ['closed twice by two users', [moment(1, 'close'), moment(2, 'close')], 1, 1],
    ['in any order', [moment(6, 'close'), moment(3, 'reopen'), moment(1, 'close')], 1, 4],
  ])('%s', (_, moments, response, resolution) => {
    const times = issueTimes(START, moments);
    const inHours = (ms: number | null) => (ms === null ? null : ms / 3_600_000);
    expect([inHours(times.responseMs), inHours(times.resolutionMs)]).toEqual([response, resolution]);
  });

  test('do not depend on the order, and no resolution is longer than the time until the last close', () => {
    const any = fc.record({
      at: fc.integer({ min: 0, max: 500 }).map(hours),
      kind: fc.constantFrom<IssueMoment['kind']>('comment', 'start', 'close', 'reopen'),
      byReporter: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ at }) => at.getTime(), maxLength: 20 }), (moments) => {
        const times = issueTimes(START, moments);
        expect(issueTimes(START, moments.toReversed())).toEqual(times);
        const last = Math.max(0, ...moments.filter(({ kind }) => kind === 'close').map(({ at }) => at.getTime()));
        if (times.resolutionMs !== null) expect(times.resolutionMs).toBeLessThanOrEqual(last - START.getTime());
      }),
    );
  });
});

describe('reminders', () => {
  test.each<[string, number | null, IssueReminder | null, number, IssueReminder | null]>([
    ['no due date', null, null, 0, null],
    ['long before', 72, null, 0, null],
    ['one day before', 24, null, 0, 'soon'],
    ['one day before, reminded', 24, 'soon', 0, null],
    ['due', 0, 'soon', 0, 'overdue'],
    ['due, never reminded', 0, null, 0, 'overdue'],
    ['long overdue', -100, 'overdue', 0, null],
  ])('%s', (_, due, sent, now, reminder) => {
    expect(issueReminder(due === null ? null : hours(due), sent, hours(now))).toBe(reminder);
  });

  test('the next one is sent when it is due, and not before', () => {
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 500 }), fc.constantFrom(null, 'soon' as const), (due, sent) => {
        const next = nextIssueReminder(hours(due), sent);
        expect(next && issueReminder(hours(due), sent, next)).toBeTruthy();
        expect(next && issueReminder(hours(due), sent, new Date(next.getTime() - 1))).toBeNull();
      }),
    );
    expect(nextIssueReminder(hours(1), 'overdue')).toBeNull();
    expect(nextIssueReminder(null, null)).toBeNull();
  });
});

test.each([
  [[' Cable ', 'cable', ''], ['Cable']],
  [
    ['ＡＢＣ', 'a  b'],
    ['ABC', 'a b'],
  ],
])('the labels %j are stored as %j', (entered, stored) => {
  expect(issueLabels(entered)).toEqual(stored);
});

describe('the frames of the evidence', () => {
  test.each([
    ['fit', [10, 20], { kept: 2, complete: true }],
    ['are too many', [1, 1, 1, 1], { kept: 3, complete: false }],
    ['are too large together', [60, 50, 1], { kept: 1, complete: false }],
  ])('%s', (_, sizes, { kept, complete }) => {
    const result = framesWithin(
      sizes.map((size) => ({ size })),
      { frames: 3, frameBytes: 100 },
    );
    expect({ kept: result.kept.length, complete: result.complete }).toEqual({ kept, complete });
  });

  test('never exceed the limits', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 })), (sizes) => {
        const { kept } = framesWithin(sizes.map((size) => ({ size })));
        expect(kept.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(EVIDENCE_LIMITS.frameBytes);
      }),
    );
  });
});

describe('a file that a text names', () => {
  const file = { ofIssue: false, allowed: true, ofFirmware: false, draft: false };
  test.each([
    ['a file of the library', {}, 'copy'],
    ['a draft', { draft: true }, 'move'],
    ['a file of the issue', { ofIssue: true, allowed: false }, 'keep'],
    ['a file that the author may not download', { allowed: false, draft: true }, 'leave'],
    ['firmware', { ofFirmware: true }, 'leave'],
  ] as const)('%s', (_, more, step) => expect(issueFileStep({ ...file, ...more })).toBe(step));
});
