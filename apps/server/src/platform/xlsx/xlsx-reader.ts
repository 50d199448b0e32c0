import { openWorkbook, type ReadSheet, type SheetLimits, type SheetRow, type Workbook } from '@chargehand/domain';
import { Parser } from 'saxen';
import { Problem } from '../http/problem.ts';
import { openArchive, UnreadableSheet } from './xlsx-archive.ts';

export { UnreadableSheet } from './xlsx-archive.ts';

/** A sheet of a file. */
export interface FirstSheet extends ReadSheet, Pick<Workbook, 'from1904' | 'shownOf'> {
  /** Reads the rows again, one after the other. @throws UnreadableSheet */
  each(onRow: (row: SheetRow) => void): Promise<void>;
}

/** Sheets in which data is looked for: a file with instructions has few before it. */
const SHEETS = 5;

/**
 * The first sheet of an .xlsx file that fits, or the first one if none does, within limits that the file cannot change:
 * decompressed bytes are counted, and only cells with content use memory. `kept`: rows that are returned, instead of the
 * limit.
 * @throws UnreadableSheet
 */
export async function readFirstSheet(
  file: Buffer,
  limits: SheetLimits & { inflatedBytes: number },
  fits: (sheet: ReadSheet) => boolean = () => true,
  kept?: number,
): Promise<FirstSheet> {
  const archive = await openArchive(file, limits.inflatedBytes);
  return await readable(async () => {
    const { sheets, from1904, shownOf } = await openWorkbook(archive, () => new Parser(), limits);
    let first: FirstSheet | undefined;
    for (const sheet of sheets.slice(0, SHEETS)) {
      const each = (onRow: (row: SheetRow) => void) => readable(() => sheet.each(onRow));
      const read = { ...(await sheet.read(kept)), from1904, shownOf, each };
      if (fits(read)) return read;
      first ??= read;
    }
    if (!first) throw new UnreadableSheet('the workbook has no sheet');
    return first;
  });
}

/** Any error means that the file is invalid. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableSheet || error instanceof Problem) throw error;
    throw new UnreadableSheet(error instanceof Error ? error.message : String(error));
  }
}
