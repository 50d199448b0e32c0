import { withoutEnd } from '../text/scan/scan.ts';

/** Exact decimal numbers, as digits: a range may need more decimals than a binary number has. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const INTEGER = /^-?\d+$/;

/** Maximum length of a number, in characters. A longer text is not a number. */
const MAX_TEXT = 250;

/** True for an integer written in digits. */
export function isWholeNumber(text: string): boolean {
  return text.length <= MAX_TEXT && INTEGER.test(text);
}

/**
 * The same number without unnecessary zeros (`-007.50` becomes `-7.5`), or null when the text is not a number in
 * digits.
 */
export function plainDecimal(text: string): string | null {
  const parts = text.length <= MAX_TEXT ? DECIMAL.exec(text) : null;
  if (!parts) return null;
  const whole = parts[2]!.replace(/^0+(\d)/, '$1');
  const fraction = withoutEnd(parts[3] ?? '', '0');
  const plain = fraction === '' ? whole : `${whole}.${fraction}`;
  return parts[1] === '' || plain === '0' ? plain : `-${plain}`;
}

/** The number of decimals of a plain number. */
export function decimalsOf(plain: string): number {
  const point = plain.indexOf('.');
  return point < 0 ? 0 : plain.length - point - 1;
}

/**
 * Compares two plain numbers: negative, zero or positive, as the first is less than, equal to or greater than the
 * second.
 */
export function compareDecimals(one: string, other: string): number {
  const scale = Math.max(decimalsOf(one), decimalsOf(other));
  const difference = scaled(one, scale) - scaled(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function scaled(plain: string, scale: number): bigint {
  return BigInt(plain.replace('.', '') + '0'.repeat(scale - decimalsOf(plain)));
}
