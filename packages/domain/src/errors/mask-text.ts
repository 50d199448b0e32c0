import { isSecretParameter, MASK } from '../text/secrets.ts';

/** A header with a secret, to the end of its line. */
const HEADERS =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-auth-token|x-csrf)(["']?\s*[:=]\s*["']?)[^\r\n"']{1,4096}/gi;
/** Credentials with their scheme, wherever they are. */
const SCHEMES = /\b(Bearer|Basic|Digest)\s+[\w+/=.~-]{6,4096}/g;
/** `name=value`, `name: value` and `"name":"value"`. */
const PAIRS =
  /([A-Za-z][\w.-]{0,60})("?\s{0,3}[:=]\s{0,3})("[^"\r\n]{1,2048}"|'[^'\r\n]{1,2048}'|[^\s"'&,;)}\]]{1,2048})/g;
const QUERIES = /(\bhttps?:\/\/[^\s?#"'<>]{1,2048})\?[^\s#"'<>)]{1,4096}/gi;
const USER_INFO = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,256}@/gi;
const MAIL_ADDRESSES = /[\w.+-]{1,64}@((?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24})\b/g;
const PRIVATE_KEYS = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,8192}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g;
const WEB_TOKENS = /\beyJ[\w-]{5,2048}\.[\w-]{5,4096}\.[\w-]{0,2048}/g;
/** Texts that look random: long, with lower and upper case letters and digits. */
const RANDOM = /[\w-]{30,512}/g;
/** Names whose values are secret in messages, besides those of secret parameters. */
const OTHER_NAMES = /^(code|captcha|otp|totp|session|sid|csrf|xcsrf|signature|sig|authorization|cookie)$/i;

/**
 * A text of an error without secrets: passwords, tokens, tickets, cookies, authorization headers, private keys, queries
 * of URLs, and the names in mail addresses. The domain of a mail address stays, because it tells which mail server failed.
 */
export function maskText(text: string): string {
  return text
    .replace(PRIVATE_KEYS, MASK)
    .replace(HEADERS, (_, name: string, sign: string) => `${name}${sign}${MASK}`)
    .replace(SCHEMES, (_, scheme: string) => `${scheme} ${MASK}`)
    .replace(USER_INFO, (_, start: string) => `${start}${MASK}@`)
    .replace(QUERIES, (_, address: string) => `${address}?${MASK}`)
    .replace(PAIRS, maskPair)
    .replace(WEB_TOKENS, MASK)
    .replace(MAIL_ADDRESSES, (_, domain: string) => `${MASK}@${domain}`)
    .replace(RANDOM, (word) => (looksRandom(word) ? MASK : word));
}

/** The value of a pair may be a pair itself: `query=token=abc`. */
function maskPair(_: string, name: string, sign: string, value: string): string {
  if (isSecretName(name)) return `${name}${sign}${MASK}`;
  return `${name}${sign}${value.replace(PAIRS, (pair, inner: string, innerSign: string) =>
    isSecretName(inner) ? `${inner}${innerSign}${MASK}` : pair,
  )}`;
}

function isSecretName(name: string): boolean {
  return isSecretParameter(name) || OTHER_NAMES.test(name.split(/[.-]/).at(-1) ?? '');
}

/** Hashes and UUIDs have no upper case letters, and names of files and functions have few digits. */
function looksRandom(word: string): boolean {
  const digits = word.replace(/\D/g, '').length;
  return digits >= 3 && /[a-z]/.test(word) && /[A-Z]/.test(word);
}
