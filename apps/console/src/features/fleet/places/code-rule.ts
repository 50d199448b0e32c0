import { isPlaceCode } from '@chargehand/domain';

/** The form rule that a code has the right characters; an empty one is another rule's concern. */
export function codeRule(message: string) {
  return {
    validator: (_: unknown, text: string) =>
      !text?.trim() || isPlaceCode(text.trim()) ? Promise.resolve() : Promise.reject(new Error(message)),
  };
}
