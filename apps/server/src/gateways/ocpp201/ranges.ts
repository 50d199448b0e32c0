import { connectorNumber } from '@chargehand/domain';
import type { Violation } from '../ocpp/schemas.ts';

/** OCPP integers are 32-bit signed, although the schemas do not say so. */
const INTEGER = [-(2 ** 31), 2 ** 31 - 1] as const;

/** Numbers that the fleet stores unchanged. A sequence number begins at 0 (OCPP 2.0.1 part 2 §1.60). */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  requestId: INTEGER,
  reservationId: INTEGER,
  seqNo: [0, INTEGER[1]],
};

/** The first number of a payload that the fleet cannot store, or null. The schemas do not limit the number of EVSEs. */
export function rangeViolation(payload: object): Violation | null {
  const given = payload as Record<string, unknown>;
  for (const [field, [least, most]] of Object.entries(RANGES)) {
    const value = given[field];
    if (value === undefined || (typeof value === 'number' && value >= least && value <= most)) continue;
    return violation(`${field} must be from ${least} to ${most}`);
  }
  const evse = (given.evse ?? {}) as { id?: unknown; connectorId?: unknown };
  const id = given.evseId ?? evse.id;
  const connector = given.connectorId ?? evse.connectorId;
  if (id === undefined) return null;
  if (connectorNumber(Number(id), connector === undefined ? undefined : Number(connector)) !== null) return null;
  return violation('EVSEs are numbered from 1 to 256, and their connectors from 1 to 127');
}

function violation(description: string): Violation {
  return { code: 'PropertyConstraintViolation', description, errors: [] };
}
