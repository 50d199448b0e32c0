import { CODES } from '@chargehand/contract';
import { expect } from 'vitest';

/** The answer of a call that was refused, for the field at fault if that matters. */
export const refused = (name: keyof typeof CODES, field?: string) =>
  expect.objectContaining({ code: CODES[name].code, data: null, ...(field ? { field } : {}) });
