/**
 * Characters that no text of the product may hold: control characters other than tab and line ends, which no screen
 * shows and PostgreSQL partly cannot store; the marks that turn or isolate the writing direction (Unicode Standard Annex
 * 9), with which one name can be dressed up as another; and halves of surrogate pairs. Letters of any script, right to
 * left ones included, and emoji with their joiners are welcome.
 */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}|[\u200B\uFEFF]|\p{Surrogate}/u;

/** The first character of a text that is not allowed, as `U+202E`; null when all are. */
export function forbiddenCharacter(text: string): string | null {
  const found = FORBIDDEN.exec(text)?.[0];
  if (found === undefined) return null;
  return `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
