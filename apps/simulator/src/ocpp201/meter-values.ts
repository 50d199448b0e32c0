import type { Payload } from '../wire/wire.ts';

/** Measurands that OCPP 2.0.1 does not define: temperatures are variables there. */
const UNKNOWN: ReadonlySet<unknown> = new Set(['Temperature', 'RPM']);

/** Converts meter values of OCPP 1.6 to OCPP 2.0.1: numbers instead of texts, and the unit as an object. */
export function meterValues(given: unknown): Payload[] {
  return (given as { timestamp: string; sampledValue: Payload[] }[]).map(({ timestamp, sampledValue }) => ({
    timestamp,
    sampledValue: sampledValue
      .filter(({ measurand }) => !UNKNOWN.has(measurand))
      .map(({ value, unit, ...rest }) => ({
        ...rest,
        value: Number(value),
        ...(unit === undefined ? {} : { unitOfMeasure: { unit } }),
      })),
  }));
}
