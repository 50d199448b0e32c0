import { expect, onTestFinished, test } from 'vitest';
import { CentralSystem } from '../testing/central-system.ts';
import { differencesOf, later } from './differences.ts';
import { RecordingError, readRecording } from './recording.ts';
import { replay } from './replay.ts';

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

test('a recorded command of a user is no difference when it does not come again; a request of the server is', async () => {
  const central = await CentralSystem.start();
  onTestFinished(() => central.stop());
  const sent = (id: string, action: string) => [
    { ...frame, direction: 'send', text: JSON.stringify([2, id, action, {}]) },
    { ...frame, text: JSON.stringify([3, id, { status: 'Accepted' }]) },
  ];
  const recording = readRecording(
    lines(
      { ...frame, direction: 'open', text: '' },
      ...sent('6b0f3a52-6c1e-4d2c-9d53-0a1f8d1c7e11', 'ClearCache'),
      ...sent('trigger-1', 'TriggerMessage'),
    ),
  );
  const { differences } = await replay(recording, { url: central.url, mqtt: '', timeoutMs: 10 });
  expect(differences.map(({ action, text }) => `${action}: ${text}`)).toEqual([
    'TriggerMessage: the server did not send this request',
  ]);
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
