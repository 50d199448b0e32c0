/** Six bytes with separators between their digits. */
const MOST_CHARACTERS = 23;

/** A MAC address as `00:1A:2B:3C:4D:5E`; null if the text is not one. Separators may be colons, hyphens, dots or none. */
export function macAddress(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const digits = text.replaceAll(/[:.-]/g, '').toUpperCase();
  return /^[0-9A-F]{12}$/.test(digits) ? (digits.match(/../g) ?? []).join(':') : null;
}

/** The MAC address that an identifier is, such as an SN or a client ID. Twelve decimal digits may be any number. */
export function macOfIdentifier(identifier: string): string | null {
  return /^\d*$/.test(identifier) ? null : macAddress(identifier);
}
