import { isPlaceCode } from '@chargehand/domain';

/** The form rule for valid characters of a code. Another rule handles the empty field. */
export function codeRule(message: string) {
  return {
    validator: (_: unknown, text: string) =>
      !text?.trim() || isPlaceCode(text.trim()) ? Promise.resolve() : Promise.reject(new Error(message)),
  };
}
