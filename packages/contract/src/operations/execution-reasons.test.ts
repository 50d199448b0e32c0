import { EXECUTION_REASONS } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { executionReasons } from './execution-reasons.ts';

test.each(EXECUTION_REASONS)('%s has a text in both languages', (reason) => {
  expect(executionReasons[reason].en).toMatch(/\.$/);
  expect(executionReasons[reason].zh).toMatch(/^[^a-z]+。$/);
});
