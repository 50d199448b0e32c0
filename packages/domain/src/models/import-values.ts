/** Days between the epochs of a spreadsheet's 1904 and 1900 date systems (ECMA-376 part 1, §18.17.4.1). */
const EPOCH_1904 = 1_462;
/** Serial number of 1970-01-01 in the 1900 date system. */
const UNIX_EPOCH = 25_569;
/** Serial number of 9999-12-31, the last day in spreadsheets. */
const LAST_DAY = 2_958_465;

/**
 * A spreadsheet date (days since its epoch, with the time as a fraction) as `yyyy/MM/dd HH:mm:ss` (spec §5); null for a
 * number that is not a date.
 */
export function sheetTime(serial: number, from1904 = false): string | null {
  const days = serial + (from1904 ? EPOCH_1904 : 0);
  if (!Number.isFinite(days) || days < 1 || days >= LAST_DAY + 1) return null;
  const at = new Date(Math.round((days - UNIX_EPOCH) * 86_400) * 1_000);
  return at.toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
}

/** The notations of a day that users and spreadsheets use. A time after it is ignored. */
const DAY = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/;

/**
 * A day as `yyyy-MM-dd` from `yyyy-MM-dd`, `yyyy/MM/dd` or either with a time; null when it is not a day of the
 * calendar.
 */
export function enteredDay(text: string): string | null {
  const [, year, , month, day] = DAY.exec(text.trim()) ?? [];
  // The calendar starts with year 1.
  if (year === undefined || year === '0000' || month === undefined || day === undefined) return null;
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written) ? written : null;
}
