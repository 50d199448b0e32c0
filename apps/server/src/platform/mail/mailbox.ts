/** Who a mail comes from: an address and the name shown beside it, which may be empty. */
export interface Mailbox {
  name: string;
  address: string;
}

/** RFC 5321 §4.5.3.1.3: a path of 256 octets, its two brackets included. */
const LONGEST_ADDRESS = 254;

/**
 * True for one bare address that can stand in a header and an SMTP command as it is: printable ASCII, one `@`, and none
 * of the characters by which a list, a comment or another header could begin. Stricter than RFC 5322 on purpose.
 */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= LONGEST_ADDRESS && /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text)
  );
}

/** True for a text that can stand in one header line: something to read, and no control character. */
export function isSubject(text: string): boolean {
  return text.trim() !== '' && text.length <= 200 && !/\p{Cc}/u.test(text);
}

/** Reads `address` or `Name <address>`; undefined when it is neither. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, name = '', address = ''] = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>)$/u.exec(text) ?? [undefined, '', text];
  return isMailAddress(address) ? { name: name.trim(), address } : undefined;
}
