import type { Violation } from '../ocpp/schemas.ts';

/** The range of an OCPP integer: 32-bit signed, although the schemas do not say so. */
const INTEGER = [-(2 ** 31), 2 ** 31 - 1] as const;

/** Limits that the schemas do not contain and the fleet needs for storing. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  connectorId: [0, 32_767],
  meterStart: INTEGER,
  meterStop: INTEGER,
  transactionId: INTEGER,
  reservationId: INTEGER,
};

/** The first number of a payload that is out of its range, or null. */
export function rangeViolation(payload: object): Violation | null {
  for (const field in payload) {
    const range = RANGES[field];
    if (!range) continue;
    const value = (payload as Record<string, unknown>)[field];
    if (typeof value === 'number' && value >= range[0] && value <= range[1]) continue;
    return {
      code: 'PropertyConstraintViolation',
      description: `${field} must be from ${range[0]} to ${range[1]}`,
      errors: [],
    };
  }
  return null;
}
