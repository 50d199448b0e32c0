import { exceededJsonLimit, jsonLimitSentence } from './json-limits.ts';
import { maySpeakOfSecrets, type SecretKeys, withoutSecrets } from './secrets.ts';

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
    // What is no JSON was understood by nobody: no value of a parameter can be told apart in it.
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
