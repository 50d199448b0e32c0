import { describe, expect, test } from 'vitest';
import { textOfContent } from '../documents/content.ts';
import type { IssueRemedy, IssueStatus } from './issues.ts';
import {
  contentOfText,
  isReporterContact,
  plainTextOf,
  type ReportAlarm,
  type ReportIssue,
  type ReportStatus,
  type ReportTarget,
  reportFileFault,
  reportStatus,
  reportTarget,
  reportTitle,
} from './reports.ts';

test.each<[IssueStatus, IssueRemedy | null, ReportStatus]>([
  ['open', null, 'received'],
  ['pending', null, 'working'],
  ['reopen', 'replaced', 'workingAgain'],
  ['closed', 'replaced', 'fixed'],
  ['closed', 'recovered', 'fixed'],
  ['closed', 'none', 'closed'],
  ['closed', 'instructed', 'closed'],
  ['closed', null, 'closed'],
])('an issue that is %s with the remedy %s is %s for its reporter', (status, remedy, expected) => {
  expect(reportStatus(status, remedy)).toBe(expected);
});

test.each([
  ['someone@example.org', true],
  ['+852 1234 5678', true],
  ['13800138000', true],
  ['(020) 8123-4567', true],
  ['someone', false],
  ['a@b@c', false],
  ['@example.org', false],
  ['12', false],
  ['+--------', false],
  ['javascript:alert(1)', false],
])('the contact %j: %s', (contact, expected) => {
  expect(isReporterContact(contact)).toBe(expected);
});

describe('a report', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const alarm = (id: number, change: Partial<ReportAlarm> = {}): ReportAlarm => ({
    ...{ id, connector: 1, level: 'MA', raisedAt: at(id), issueId: null, ...change },
  });
  const issue = (id: number, change: Partial<ReportIssue> = {}): ReportIssue => ({
    ...{ id, type: 1, connectors: [], ...change },
  });
  test.each<[string, number | null, ReportAlarm[], ReportIssue[], ReportTarget]>([
    ['of nothing known is new', 1, [], [], null],
    ['joins the issue of an alarm', 1, [alarm(1, { issueId: 7 })], [], { issueId: 7 }],
    ['gets the new issue of an alarm', 1, [alarm(1)], [], { alarmId: 1 }],
    ['does not join an alarm of another connector', 2, [alarm(1)], [], null],
    ['joins an alarm of the device', 2, [alarm(1, { connector: 0 })], [], { alarmId: 1 }],
    ['without a connector joins any alarm', null, [alarm(1)], [], { alarmId: 1 }],
    ['joins the most serious alarm', 1, [alarm(3), alarm(1, { level: 'CA' }), alarm(2)], [], { alarmId: 1 }],
    ['joins the newest of equal alarms', 1, [alarm(1), alarm(2)], [], { alarmId: 2 }],
    ['joins an open issue of its type', 1, [], [issue(8)], { issueId: 8 }],
    ['does not join an issue of another type', 1, [], [issue(8, { type: 3 })], null],
    ['does not join an issue of another connector', 1, [], [issue(8, { connectors: [2] })], null],
    ['joins an issue of its connector', 1, [], [issue(8, { connectors: [2, 1] })], { issueId: 8 }],
    ['prefers an alarm to an issue', 1, [alarm(1)], [issue(8)], { alarmId: 1 }],
  ])('%s', (_title, connector, alarms, issues, expected) => {
    expect(reportTarget({ type: 1, connector }, alarms, issues)).toEqual(expected);
  });

  test('of something that is not about the device joins nothing', () => {
    expect(reportTarget({ type: 4, connector: 1 }, [alarm(1)], [issue(8, { type: 4 })])).toBeNull();
  });
});

test.each([
  ['Does not start', 'Does not start'],
  ['\n  Two\t words \nmore', 'Two words'],
  ['  ', ''],
  ['充'.repeat(90), `${'充'.repeat(79)}…`],
  [`${'word '.repeat(30)}`, `${'word '.repeat(15).trim()}…`],
  ['🔌'.repeat(81), `${'🔌'.repeat(79)}…`],
])('the title of %j is %j', (description, title) => {
  expect(reportTitle(description)).toBe(title);
});

test('a text becomes a content and the text again, without markup', () => {
  const text = 'First <b>line</b>\n\nThird line';
  const content = contentOfText(text);
  expect(textOfContent(content)).toBe(text);
  const image = { type: 'image', attrs: { file: '7', alt: 'photo.jpg' } };
  expect(plainTextOf({ ...content, content: [...content.content, image] })).toBe(text);
});

test.each<[string, string[], string, ReturnType<typeof reportFileFault>]>([
  ['a photo', [], 'a.jpg', null],
  ['the fifth photo', Array(4).fill('a.jpg'), 'b.png', null],
  ['the sixth photo', Array(5).fill('a.jpg'), 'b.png', 'tooMany'],
  ['a video', [], 'a.mp4', null],
  ['a video beside a photo', ['a.jpg'], 'a.mp4', 'tooMany'],
  ['a photo beside a video', ['a.mp4'], 'a.jpg', 'tooMany'],
  ['a page', [], 'a.html', 'type'],
  ['a document', [], 'a.pdf', 'type'],
])('%s is accepted or refused', (_title, names, name, expected) => {
  expect(reportFileFault(names, name)).toBe(expected);
});
