/** Decimal numbers written out in digits, kept exactly: a range may ask for more decimals than a binary number holds. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const INTEGER = /^-?\d+$/;

/** Longer than this no number of the product is; a longer text is none. Characters. */
const MAX_TEXT = 250;

/** True for a whole number written out in digits. */
export function isWholeNumber(text: string): boolean {
  return text.length <= MAX_TEXT && INTEGER.test(text);
}

/** The same number without needless zeros (`-007.50` is `-7.5`), or null when the text is no number written out in digits. */
export function plainDecimal(text: string): string | null {
  const parts = text.length <= MAX_TEXT ? DECIMAL.exec(text) : null;
  if (!parts) return null;
  const whole = parts[2]!.replace(/^0+(?=\d)/, '');
  const fraction = (parts[3] ?? '').replace(/0+$/, '');
  const plain = fraction === '' ? whole : `${whole}.${fraction}`;
  return parts[1] === '' || plain === '0' ? plain : `-${plain}`;
}

/** How many decimals a plain number has. */
export function decimalsOf(plain: string): number {
  const point = plain.indexOf('.');
  return point < 0 ? 0 : plain.length - point - 1;
}

/** Below, equal or above zero as the first of two plain numbers is below, equal to or above the second. */
export function compareDecimals(one: string, other: string): number {
  const scale = Math.max(decimalsOf(one), decimalsOf(other));
  const difference = scaled(one, scale) - scaled(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function scaled(plain: string, scale: number): bigint {
  return BigInt(plain.replace('.', '') + '0'.repeat(scale - decimalsOf(plain)));
}
