/** Letters, digits and underscore, 6 to 32 (spec §5). */
export const USER_NAME_PATTERN = '^[A-Za-z0-9_]{6,32}$';

/** True when a user name obeys spec §5. */
export function isUserName(text: string): boolean {
  return new RegExp(USER_NAME_PATTERN).test(text);
}

/** What a password still lacks (spec §5: 8-32 characters with upper and lower case letters, digits and a special character). */
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
