/**
 * Characters that no text of the product may hold: control characters other than tab and line ends, which no screen
 * shows and PostgreSQL partly cannot store; the marks that turn or isolate the writing direction (Unicode Standard Annex
 * 9), with which one name can be dressed up as another; and halves of surrogate pairs. Letters of any script, right to
 * left ones included, and emoji with their joiners are welcome.
 */
const FORBIDDEN = /[[\p{Cc}--[\t\n\r]]\p{Bidi_Control}\u200B\uFEFF\p{Surrogate}]/v;
/**
 * What is also forbidden in a text of one line: tab, line ends, and the line and paragraph separators of
 * Unicode.
 */
const SEVERAL_LINES = /[\p{Cc}\p{Bidi_Control}\u200B\uFEFF\p{Surrogate}\u2028\u2029]/v;
/** The forbidden characters of both lists that a well-formed text can hold. */
const CONTROLS = /[[\p{Cc}--[\t\n\r]]\p{Bidi_Control}\u200B\uFEFF]/v;

/** The first character of a text that is not allowed, as `U+202E`; null when all are. Takes time with the length of the text. */
export function forbiddenCharacter(text: string): string | null {
  // Nearly every text is clean, and this finds out in half the time.
  if (!CONTROLS.test(text) && text.isWellFormed()) return null;
  return codePointOf(FORBIDDEN.exec(text));
}

/** As `forbiddenCharacter`, for a text that stands on one line, such as a name: no tab and no line end either. */
export function forbiddenInLine(text: string): string | null {
  return codePointOf(SEVERAL_LINES.exec(text));
}

function codePointOf(found: RegExpExecArray | null): string | null {
  if (found === null) return null;
  return `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
