/** The sender of a mail: an address and a display name, which may be empty. */
export interface Mailbox {
  name: string;
  address: string;
}

/** RFC 5321 §4.5.3.1.3: a path of 256 octets, including its two brackets. */
const LONGEST_ADDRESS = 254;

/**
 * True for one bare address that can be used unchanged in a header and an SMTP command: printable ASCII, one `@`, and
 * no character that could start a list, a comment or another header. Deliberately stricter than RFC 5322.
 */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= LONGEST_ADDRESS && /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text)
  );
}

/** Characters of a subject, not UTF-16 units. */
const LONGEST_SUBJECT = 200;
/** Characters that `cutSubject` leaves. */
const CUT_SUBJECT = 160;

/** True for a text that fits in one header line: not empty, and no control character or line separator. */
export function isSubject(text: string): boolean {
  return text.trim() !== '' && [...text].length <= LONGEST_SUBJECT && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

/** Makes a text of any length fit as a subject. Only an empty one does not fit. */
export function cutSubject(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...line].slice(0, CUT_SUBJECT).join('');
}

/** Reads `address` or `Name <address>`; undefined when it is neither. */
export function readMailbox(text: string): Mailbox | undefined {
  const start = text.indexOf('<');
  if (start === -1 || !text.endsWith('>')) return isMailAddress(text) ? { name: '', address: text } : undefined;
  const address = text.slice(start + 1, -1);
  const name = text.slice(0, start).trim().replace(/^"/, '').replace(/"$/, '').trim();
  return isMailAddress(address) && !/["<>\p{Cc}]/u.test(name) ? { name, address } : undefined;
}
