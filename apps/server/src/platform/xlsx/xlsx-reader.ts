import { openWorkbook, type ReadSheet, type SheetLimits } from '@chargehand/domain';
import { Parser } from 'saxen';
import { openArchive, UnreadableSheet } from './xlsx-archive.ts';

export { UnreadableSheet } from './xlsx-archive.ts';

/** The first sheet of a file. */
export interface FirstSheet extends ReadSheet {
  /** dates count from 1904 instead of 1900 */
  from1904: boolean;
}

/**
 * The first sheet of an .xlsx file within limits that the file cannot change: decompressed bytes are counted, and only
 * cells with content use memory.
 * @throws UnreadableSheet
 */
export async function readFirstSheet(
  file: Buffer,
  limits: SheetLimits & { inflatedBytes: number },
): Promise<FirstSheet> {
  const archive = await openArchive(file, limits.inflatedBytes);
  try {
    const { sheets, from1904 } = await openWorkbook(archive, () => new Parser(), limits);
    if (!sheets[0]) throw new UnreadableSheet('the workbook has no sheet');
    return { ...(await sheets[0].read()), from1904 };
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error;
    throw new UnreadableSheet(error instanceof Error ? error.message : String(error));
  }
}
