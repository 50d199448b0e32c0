import { Problem } from '../problem.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The value of the header Idempotency-Key in lower case. @throws {Problem} unless it is a UUID */
export function requestKey(value: string | string[]): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
  throw new Problem('fieldFormat', { field: 'Idempotency-Key', values: { expected: 'UUID' } });
}
