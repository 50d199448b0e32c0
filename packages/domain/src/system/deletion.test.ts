import { expect, test } from 'vitest';
import { decideDeletion, detachedPartition, newestFactOf } from './deletion.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-03-10T12:00:00Z');
const after = (ms: number, from = NOW) => new Date(from.getTime() + ms);
const days = (count: number) => after(count * DAY_MS);

test.each([
  ['all agree', NOW, NOW, NOW, { at: NOW, behindDays: 0 }],
  ['nothing is stored', NOW, NOW, null, { at: NOW, behindDays: 0 }],
  ['the server is 59 s ahead', after(59_000), NOW, NOW, { at: NOW, behindDays: 0 }],
  ['the server is 59 s behind', after(-59_000), NOW, NOW, { at: after(-59_000), behindDays: 0 }],
  ['the clocks differ by a minute', after(60_000), NOW, NOW, { at: NOW, behindDays: 0 }],
  ['the clocks differ by more', after(60_001), NOW, NOW, { at: null, differSeconds: 60 }],
  ['the server is 40 days ahead', days(40), NOW, NOW, { at: null, differSeconds: 40 * 86_400 }],
  ['the server is 500 days ahead', days(500), NOW, NOW, { at: null, differSeconds: 500 * 86_400 }],
  ['the database is 40 days ahead', NOW, days(40), NOW, { at: null, differSeconds: 40 * 86_400 }],
  ['the database is 40 days behind', NOW, days(-40), NOW, { at: null, differSeconds: 40 * 86_400 }],
  ['both are 40 days ahead', days(40), days(40), NOW, { at: days(1), behindDays: 39 }],
  ['both are 500 days ahead', days(500), days(500), NOW, { at: days(1), behindDays: 499 }],
  ['no fact for a day', days(1), days(1), NOW, { at: days(1), behindDays: 0 }],
  ['a fact of the future', NOW, NOW, days(3), { at: NOW, behindDays: 0 }],
  ['a clock that cannot be read', new Date(Number.NaN), NOW, NOW, { at: null, differSeconds: Number.NaN }],
])('when %s', (_, server, database, newestFact, decision) => {
  expect(decideDeletion({ server, database, newestFact })).toEqual(decision);
});

test.each([
  ['at the start', 0, NOW, days(40), NOW],
  ['after an hour, what was stored at the start counts', 3_600_000, NOW, days(40), after(3_600_000)],
  ['after a day, everything counts', DAY_MS, NOW, days(40), days(40)],
  ['of a new installation', 0, null, NOW, null],
])('the newest fact %s', (_, ms, atStart, now, fact) => {
  expect(newestFactOf({ ms, atStart, now })).toEqual(fact);
});

test.each([
  ['detached now', days(-30), NOW, 'keep'],
  ['detached 23 hours ago', days(-30), after(-23 * 3_600_000), 'keep'],
  ['detached a day ago', days(-30), days(-1), 'drop'],
  ['detached in the future, by a wrong clock', days(-30), days(40), 'keep'],
  ['within the retention again', days(-1), days(-2), 'attach'],
])('a partition %s', (_, until, detachedAt, next) => {
  expect(detachedPartition({ until, detachedAt }, { at: NOW, keptSince: days(-7) })).toBe(next);
});
