import { expect, test } from 'vitest';
import { clockOf, findTimes, indexAfter, parseCast, parseSize, textOf, withoutPauses } from './cast.ts';

const file = (...events: unknown[]) =>
  [{ version: 2, width: 100, height: 30 }, ...events].map((line) => JSON.stringify(line)).join('\n');

test('a recording is read; broken lines are skipped, and times never go back', () => {
  const text = `${file([0.5, 'o', 'a'], [0.2, 'i', 'b'], [2, 'r', '80x20'], [3, 'x', '?'], ['4', 'o', 'c'])}\n[5,"o","cut`;
  expect(parseCast(text)).toEqual({
    ...{ cols: 100, rows: 30, duration: 2 },
    events: [
      { at: 0.5, kind: 'output', text: 'a' },
      { at: 0.5, kind: 'input', text: 'b' },
      { at: 2, kind: 'size', text: '80x20' },
    ],
  });
  expect(parseCast('')).toEqual({ cols: 80, rows: 24, events: [], duration: 0 });
  expect(parseCast('{"width":1e9,"height":-1}')).toMatchObject({ cols: 1_000, rows: 24 });
  expect([parseSize('80x20'), parseSize('80x'), parseSize('x;y')]).toEqual([{ cols: 80, rows: 20 }, null, null]);
});

test('pauses are shortened, and the event at a time is found', () => {
  const cast = parseCast(file([1, 'o', 'a'], [61, 'o', 'b'], [61.5, 'o', 'c']));
  expect(withoutPauses(cast, 2)).toMatchObject({ events: [{ at: 1 }, { at: 3 }, { at: 3.5 }], duration: 3.5 });
  expect([-1, 1, 60, 61, 99].map((at) => indexAfter(cast.events, at))).toEqual([0, 1, 1, 2, 3]);
});

test('a search finds words with colors, in several events, and with sequences that are split', () => {
  const { events } = parseCast(
    file(
      [1, 'o', 'al\u001b[31marm\u001b[0m one\r\n'],
      [2, 'o', 'AL'],
      [3, 'o', 'arm\u001b[3'],
      [4, 'o', '2m two \u001b]0;alarm\u0007 \u001b'],
      [5, 'o', '[1mala'],
      [6, 'o', '\u001b[0mrm'],
    ),
  );
  const text = textOf(events);
  expect(text.text).toBe('alarm one\nALarm two  alarm');
  expect(findTimes(events, text, 'alarm', 10)).toEqual([1, 3, 6]);
  expect(findTimes(events, text, 'alarm', 2)).toEqual([1, 3]);
  expect(findTimes(events, text, 'owned', 10)).toEqual([]);
  expect(findTimes(events, text, '', 10)).toEqual([]);
});

test('times of a recording', () => {
  expect([0, 65.9, 3_605].map(clockOf)).toEqual(['0:00', '1:05', '1:00:05']);
});
