import type { ErrorSource } from '@chargehand/domain';

/** The cause that counts errors beyond the limits of a source. */
export function overflowFingerprint(source: ErrorSource, anonymous: boolean): string {
  return `overflow ${source}${anonymous ? ' anonymous' : ''}`;
}

export const OVERFLOW = { name: 'TooManyErrors', message: 'Errors of too many different causes', stack: null } as const;
