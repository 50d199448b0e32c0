/**
 * Characters that are not allowed in any text: control characters other than tab and line breaks, which are invisible
 * and which PostgreSQL partly cannot store; marks that change or isolate the writing direction (Unicode Standard Annex
 * 9), because they can make one name look like another; and lone surrogates. Letters of all scripts, including
 * right-to-left ones, and emoji with their joiners are allowed.
 */
const FORBIDDEN = /[[\p{Cc}--[\t\n\r]]\p{Bidi_Control}\u200B\uFEFF\p{Surrogate}]/v;
/** Also not allowed in a single-line text: tab, line breaks, and the line and paragraph separators of Unicode. */
const SEVERAL_LINES = /[\p{Cc}\p{Bidi_Control}\u200B\uFEFF\p{Surrogate}\u2028\u2029]/v;
/** The forbidden characters of both lists that a well-formed text can contain. */
const CONTROLS = /[[\p{Cc}--[\t\n\r]]\p{Bidi_Control}\u200B\uFEFF]/v;

/**
 * The first forbidden character of a text, as `U+202E`; null when there is none. The time is linear in the length of
 * the text.
 */
export function forbiddenCharacter(text: string): string | null {
  // Nearly every text is valid, and this check takes half the time.
  if (!CONTROLS.test(text) && text.isWellFormed()) return null;
  return codePointOf(FORBIDDEN.exec(text));
}

/** Like `forbiddenCharacter`, for a single-line text such as a name: tabs and line breaks are not allowed either. */
export function forbiddenInLine(text: string): string | null {
  return codePointOf(SEVERAL_LINES.exec(text));
}

function codePointOf(found: RegExpExecArray | null): string | null {
  if (found === null) return null;
  return `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
