import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALARM_SOURCES,
  afterAcknowledgement,
  afterClear,
  afterMaintenance,
  afterReport,
  type Episode,
  FLAP_WINDOW_MS,
} from './episodes.ts';

type Report = Parameters<typeof afterReport>[1];

const active: Episode = {
  raisedAt: 1_000,
  lastAt: 2_000,
  clearedAt: null,
  repeats: 2,
  reopened: 0,
  suppressed: false,
  acknowledged: true,
  source: 'status',
};
const cleared: Episode = { ...active, clearedAt: 5_000 };
const seen: Report = { at: 9_000, suppressed: false, source: 'status' };

describe('a report', () => {
  test.each<[string, Episode | null, Report, Partial<Episode>, boolean]>([
    ['starts the first episode', null, seen, { raisedAt: 9_000, lastAt: 9_000, repeats: 0, clearedAt: null }, true],
    ['starts a suppressed one during maintenance', null, { ...seen, suppressed: true }, { suppressed: true }, true],
    ['repeats the active one', active, seen, { raisedAt: 1_000, lastAt: 9_000, repeats: 3, reopened: 0 }, false],
    ['that arrives late repeats it, too', active, { ...seen, at: 1_500 }, { lastAt: 2_000, repeats: 3 }, false],
    ['does not suppress an episode that counts', active, { ...seen, suppressed: true }, { suppressed: false }, false],
    ['after maintenance lets it count', { ...active, suppressed: true }, seen, { suppressed: false }, false],
    ['within the window continues it', cleared, seen, { clearedAt: null, reopened: 1, acknowledged: true }, false],
    [
      'at the end of the window still continues it',
      cleared,
      { ...seen, at: 5_000 + FLAP_WINDOW_MS },
      { reopened: 1, raisedAt: 1_000 },
      false,
    ],
    [
      'after the window starts a new one',
      cleared,
      { ...seen, at: 5_001 + FLAP_WINDOW_MS },
      { reopened: 0, repeats: 0, acknowledged: false },
      true,
    ],
    ['by the device itself becomes its source', active, { ...seen, source: 'device' }, { source: 'device' }, false],
    [
      'from a less precise source does not change its source',
      { ...active, source: 'rule' },
      seen,
      { source: 'rule' },
      false,
    ],
    ['that continues it becomes its source', { ...cleared, source: 'device' }, seen, { source: 'status' }, false],
    [
      'that raises it again during maintenance suppresses it',
      cleared,
      { ...seen, suppressed: true },
      { suppressed: true },
      false,
    ],
  ])('%s', (_, last, report, expected, begun) => {
    const after = afterReport(last, report);
    expect(after.episode).toMatchObject(expected);
    expect(after.begun).toBe(begun);
  });
});

test.each<[string, Episode, number, number | null]>([
  ['at the time of the report', active, 9_000, 9_000],
  ['never before its last report', active, 1_500, 2_000],
  ['once only', cleared, 9_000, 5_000],
  ['only by its own source', { ...active, source: 'device' }, 9_000, null],
])('it ends %s', (_, episode, at, clearedAt) => {
  expect(afterClear(episode, at, 'status').clearedAt).toBe(clearedAt);
});

test('after maintenance, active alarms count and cleared ones do not', () => {
  expect(afterMaintenance({ ...active, suppressed: true }).suppressed).toBe(false);
  expect(afterMaintenance({ ...cleared, suppressed: true }).suppressed).toBe(true);
});

describe('any events in any order', () => {
  const event = fc.record({
    type: fc.constantFrom('report', 'clear', 'maintenance over', 'acknowledge'),
    at: fc.integer({ min: 0, max: 4 * FLAP_WINDOW_MS }),
    suppressed: fc.boolean(),
    source: fc.constantFrom(...ALARM_SOURCES),
  });

  test('an episode counts every report, never ends before its last one, and a new one starts only after the window', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const episodes: Episode[] = [];
        let reports = 0;
        for (const { type, at, suppressed, source } of events) {
          const last = episodes.at(-1) ?? null;
          if (type === 'report') {
            reports += 1;
            const { episode, begun } = afterReport(last, { at, suppressed, source });
            if (begun) {
              if (last) expect(at - (last.clearedAt as number)).toBeGreaterThan(FLAP_WINDOW_MS);
              episodes.push(episode);
            } else episodes[episodes.length - 1] = episode;
          } else if (last) {
            const next =
              type === 'clear'
                ? afterClear(last, at, source)
                : type === 'acknowledge'
                  ? afterAcknowledgement(last)
                  : afterMaintenance(last);
            episodes[episodes.length - 1] = next;
          }
          expect(episodes.slice(0, -1).every(({ clearedAt }) => clearedAt !== null)).toBe(true);
        }
        expect(episodes.reduce((sum, { repeats }) => sum + repeats + 1, 0)).toBe(reports);
        for (const { raisedAt, lastAt, clearedAt, repeats, reopened } of episodes) {
          expect(lastAt).toBeGreaterThanOrEqual(raisedAt);
          if (clearedAt !== null) expect(clearedAt).toBeGreaterThanOrEqual(lastAt);
          expect(reopened).toBeLessThanOrEqual(repeats);
        }
      }),
    );
  });

  test('clearing twice has the same effect as clearing once', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (one, two) => {
        const once = afterClear(active, one, 'status');
        expect(afterClear(once, two, 'status')).toEqual(once);
      }),
    );
  });
});
