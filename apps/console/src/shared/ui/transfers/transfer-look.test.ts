import { TRANSFER_KINDS, TRANSFER_STATES } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { partMoved, STATE_LOOKS, stepsDone, stepsOf } from './transfer-look.ts';

test('every state has a look, and every kind ends in its success', () => {
  expect(Object.keys(STATE_LOOKS).sort()).toEqual([...TRANSFER_STATES].sort());
  expect(TRANSFER_KINDS.map((kind) => stepsOf({ kind }).at(-1))).toEqual(['verified', 'verified', 'stored']);
});

test.each([
  ['software', 'requested', [], 1],
  ['software', 'installing', ['downloading', 'downloaded'], 4],
  ['software', 'verified', [], 6],
  ['software', 'failed', ['downloading', 'downloaded'], 3],
  ['log', 'uploaded', [], 2],
  ['log', 'stored', ['uploading'], 3],
  ['log', 'timedOut', [], 1],
] as const)('%s %s after %j has completed %i steps', (kind, state, before, expected) => {
  const reports = before.map((one) => ({ at: '', word: '', state: one }));
  expect(stepsDone({ kind, state, reports })).toBe(expected);
});

test('the progress of a file of unknown size is unknown', () => {
  expect(partMoved({ size: null, bytes: 5 })).toBe(null);
  expect(partMoved({ size: 10, bytes: 5 })).toBe(0.5);
});
