import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fillTemplate,
  retrySend,
  type SendAnswer,
  TEMPLATE_PLACEHOLDERS,
  type TemplatePlaceholder,
  unknownPlaceholder,
  webhookTakes,
} from './channels.ts';

const failed: SendAnswer = { status: 500, text: '', accepted: false };

test.each<[number, Partial<SendAnswer>, number | null]>([
  [1, {}, 5],
  [2, {}, 30],
  [8, {}, 18_000],
  [9, {}, null],
  [1, { final: true }, null],
  [1, { gone: true }, null],
  [1, { retryAfterSeconds: 90 }, 90],
  [3, { retryAfterSeconds: 10 }, 120],
  [1, { retryAfterSeconds: 1e9 }, 21_600],
])('after attempt %i with %j the next one is in %j s', (attempts, answer, seconds) => {
  expect(retrySend(attempts, { ...failed, ...answer })).toBe(seconds);
});

test('attempts get further apart, end after nine, and never come before the time that the server asked for', () => {
  const answer = fc.record({
    ...{ status: fc.option(fc.integer({ min: 100, max: 599 })), text: fc.string(), accepted: fc.constant(false) },
    retryAfterSeconds: fc.integer({ min: 0, max: 100_000 }),
  });
  fc.assert(
    fc.property(fc.array(answer, { minLength: 9, maxLength: 9 }), (answers) => {
      const waits = answers.map((one, index) => retrySend(index + 1, one));
      const plain = answers.map((one, index) => retrySend(index + 1, { ...one, retryAfterSeconds: 0 }));
      expect(waits.pop()).toBeNull();
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(Math.min(answers[index]!.retryAfterSeconds, 21_600));
        expect(wait).toBeGreaterThanOrEqual(plain[index]!);
        expect(wait).toBeLessThanOrEqual(21_600);
        if (index > 0) expect(plain[index]!).toBeGreaterThan(plain[index - 1]!);
      }
    }),
  );
});

test('a final refusal, or a receiver that is gone, ends the attempts at once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.boolean(), fc.nat(), (attempts, final, retryAfterSeconds) => {
      expect(retrySend(attempts, { ...failed, retryAfterSeconds, ...(final ? { final } : { gone: true }) })).toBeNull();
    }),
  );
});

describe('a webhook', () => {
  const filter = { customerId: 1, types: [], siteIds: [] };
  const message = { type: 'fault', customerId: 1, siteId: 7, named: false } as const;
  test.each([
    ['takes everything of its customer by default', {}, {}, true],
    ['takes nothing of another customer', {}, { customerId: 2 }, false],
    ['takes nothing without a customer', {}, { customerId: null }, false],
    ['takes nothing that is meant for some users', {}, { named: true }, false],
    ['takes its types', { types: ['fault' as const] }, {}, true],
    ['leaves out other types', { types: ['alarmOA' as const] }, {}, false],
    ['takes its sites', { siteIds: [7] }, {}, true],
    ['leaves out other sites', { siteIds: [8] }, {}, false],
    ['leaves out what has no site', { siteIds: [7] }, { siteId: null }, false],
  ])('%s', (_title, change, about, takes) => {
    expect(webhookTakes({ ...filter, ...change }, { ...message, ...about })).toBe(takes);
  });
});

describe('a template', () => {
  const none = Object.fromEntries(TEMPLATE_PLACEHOLDERS.map((name) => [name, ''])) as Record<
    TemplatePlaceholder,
    string
  >;
  test.each([
    ['{title} · {site}', { title: 'Fault', site: 'Quay' }, 'Fault · Quay'],
    ['{title} · {site}', { title: 'Fault' }, 'Fault'],
    ['{title}\n{devices}\n{link}', { title: 'Fault', link: 'https://x' }, 'Fault\nhttps://x'],
    ['{title}\n\nBye', { title: 'Fault' }, 'Fault\n\nBye'],
    ['Since {since}: {title}', { title: 'Fault' }, 'Since : Fault'],
    ['{title}', { title: 'a\r\nBcc: eve@example.org\u2028<b>' }, 'a Bcc: eve@example.org <b>'],
    ['{title}', { title: '{site}', site: 'Quay' }, '{site}'],
    ['{ "a": 1 } {title}', { title: 'Fault' }, '{ "a": 1 } Fault'],
  ])('%j with %j is %j', (text, values, filled) => {
    expect(fillTemplate(text, { ...none, ...values })).toBe(filled);
  });

  test.each([
    ['{title} {nam}', 'nam'],
    ['{constructor}', 'constructor'],
    ['{title} { x } {}', null],
    ['{{title}}', null],
  ])('%j: the unknown placeholder is %j', (text, name) => expect(unknownPlaceholder(text)).toBe(name));
});
