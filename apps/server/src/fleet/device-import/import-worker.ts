import type { Locale } from '@chargehand/contract';
import { Problem } from '../../platform/http/problem.ts';
import { bytesOf, HeadingsUnknown } from '../../platform/xlsx/import-sheet.ts';
import { type ChosenColumns, readImportFile } from './import-file.ts';
import { type ReadRow, readRow } from './import-rows.ts';

export interface ImportTask {
  fileName: string;
  /** the file in base64, or its bytes */
  content: string | Uint8Array;
  locale: Locale;
  columns?: ChosenColumns | undefined;
}

/** A row as it is passed between threads. */
export type WrittenRow = Omit<ReadRow, 'problems'> & { problems: ConstructorParameters<typeof Problem>[] };

/** Rows as JSON, in several parts, so that the reader can process them in slices; or why there are none. */
export type ImportRead =
  | { parts: string[]; leftOut: string[] }
  | { problem: ConstructorParameters<typeof Problem>; headings: HeadingsUnknown['headings'] | null };

/** Rows per part: reading a part takes a few milliseconds. */
const PART = 250;

/** Reads a file of devices in a worker thread: a file within all limits still takes seconds. */
export default async function readImport({ fileName, content, locale, columns }: ImportTask): Promise<ImportRead> {
  try {
    const file = await readImportFile(
      fileName,
      typeof content === 'string' ? bytesOf(content) : Buffer.from(content),
      locale,
      columns,
    );
    const parts: string[] = [];
    for (let start = 0; start < file.rows.length; start += PART) {
      const rows = file.rows.slice(start, start + PART).map((row): WrittenRow => {
        const read = readRow(row);
        return { ...read, problems: read.problems.map((problem) => problem.parts) };
      });
      parts.push(JSON.stringify(rows));
    }
    return { parts, leftOut: file.leftOut };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { problem: error.parts, headings: error instanceof HeadingsUnknown ? error.headings : null };
  }
}
