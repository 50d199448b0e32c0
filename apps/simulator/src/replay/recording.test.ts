import { expect, test } from 'vitest';
import { differencesOf, later } from './differences.ts';
import { RecordingError, readRecording } from './recording.ts';

const frame = { at: '2026-11-26T08:00:00.000Z', sn: 'A', protocol: 'ocpp1.6', direction: 'receive', text: '[]' };
const lines = (...frames: unknown[]) => frames.map((one) => `${JSON.stringify(one)}\n`).join('');

test('the frames of a recording are in the order of their times, also when the newest is first', () => {
  const at = (second: number) => `2026-11-26T08:00:0${second}.000Z`;
  const newestFirst = lines(
    { ...frame, at: at(2), text: 'c' },
    { ...frame, at: at(1), text: 'b' },
    { ...frame, at: at(1), text: 'a' },
  );
  expect(readRecording(newestFirst).map(({ text, line }) => `${text}${line}`)).toEqual(['a3', 'b2', 'c1']);
});

test.each([
  ['{', 'not JSON'],
  ['[]', 'not a JSON object'],
  [JSON.stringify({ ...frame, at: 'noon' }), '"at" must be a time, such as 2026-11-26T08:00:00.000Z'],
  [JSON.stringify({ ...frame, sn: '' }), '"sn" must be the SN of a device'],
  [
    JSON.stringify({ ...frame, protocol: 'soap' }),
    '"protocol" must be one of ocpp1.6, ocpp2.0.1, ocpp2.1, mqtt-json, sparkplug-b',
  ],
  [JSON.stringify({ ...frame, direction: 'up' }), '"direction" must be one of open, close, receive, send'],
  [JSON.stringify({ ...frame, messageId: 5 }), '"messageId" must be a text or null'],
  [JSON.stringify({ ...frame, text: null }), '"text" must be a text'],
])('the line %s is refused with its number', (line, problem) => {
  expect(() => readRecording(`${lines(frame)}\n${line}\n`)).toThrow(new RecordingError(`line 3: ${problem}`));
});

test('many bad lines are counted, and an empty file is refused', () => {
  expect(() => readRecording('x\n'.repeat(12))).toThrow(/line 10: not JSON\nand 2 more$/);
  expect(() => readRecording('\n')).toThrow('the file has no frames');
});

test('two responses differ by their values, not by their times', () => {
  const [one, other] = [frame.at, '2026-11-27T09:00:00Z'];
  expect(differencesOf({ at: one, list: [1, 2] }, { at: other, list: [1, 3], more: null }, new Set(['x']))).toEqual([
    'list.1 was 2, now 3',
    'more was missing, now null',
  ]);
  expect(differencesOf({ x: 1 }, { x: 2 }, new Set(['x']))).toEqual([]);
});

test('times move, and nothing else', () => {
  expect(later({ at: [frame.at], text: '2026-11-26', n: 5 }, 1_000)).toEqual({
    at: ['2026-11-26T08:00:01.000Z'],
    text: '2026-11-26',
    n: 5,
  });
});
