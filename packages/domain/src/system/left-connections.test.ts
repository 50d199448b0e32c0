import { expect, test } from 'vitest';
import { areLeftConnectionsOver, RETURN_ROUNDS } from './left-connections.ts';

test.each([
  ['left', 0, 1_000, false],
  ['left', RETURN_ROUNDS - 1, 1_000, false],
  ['left', RETURN_ROUNDS, RETURN_ROUNDS, true],
  ['replaced', RETURN_ROUNDS - 1, RETURN_ROUNDS - 1, false],
  ['replaced', RETURN_ROUNDS, RETURN_ROUNDS, true],
  ['expired', 0, RETURN_ROUNDS, true],
  ['expired', 5, RETURN_ROUNDS - 1, false],
] as const)('a process that %s, seen for %i rounds by a gateway that runs for %i: %s', (reason, seen, here, over) => {
  expect(areLeftConnectionsOver(reason, { seen, here })).toBe(over);
});
