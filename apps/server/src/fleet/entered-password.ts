import { Problem } from '../platform/http/problem.ts';
import type { SealedFields } from '../ports/sealed-fields.ts';

/** Characters of a device password: what an AuthorizationKey may have (OCPP 1.6 security whitepaper). */
const DEVICE_PASSWORD_LENGTH = { min: 16, max: 40 } as const;

/**
 * A device password as it was entered, decrypted. null removes the password, undefined keeps it.
 * @throws {Problem} decryptionFailed, fieldTooShort, fieldTooLong
 */
export async function openDevicePassword(
  sealed: SealedFields,
  value: string | null | undefined,
): Promise<string | null | undefined> {
  if (value === null || value === undefined) return value;
  const field = 'gatewayPassword';
  const password = await sealed.open(field, value);
  const { min, max } = DEVICE_PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < min) throw new Problem('fieldTooShort', { field, values: { limit: min } });
  if (length > max) throw new Problem('fieldTooLong', { field, values: { limit: max } });
  return password;
}
