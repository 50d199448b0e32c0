import { withoutEnds } from '../text/scan/scan.ts';

/** Letters, digits and underscore, 6 to 32 (spec §5). */
export const USER_NAME_PATTERN = '^[A-Za-z0-9_]{6,32}$';

/** True when a user name is valid (spec §5). */
export function isUserName(text: string): boolean {
  return new RegExp(USER_NAME_PATTERN).test(text);
}

/**
 * The form in which names and addresses are compared: ASCII letters in lower case, everything else unchanged. Full
 * Unicode lower case differs between JavaScript and PostgreSQL (`İ` is two characters in one and one in the other), so
 * that one account could have several names.
 */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The form in which a user name is looked up and counted; null for a text that cannot be a user name. */
export function userNameKey(text: string): string | null {
  return isUserName(text) ? foldCase(text) : null;
}

/**
 * What a password still needs (spec §5: 8-32 characters with upper and lower case letters, digits and a special
 * character).
 */
export type PasswordLack = 'length' | 'upper' | 'lower' | 'digit' | 'special';

/** The rules of spec §5 that a password does not meet yet; an empty list means it is strong enough. */
export function passwordLacks(password: string): PasswordLack[] {
  const lacks: PasswordLack[] = [];
  const length = [...password].length;
  if (length < 8 || length > 32) lacks.push('length');
  if (!/\p{Lu}/u.test(password)) lacks.push('upper');
  if (!/\p{Ll}/u.test(password)) lacks.push('lower');
  if (!/\p{Nd}/u.test(password)) lacks.push('digit');
  if (!/[^\p{L}\p{N}\s]/u.test(password)) lacks.push('special');
  return lacks;
}

/**
 * Why a new password is refused: it lacks a rule of spec §5, or it is shorter than `least`, the number of characters that
 * the installation requires. Null when neither holds.
 */
export function passwordFault(password: string, least: number): 'weak' | 'short' | null {
  if (passwordLacks(password).length > 0) return 'weak';
  return [...password].length < least ? 'short' : null;
}

/** Characters that are used in place of letters, also known to password crackers. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i' },
};

/** User names shorter than this are ignored in passwords, because they occur in many words by chance. */
const SHORTEST_NAME = 4;

/**
 * True for a password that attackers try first: a common one; a common one with capitals, digits and special characters
 * at its ends or in place of letters; or one that contains a name of the account or of the product.
 * @param common lower-case passwords, most of them without digits and special characters
 * @param names of the account: user name, nickname, the part of the email before `@`
 */
export function isGuessable(password: string, common: ReadonlySet<string>, names: readonly string[]): boolean {
  const plain = foldCase(password);
  const spelled = plain.replace(/[013457@$!]/g, (sign) => SUBSTITUTES[sign] ?? sign);
  const bare = (text: string) => withoutEnds(text, (code) => code < 0x61 || code > 0x7a);
  const forms = [plain, spelled, bare(plain), bare(spelled), plain.replace(/[^a-z0-9]+/g, ''), bareOf(plain, bare)];
  if (forms.some((form) => form.length >= SHORTEST_NAME && common.has(form))) return true;
  const known = [...names, 'chargehand'].map(foldCase).filter((name) => name.length >= SHORTEST_NAME);
  return known.some((name) => plain.includes(name) || spelled.includes(name));
}

/** The letters between the ends, with substitutes replaced by letters: `password` for `P@ssw0rd1!`. */
function bareOf(plain: string, bare: (text: string) => string): string {
  return bare(plain).replace(/[013457@$!]/g, (sign) => SUBSTITUTES[sign] ?? sign);
}
