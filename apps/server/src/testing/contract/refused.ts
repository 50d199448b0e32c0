import { CODES } from '@chargehand/contract';
import { expect } from 'vitest';

/** The answer to a refused call, with the wrong field if that matters. */
export const refused = (name: keyof typeof CODES, field?: string) =>
  expect.objectContaining({ code: CODES[name].code, data: null, ...(field ? { field } : {}) });
