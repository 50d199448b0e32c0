/** Longest code of a number format in a spreadsheet program; longer ones are not read. */
const LONGEST_FORMAT = 255;
/** Spreadsheets keep 15 digits of a number: from here on the last ones were replaced by zeros. */
const KEPT = 1e15;

/** Formats of plain numbers that a file does not define itself (ECMA-376 part 1, §18.8.30). */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  49: '@',
};

interface Pattern {
  /** texts and digit places of the whole part, from the left */
  whole: readonly ({ text: string } | { digit: '0' | '#' | '?' })[];
  grouped: boolean;
  /** digits after the point that are always shown, and at most */
  decimals: { least: number; most: number };
  /** after the digits */
  after: string;
}

/**
 * A number as its cell shows it, such as `0042` in the format `0000`. A number without a format of its own has all of
 * its digits.
 * @returns null when the digits are lost, or when the cell shows something else: a date, a fraction, a power of ten
 */
export function shownNumber(value: number, formatId: number, code: string | undefined): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= KEPT) return null;
  const format = code ?? BUILT_IN[formatId];
  if (format === undefined || format.length > LONGEST_FORMAT) return null;
  const sections = sectionsOf(format);
  const section = value < 0 && sections[1] !== undefined ? sections[1] : (sections[0] ?? '');
  if (/^(general|@)$/i.test(section)) return plain(Number(value.toPrecision(15)));
  const pattern = patternOf(section);
  if (pattern === null) return null;
  // A second section has its own sign.
  const sign = value < 0 && sections[1] === undefined ? '-' : '';
  return sign + filled(pattern, Math.abs(value));
}

function plain(value: number): string | null {
  const text = String(value);
  return text.includes('e') ? null : text;
}

/** The parts between semicolons that are not quoted or escaped. */
function sectionsOf(format: string): string[] {
  const sections = [''];
  let quoted = false;
  for (let at = 0; at < format.length; at += 1) {
    const sign = format[at]!;
    if (sign === '"') quoted = !quoted;
    const escapes = !quoted && sign === '\\';
    if (sign === ';' && !quoted) sections.push('');
    else sections[sections.length - 1] += escapes ? format.slice(at, at + 2) : sign;
    if (escapes) at += 1;
  }
  return sections;
}

/** Reads a section of a format; null when it is not of a plain number. */
function patternOf(section: string): Pattern | null {
  const whole: ({ text: string } | { digit: '0' | '#' | '?' })[] = [];
  const decimals = { least: 0, most: 0 };
  let grouped = false;
  let after = '';
  let fraction = false;
  let digits = 0;
  const literal = (text: string) => {
    if (fraction) after += text;
    else whole.push({ text });
  };
  for (let at = 0; at < section.length; at += 1) {
    const sign = section[at]!;
    switch (sign) {
      case '0':
      case '#':
      case '?':
        if (fraction) {
          // Digits after a text that follows the point are of no known form.
          if (after !== '') return null;
          decimals.most += 1;
          if (sign === '0') decimals.least = decimals.most;
        } else whole.push({ digit: sign });
        digits += 1;
        break;
      case '.':
        if (fraction) return null;
        fraction = true;
        break;
      case ',':
        // At the end of the digits, a comma divides by a thousand.
        if (fraction || digits === 0 || !/[0#?]/.test(section[at + 1] ?? '')) return null;
        grouped = true;
        break;
      case '"': {
        const end = section.indexOf('"', at + 1);
        if (end === -1) return null;
        literal(section.slice(at + 1, end));
        at = end;
        break;
      }
      case '\\':
        literal(section[at + 1] ?? '');
        at += 1;
        break;
      case '[': {
        const end = section.indexOf(']', at);
        const inside = end === -1 ? '' : section.slice(at + 1, end);
        // A color or a locale; conditions and times are not of a plain number.
        if (!/^(\$-[0-9a-f]{1,8}|black|blue|cyan|green|magenta|red|white|yellow|color\d{1,2})$/i.test(inside))
          return null;
        at = end;
        break;
      }
      case '_':
        at += 1;
        break;
      default:
        if (!' -+()$:'.includes(sign) && sign < '\u0080') return null;
        literal(sign);
    }
  }
  return digits === 0 ? null : { whole, grouped, decimals, after };
}

function filled({ whole, grouped, decimals, after }: Pattern, value: number): string {
  const [digits = '', places = ''] = value.toFixed(decimals.most).split('.');
  let left = digits === '0' ? '' : digits;
  let count = 0;
  let text = '';
  const first = whole.findIndex((part) => 'digit' in part);
  const put = (digit: string) => {
    if (grouped && count > 0 && count % 3 === 0) text = `,${text}`;
    text = digit + text;
    count += 1;
  };
  for (let at = whole.length - 1; at >= 0; at -= 1) {
    const part = whole[at]!;
    if ('text' in part) text = part.text + text;
    else if (left !== '') {
      put(left.at(-1)!);
      left = left.slice(0, -1);
    } else if (part.digit !== '#') put(part.digit === '0' ? '0' : ' ');
    // Digits without a place of their own stand before the first place.
    while (at === first && left !== '') {
      put(left.at(-1)!);
      left = left.slice(0, -1);
    }
  }
  let shown = places;
  while (shown.length > decimals.least && shown.endsWith('0')) shown = shown.slice(0, -1);
  return `${text}${shown === '' ? '' : `.${shown}`}${after}`.trim();
}
