import { openWorkbook, type ReadSheet, type SheetLimits, type Workbook } from '@chargehand/domain';
import { Parser } from 'saxen';
import { openArchive, UnreadableSheet } from './xlsx-archive.ts';

export { UnreadableSheet } from './xlsx-archive.ts';

/** A sheet of a file. */
export interface FirstSheet extends ReadSheet, Pick<Workbook, 'from1904' | 'shownOf'> {}

/** Sheets in which data is looked for: a file with instructions has few before it. */
const SHEETS = 5;

/**
 * The first sheet of an .xlsx file that fits, or the first one if none does, within limits that the file cannot change: decompressed bytes are counted, and only
 * cells with content use memory.
 * @throws UnreadableSheet
 */
export async function readFirstSheet(
  file: Buffer,
  limits: SheetLimits & { inflatedBytes: number },
  fits: (sheet: ReadSheet) => boolean = () => true,
): Promise<FirstSheet> {
  const archive = await openArchive(file, limits.inflatedBytes);
  try {
    const { sheets, from1904, shownOf } = await openWorkbook(archive, () => new Parser(), limits);
    let first: ReadSheet | undefined;
    for (const sheet of sheets.slice(0, SHEETS)) {
      const read = await sheet.read();
      if (fits(read)) return { ...read, from1904, shownOf };
      first ??= read;
    }
    if (!first) throw new UnreadableSheet('the workbook has no sheet');
    return { ...first, from1904, shownOf };
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error;
    throw new UnreadableSheet(error instanceof Error ? error.message : String(error));
  }
}
