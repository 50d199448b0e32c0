import { enteredDay, forbiddenInLine, isSn } from '@chargehand/domain';
import { Problem } from '../../platform/http/problem.ts';
import { IMPORT_FIELDS, type ImportField } from './import-columns.ts';
import { type FileRow, LOST_DIGITS } from './import-file.ts';

/** A row that was read as far as possible without the database. `problems` lists what is wrong with it. */
export interface ReadRow {
  row: number;
  sn: string;
  name: string;
  site: string;
  customer: string;
  model: string;
  arrivalDate: string | null;
  installDate: string | null;
  maintenanceCycleDays: number | null;
  gatewayPassword: string | null;
  problems: Problem[];
}

/**
 * The maximum length of each field, as for a device that is added manually. Longer texts are shortened for the answer.
 */
const LONGEST = { sn: 48, name: 64, site: 64, customer: 64, model: 64, gatewayPassword: 40 } as const;
const SHORTEST_PASSWORD = 16;
const LONGEST_CYCLE = 3_650;
/** A date is never longer, in any notation. */
const LONGEST_DAY = 40;
/** The maximum number of faults that are reported for a row. */
const MOST_FAULTS = 8;

/** Reads a row of a file by the rules for a device that is added manually. */
export function readRow({ row, values }: FileRow): ReadRow {
  const problems: Problem[] = [];
  const fail = (...problem: ConstructorParameters<typeof Problem>) => {
    if (problems.length < MOST_FAULTS) problems.push(new Problem(...problem));
    return null;
  };
  const given = values ?? {};
  if (values === null) fail('importRowShape');
  for (const key of Object.keys(given)) {
    if (problems.length === MOST_FAULTS) break;
    if (!Object.hasOwn(IMPORT_FIELDS, key)) fail('fieldUnknown', { field: key.slice(0, 64) });
  }

  const text = (field: keyof typeof LONGEST, required: boolean): string => {
    if (given[field] === LOST_DIGITS || (field === 'sn' && isPowerOfTen(given[field]))) {
      fail('importDigitsLost', { field: labelOf(field) });
      return '';
    }
    const read = textOf(given[field]);
    if (read === null) {
      fail('fieldType', { field: labelOf(field), values: { expected: 'string' } });
      return '';
    }
    const limit = LONGEST[field];
    // Texts for the database and the answer are short and contain no characters that either cannot represent.
    if (read.length > limit) {
      fail('fieldTooLong', { field: labelOf(field), values: { limit } });
      return '';
    }
    const character = forbiddenInLine(read);
    if (character !== null) {
      fail('fieldCharacters', { field: labelOf(field), values: { character } });
      return '';
    }
    if (read === '' && required && values !== null) fail('fieldRequired', { field: labelOf(field) });
    return read.normalize('NFC');
  };
  const day = (field: 'arrivalDate' | 'installDate'): string | null => {
    const read = textOf(given[field]);
    if (read === '') return null;
    const found = read === null || read.length > LONGEST_DAY ? null : enteredDay(read);
    return found ?? fail('fieldFormat', { field, values: { expected: 'yyyy-MM-dd' } });
  };

  const sn = text('sn', true);
  if (sn !== '' && !isSn(sn)) fail('deviceSnFormat');
  const read = {
    sn,
    name: text('name', true),
    site: text('site', true),
    customer: text('customer', false),
    model: text('model', true),
    arrivalDate: day('arrivalDate'),
    installDate: day('installDate'),
    maintenanceCycleDays: cycleOf(given.maintenanceCycleDays, fail),
  };
  if (read.arrivalDate !== null && read.installDate !== null && read.installDate < read.arrivalDate)
    fail('datesOutOfOrder');
  const password = text('gatewayPassword', false);
  if (password !== '' && password.length < SHORTEST_PASSWORD)
    fail('fieldTooShort', { field: 'gatewayPassword', values: { limit: SHORTEST_PASSWORD } });
  return { row, ...read, gatewayPassword: password === '' ? null : password, problems };
}

/** A text without surrounding blanks. A number is converted to text, because spreadsheets turn digits into numbers. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : null;
}

/** True for a text such as `1.23457E+11`, which programs write into CSV files instead of long numbers. */
function isPowerOfTen(value: unknown): boolean {
  return typeof value === 'string' && value.length < 40 && /^\s*\d(?:[.,]\d+)?E\+\d+\s*$/.test(value);
}

function cycleOf(value: unknown, fail: (...problem: ConstructorParameters<typeof Problem>) => null): number | null {
  if (value === undefined || value === null || value === '') return null;
  const days = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  const field = 'maintenanceCycleDays';
  if (typeof days !== 'number' || !Number.isInteger(days))
    return fail('fieldType', { field, values: { expected: 'integer' } });
  if (days < 1) return fail('fieldTooSmall', { field, values: { limit: 1 } });
  if (days > LONGEST_CYCLE) return fail('fieldTooLarge', { field, values: { limit: LONGEST_CYCLE } });
  return days;
}

/** The contract's name of a field, as users know it. */
function labelOf(field: ImportField): string {
  const names: Partial<Record<ImportField, string>> = {
    site: 'siteId',
    customer: 'customerId',
    model: 'deviceModelId',
  };
  return names[field] ?? field;
}
