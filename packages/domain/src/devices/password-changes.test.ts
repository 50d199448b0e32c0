import { expect, test } from 'vitest';
import { newPasswordOpens, passwordChangeState } from './password-changes.ts';

test.each([
  ['queued', 'waiting', 'waiting', true],
  ['sent', 'waiting', 'unknown', true],
  ['ended', 'timeout', 'unknown', true],
  ['ended', 'success', 'accepted', true],
  ['ended', 'failure', 'failed', false],
  ['ended', 'offline', 'failed', false],
] as const)('%s with result %s: %s, the new password is valid: %s', (state, result, expected, opens) => {
  expect(passwordChangeState({ state, result })).toBe(expected);
  expect(newPasswordOpens(expected)).toBe(opens);
});
