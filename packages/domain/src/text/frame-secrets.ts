import { exceededJsonLimit, jsonLimitSentence } from './json-limits.ts';
import { maySpeakOfSecrets, type SecretKeys, speaksOfMarked, withoutSecrets } from './secrets.ts';

/** The protocol log keeps the text of a frame up to this many characters. */
export const STORED_CHARACTERS = 65_536;

/** A frame as the protocol log may keep and show it: values of secret parameters masked, everything else to the letter. */
export function frameWithoutSecrets(body: string | null, marked: SecretKeys | null): string | null {
  if (body === null || !maySpeakOfSecrets(body, marked)) return body;
  // Walking through it to mask the secret would run out of stack or time; and it was refused when it came.
  const exceeded = exceededJsonLimit(body);
  if (exceeded !== null) return `(not kept, as it may hold a secret: ${jsonLimitSentence(exceeded)})`;
  try {
    const frame: unknown = JSON.parse(body);
    const masked = withoutSecrets(frame, marked);
    return masked === frame ? body : JSON.stringify(masked);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // What is no JSON was understood by nobody, unless it was cut when it was stored: there a secret cannot be found.
    const cut = body.length >= STORED_CHARACTERS - 1 && speaksOfMarked(body, marked);
    return cut ? '(not shown, as it was cut and may hold a secret)' : body;
  }
}
