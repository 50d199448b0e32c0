import { withoutEnd } from '@chargehand/domain';
import type { Reader, Writer } from '../../../platform/packing/bytes.ts';

/**
 * Texts as templates and values: `{"value":"231.4"}` is the template `{"value":"\u0001n"}` and the number 231.4. The
 * messages of a device have few templates, and the values at the same position of a template change little, so that
 * their differences take about a byte.
 */

/** Begins the place of a value in a template. The letter after it is the kind of the value. */
const PLACE = '\u0001';
/** t: a time; u: a UUID; n: a number that is not part of a word */
const VALUES =
  /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z)|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?:(?<![\w.-])-)?(?<![\w.])\d{1,15}(?:\.\d{1,6})?(?![\w.])/g;
const PLACES = new RegExp(`${PLACE}[tunT]`);

type Kind = 't' | 'T' | 'u' | 'n';

/** A template and the values of its places, as texts. */
function split(text: string): { template: string; kinds: Kind[]; values: string[] } {
  const kinds: Kind[] = [];
  const values: string[] = [];
  const template = text.replace(VALUES, (value: string, time?: string, uuid?: string) => {
    if (time !== undefined && !isTime(time)) return value;
    const kind = time === undefined ? (uuid === undefined ? 'n' : 'u') : time.includes('.') ? 't' : 'T';
    kinds.push(kind);
    values.push(value);
    return PLACE + kind;
  });
  return { template, kinds, values };
}

function isTime(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && timeText(at, text.includes('.') ? 't' : 'T') === text;
}

function timeText(at: number, kind: 't' | 'T'): string {
  const text = new Date(at).toISOString();
  return kind === 't' ? text : `${text.slice(0, 19)}Z`;
}

interface Group {
  kinds: Kind[];
  /** the values of each place */
  columns: string[][];
  /** the reference times of the texts of the group */
  references: number[];
}

/** Writes texts. @param references a time near the times in each text (ms since the epoch) */
export function writeTexts(to: Writer, texts: readonly string[], references: readonly number[]): void {
  const numbers = new Map<string, number>();
  const groups: Group[] = [];
  to.unsigned(texts.length);
  for (const [index, text] of texts.entries()) {
    const isPlain = text.includes(PLACE);
    const { template, kinds, values } = isPlain ? { template: text, kinds: [], values: [] } : split(text);
    const key = `${isPlain} ${template}`;
    let number = numbers.get(key);
    to.unsigned(number === undefined ? 0 : number + 1);
    if (number === undefined) {
      number = groups.length;
      numbers.set(key, number);
      groups.push({ kinds, columns: kinds.map(() => []), references: [] });
      to.byte(isPlain ? 1 : 0);
      to.text(template);
    }
    const group = groups[number]!;
    group.references.push(references[index] ?? 0);
    for (const [place, value] of values.entries()) group.columns[place]!.push(value);
  }
  for (const { kinds, columns, references: times } of groups) {
    for (const [place, kind] of kinds.entries()) writeColumn(to, kind, columns[place]!, times);
  }
}

/** Reads texts that `writeTexts` wrote. */
export function readTexts(from: Reader, references: (index: number) => number): string[] {
  const templates: { pieces: string[]; kinds: Kind[]; users: number[] }[] = [];
  const used: number[] = [];
  const count = from.unsigned();
  for (let index = 0; index < count; index += 1) {
    let number = from.unsigned() - 1;
    if (number < 0) {
      number = templates.length;
      const isPlain = from.byte() === 1;
      const template = from.text();
      const pieces = isPlain ? [template] : template.split(PLACES);
      const kinds = isPlain ? [] : [...template.matchAll(new RegExp(PLACES, 'g'))].map(([place]) => place[1] as Kind);
      templates.push({ pieces, kinds, users: [] });
    }
    templates[number]!.users.push(index);
    used.push(number);
  }
  const texts: string[] = used.map((number) => templates[number]!.pieces[0]!);
  for (const { pieces, kinds, users } of templates) {
    const times = users.map(references);
    for (const [place, kind] of kinds.entries()) {
      const values = readColumn(from, kind, times);
      for (const [row, index] of users.entries()) texts[index] += values[row]! + pieces[place + 1]!;
    }
  }
  return texts;
}

/** How the numbers of a column are written. */
const FORM = { texts: 0, fixed: 1, trimmed: 2 } as const;
/** Differences of smaller numbers are exact. */
const LARGEST = 2 ** 50;

function writeColumn(to: Writer, kind: Kind, values: readonly string[], references: readonly number[]): void {
  if (kind === 'u') {
    for (const value of values) for (const byte of Buffer.from(value.replaceAll('-', ''), 'hex')) to.byte(byte);
  } else if (kind === 'n') {
    writeNumbers(to, values);
  } else {
    const unit = kind === 't' ? 1 : 1_000;
    writeDifferences(
      to,
      values.map((value, row) => Date.parse(value) / unit - Math.floor(references[row]! / unit)),
    );
  }
}

function readColumn(from: Reader, kind: Kind, references: readonly number[]): string[] {
  if (kind === 'u') return references.map(() => readUuid(from));
  if (kind === 'n') return readNumbers(from, references.length);
  const unit = kind === 't' ? 1 : 1_000;
  return readDifferences(from, references.length).map((value, row) =>
    timeText((value + Math.floor(references[row]! / unit)) * unit, kind),
  );
}

function readUuid(from: Reader): string {
  const hex = Buffer.from(Array.from({ length: 16 }, () => from.byte())).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function writeNumbers(to: Writer, values: readonly string[]): void {
  const places = values.reduce((most, value) => Math.max(most, decimalsOf(value)), 0);
  const scaled = values.map((value) => scale(value, places));
  for (const form of [FORM.fixed, FORM.trimmed]) {
    const isExact = scaled.every(
      (number, row) => Math.abs(number) < LARGEST && numberText(number, places, form) === values[row],
    );
    if (!isExact) continue;
    to.byte(form);
    to.unsigned(places);
    writeDifferences(to, scaled);
    return;
  }
  to.byte(FORM.texts);
  for (const value of values) to.text(value);
}

function readNumbers(from: Reader, count: number): string[] {
  const form = from.byte();
  if (form === FORM.texts) return Array.from({ length: count }, () => from.text());
  const places = from.unsigned();
  return readDifferences(from, count).map((number) => numberText(number, places, form));
}

function decimalsOf(value: string): number {
  const point = value.indexOf('.');
  return point < 0 ? 0 : value.length - point - 1;
}

/** A decimal number as an integer of its last place. */
function scale(value: string, places: number): number {
  return Number(value.replace('.', '') + '0'.repeat(places - decimalsOf(value)));
}

function numberText(number: number, places: number, form: number): string {
  const digits = String(Math.abs(number)).padStart(places + 1, '0');
  const sign = number < 0 ? '-' : '';
  const whole = digits.slice(0, digits.length - places);
  const decimals = digits.slice(digits.length - places);
  const kept = form === FORM.trimmed ? withoutEnd(decimals, '0') : decimals;
  return kept === '' ? `${sign}${whole}` : `${sign}${whole}.${kept}`;
}

/** Writes integers as the differences to the one before. */
export function writeDifferences(to: Writer, values: readonly number[]): void {
  let before = 0;
  for (const value of values) {
    to.signed(value - before);
    before = value;
  }
}

/** Reads integers that `writeDifferences` wrote. */
export function readDifferences(from: Reader, count: number): number[] {
  let value = 0;
  return Array.from({ length: count }, () => {
    value += from.signed();
    return value;
  });
}
