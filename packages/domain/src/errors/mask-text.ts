import { endOfRun, isLetter, isLineEnd, isSpace, isTokenSign, isWordSign, Rewriter } from '../text/scan/scan.ts';
import { isSecretParameter, MASK } from '../text/secrets.ts';

/** Headers whose whole line is secret. */
const HEADERS = ['authorization', 'cookie', 'x-auth-token', 'x-csrf'];
/** Names whose values are secret in messages, besides those of secret parameters. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  ...['code', 'captcha', 'otp', 'totp', 'session', 'sid', 'csrf', 'xcsrf', 'signature', 'sig', 'authorization'],
  'cookie',
]);
/** Characters of a name before a colon or equals sign. What is in front of them is not looked at. */
const LONGEST_NAME = 61;
/** Characters of the local part of a mail address (RFC 5321). */
const LONGEST_MAILBOX = 64;
/** Characters of the scheme of a URL. */
const LONGEST_SCHEME = 21;
/** From this length on, a text with upper and lower case letters and digits looks random. */
const SHORTEST_RANDOM = 30;

/**
 * A text of an error without secrets: passwords, tokens, tickets, cookies, authorization headers, private keys, queries
 * of URLs, and the names in mail addresses. The domain of a mail address stays, because it tells which mail server failed.
 * Anybody can send such texts, so each step reads the text once.
 */
export function maskText(text: string): string {
  const steps = [privateKeys, values, schemes, userInfo, queries, webTokens, mailAddresses, randomTexts];
  return steps.reduce((masked, step) => step(masked), text);
}

/** PEM: from the first line to the end of the last one, or to the end of the Base64 if the text was cut. */
function privateKeys(text: string): string {
  const out = new Rewriter(text);
  const start = '-----BEGIN ';
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, Math.max(out.at, at + 1))) {
    const body = afterLabel(text, at + start.length);
    if (body === null) continue;
    const end = endOfRun(text, body, (code) => code !== DASH);
    const last = text.startsWith('-----END ', end) ? afterLabel(text, end + 9) : null;
    out.replace(at, last ?? end, MASK);
  }
  return out.text();
}

/** The end of `RSA PRIVATE KEY-----`, or null for something else. */
function afterLabel(text: string, from: number): number | null {
  const label = text.slice(from, from + 56);
  const end = label.indexOf('PRIVATE KEY-----');
  return end === -1 || endOfRun(label, 0, (code) => isUpper(code) || code === SPACE) < end ? null : from + end + 16;
}

/** Headers, `name=value`, `name: value` and `"name":"value"`. */
function values(text: string): string {
  const out = new Rewriter(text);
  for (let sign = 0; sign < text.length; sign += 1) {
    const code = text.charCodeAt(sign);
    if (code !== COLON && code !== EQUALS) continue;
    const name = nameBefore(text, sign, out.at);
    const header = isHeader(name);
    if (!header && !isSecretName(name)) continue;
    const range = header ? headerValue(text, sign + 1) : pairValue(text, sign + 1);
    if (range === null) continue;
    out.replace(range.from, range.to, MASK);
    sign = range.to - 1;
  }
  return out.text();
}

/** The name that ends before a sign, which may have a quote and up to three blanks. */
function nameBefore(text: string, sign: number, from: number): string {
  let end = sign;
  while (end > from && sign - end < 3 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  if (end > from && isQuote(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(startOfRun(text, end, Math.max(from, end - LONGEST_NAME), isNameSign), end);
}

function isHeader(name: string): boolean {
  const small = name.toLowerCase();
  return HEADERS.some((one) => small.endsWith(one) && !isWordSign(small.charCodeAt(small.length - one.length - 1)));
}

/** To the end of the line, or the next quote. */
function headerValue(text: string, after: number): { from: number; to: number } | null {
  let from = endOfRun(text, after, isSpace);
  if (isQuote(text.charCodeAt(from))) from += 1;
  const to = endOfRun(text, from, (code) => !isLineEnd(code) && !isQuote(code));
  return to === from ? null : { from, to };
}

/** A text in quotes with its quotes, or to the end of the line if they are not closed; otherwise a word. */
function pairValue(text: string, after: number): { from: number; to: number } | null {
  const from = endOfRun(text, after, isSpace, 3);
  const quote = text.charCodeAt(from);
  if (!isQuote(quote)) {
    const to = endOfRun(text, from, isValueSign);
    return to === from ? null : { from, to };
  }
  const end = endOfRun(text, from + 1, (code) => code !== quote && !isLineEnd(code));
  const closed = text.charCodeAt(end) === quote;
  return end === from + 1 ? null : { from, to: closed ? end + 1 : end };
}

/** Credentials with their scheme, wherever they are. */
function schemes(text: string): string {
  const out = new Rewriter(text);
  for (const { 0: found, index } of text.matchAll(/\b(?:Bearer|Basic|Digest)\s/g)) {
    const from = endOfRun(text, index + found.length, isSpace);
    const to = endOfRun(text, from, isCredentialSign);
    if (to - from >= 6 && index >= out.at) out.replace(index + found.length - 1, to, ` ${MASK}`);
  }
  return out.text();
}

/** User and password in a URL. */
function userInfo(text: string): string {
  const out = new Rewriter(text);
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const scheme = startOfRun(text, at, Math.max(out.at, at - LONGEST_SCHEME), isSchemeSign);
    if (at - scheme < 2) continue;
    const end = endOfRun(text, at + 3, isUserSign);
    if (end > at + 3 && text.charCodeAt(end) === AT) out.replace(at + 3, end, MASK);
  }
  return out.text();
}

function queries(text: string): string {
  const out = new Rewriter(text);
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at)) {
    const web = text.slice(Math.max(0, at - 5), at).toLowerCase();
    // All URLs up to `end` have the same end.
    const end = endOfRun(text, at + 3, (code) => isQuerySign(code) && code !== QUESTION);
    at = Math.max(end, at + 3);
    if (!web.endsWith('http') && web !== 'https') continue;
    if (text.charCodeAt(end) !== QUESTION) continue;
    at = endOfRun(text, end + 1, (code) => isQuerySign(code) && code !== CLOSING);
    if (at > end + 1) out.replace(end + 1, at, MASK);
  }
  return out.text();
}

/** JSON Web Tokens. */
function webTokens(text: string): string {
  const out = new Rewriter(text);
  for (let at = text.indexOf('eyJ'); at !== -1; at = text.indexOf('eyJ', at)) {
    const first = endOfRun(text, at, isTokenSign);
    const second = text.charCodeAt(first) === DOT ? endOfRun(text, first + 1, isTokenSign) : first;
    const whole = first - at >= 8 && second - first > 5 && text.charCodeAt(second) === DOT;
    if (!whole || isWordSign(text.charCodeAt(at - 1))) {
      // Another one that starts in the same run has the same end.
      at = whole ? at + 3 : first;
      continue;
    }
    const end = endOfRun(text, second + 1, isTokenSign);
    out.replace(at, end, MASK);
    at = end;
  }
  return out.text();
}

function mailAddresses(text: string): string {
  const out = new Rewriter(text);
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = startOfRun(text, at, Math.max(out.at, at - LONGEST_MAILBOX), isMailboxSign);
    if (start < at && isDomain(text, at + 1)) out.replace(start, at, MASK);
  }
  return out.text();
}

/** True if labels and a label of letters begin here: not for the version in `kysely@0.28.1`. */
function isDomain(text: string, from: number): boolean {
  for (let label = from, count = 1; ; count += 1) {
    const letters = endOfRun(text, label, isLetter);
    if (count > 1 && letters - label >= 2 && !isWordSign(text.charCodeAt(letters))) return true;
    const end = endOfRun(text, label, (code) => isTokenSign(code) && code !== UNDERSCORE);
    if (end === label || text.charCodeAt(end) !== DOT) return false;
    label = end + 1;
  }
}

function randomTexts(text: string): string {
  const out = new Rewriter(text);
  for (let at = 0; at < text.length; at += 1) {
    const end = endOfRun(text, at, isTokenSign);
    if (end - at >= SHORTEST_RANDOM && looksRandom(text.slice(at, end))) out.replace(at, end, MASK);
    at = end;
  }
  return out.text();
}

function isSecretName(name: string): boolean {
  const last = Math.max(name.lastIndexOf('.'), name.lastIndexOf('-')) + 1;
  return isSecretParameter(name) || OTHER_NAMES.has(name.slice(last).toLowerCase());
}

/** Hashes and UUIDs have no upper case letters, and names of files and functions have few digits. */
function looksRandom(word: string): boolean {
  const digits = word.replace(/\D/g, '').length;
  return digits >= 3 && /[a-z]/.test(word) && /[A-Z]/.test(word);
}

/** The first character of the run that ends at `end`, at least `from`. */
function startOfRun(text: string, end: number, from: number, belongs: (code: number) => boolean): number {
  let at = end;
  while (at > from && belongs(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

const [SPACE, CLOSING, PLUS, DASH, DOT, COLON, EQUALS, QUESTION, AT, UNDERSCORE] = [...' )+-.:=?@_'].map((sign) =>
  sign.charCodeAt(0),
) as [number, number, number, number, number, number, number, number, number, number];
const among = (signs: string) => (code: number) => signs.includes(String.fromCharCode(code));
const isQuote = among(`"'`);
const endsValue = among(`"'&,;)}]`);
const endsQuery = among(`#"'<>`);
const endsUser = among(`/@"'`);
const inCredential = among('+/=.~');
const isUpper = (code: number) => code >= 0x41 && code <= 0x5a;
const isNameSign = (code: number) => isTokenSign(code) || code === DOT;
const isValueSign = (code: number) => !isSpace(code) && !endsValue(code);
const isCredentialSign = (code: number) => isTokenSign(code) || inCredential(code);
const isUserSign = (code: number) => !isSpace(code) && !endsUser(code);
const isQuerySign = (code: number) => !isSpace(code) && !endsQuery(code);
const isMailboxSign = (code: number) => isNameSign(code) || code === PLUS;
const isSchemeSign = (code: number) => isMailboxSign(code) && code !== UNDERSCORE;
