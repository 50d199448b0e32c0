import { exceededJsonLimit, jsonLimitSentence } from './json-limits.ts';
import { containsMarked, mayContainSecrets, type SecretKeys, withoutSecrets } from './secrets.ts';

/** The maximum number of characters of a frame in the protocol log. */
export const STORED_CHARACTERS = 65_536;

/** A frame as the protocol log stores and shows it: values of secret parameters masked, everything else unchanged. */
export function frameWithoutSecrets(body: string | null, marked: SecretKeys | null): string | null {
  if (body === null || !mayContainSecrets(body, marked)) return body;
  // Masking the secret in such a frame could exhaust the stack or take too long, and the frame was rejected on receipt.
  const exceeded = exceededJsonLimit(body);
  if (exceeded !== null) return `(not kept, as it may hold a secret: ${jsonLimitSentence(exceeded)})`;
  try {
    const frame: unknown = JSON.parse(body);
    const masked = withoutSecrets(frame, marked);
    return masked === frame ? body : JSON.stringify(masked);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Text that is not JSON was not processed, unless it was cut when it was stored: a secret cannot be found in it
    // then.
    const cut = body.length >= STORED_CHARACTERS - 1 && containsMarked(body, marked);
    return cut ? '(not shown, as it was cut and may hold a secret)' : body;
  }
}
