import { type Level, type Levels, meets, type RequiredLevel } from '../../access/levels.ts';

/**
 * IdTokenEnumType of OCPP 2.0.1 (part 2 §3.43) and the values that OCPP 2.1 added (IdTokenEnumStringType). NoAuthorization
 * has no value to list. OCPP 1.6 knows no types: there, only the value counts.
 */
export const TOKEN_TYPES = [
  'ISO14443',
  'ISO15693',
  'Central',
  'eMAID',
  'KeyCode',
  'Local',
  'MacAddress',
  'DirectPayment',
  'EVCCID',
  'VIN',
] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** idToken of OCPP 2.1 has at most 255 characters, of 2.0.1 36 and of 1.6 20 (CiString20Type). */
export const TOKEN_LENGTH = 255;
export const TOKEN_LENGTHS = { 'ocpp1.6': 20, 'ocpp2.0.1': 36, 'ocpp2.1': TOKEN_LENGTH } as const;
export const TOKEN_HOLDER_LENGTH = 100;
export const TOKEN_NOTE_LENGTH = 500;
/** The sites that one token can name. Without any, it is valid at all sites of its customer. */
export const TOKEN_SITES = 100;
/** Tokens of one customer: beyond that, a system of its own decides. */
export const MAX_TOKENS = 200_000;
/** Tokens that were presented at one site and are not known; the oldest ones are removed. */
export const UNKNOWN_TOKENS_PER_SITE = 200;
/** Rows of one file with tokens, and its size in bytes. */
export const TOKEN_IMPORT_ROWS = 100_000;
export const TOKEN_IMPORT_BYTES = 20 * 1024 * 1024;

/** A file with more sites than a cell can name is refused. */
export const TOKEN_SITES_SEPARATOR = ';';

/** Printable ASCII without spaces: what identifierString and CiString20Type have in common. */
export function isTokenValue(text: string): boolean {
  if (text.length === 0 || text.length > TOKEN_LENGTH) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return true;
}

/** The form in which values are compared: identifiers are case-insensitive (OCPP 1.6 §7.28, 2.0.1 part 2 §2.51). */
export function tokenKey(value: string): string {
  return value.toLowerCase();
}

/** The type in our spelling; null when OCPP has none with this name. Comparing types ignores case. */
export function tokenTypeOf(text: string): TokenType | null {
  const wanted = text.toLowerCase();
  return TOKEN_TYPES.find((type) => type.toLowerCase() === wanted) ?? null;
}

/** What replaces all but the last four characters of a value; a short value is replaced as a whole. */
const MASK = '•••';
/** Shorter values keep nothing: four of their characters would tell too much. */
const KEEPS_FROM = 8;

/** A value as users see it who may not read tokens. */
export function maskedToken(value: string): string {
  if (value === '') return '';
  return value.length < KEEPS_FROM ? MASK : `${MASK}${value.slice(-4)}`;
}

const LEVEL: Level = 3;
/** Reading the values of tokens, which are personal data: the level of users in the area of users. */
export const TOKEN_READ_LEVELS: readonly RequiredLevel[] = [{ area: 'user', verb: 'read', level: LEVEL }];
export const TOKEN_EDIT_LEVELS: readonly RequiredLevel[] = [
  ...TOKEN_READ_LEVELS,
  { area: 'user', verb: 'write', level: LEVEL },
];
export const TOKEN_DOWNLOAD_LEVELS: readonly RequiredLevel[] = [
  ...TOKEN_READ_LEVELS,
  { area: 'user', verb: 'download', level: LEVEL },
];

/** True if the levels of a user include the values of tokens. */
export function mayReadTokens(levels: Levels): boolean {
  return meets(levels, TOKEN_READ_LEVELS);
}
