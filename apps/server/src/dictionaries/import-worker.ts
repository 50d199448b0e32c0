import type { Locale } from '@chargehand/contract';
import {
  DICTIONARY_IMPORT_BYTES,
  DICTIONARY_IMPORT_ROWS,
  type Dictionary,
  type DictionaryImportRow,
  endingOf,
  formatSize,
} from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';
import { bytesOf, readImportSheet } from '../platform/xlsx/import-sheet.ts';
import { importColumns } from './dictionary-columns.ts';

export interface ImportTask {
  dictionary: Dictionary;
  fileName: string;
  /** the file in base64 */
  content: string;
  locale: Locale;
}

/** Rows as JSON, in several parts, so that the reader can process them in slices; or why there are none. */
export type ImportRead = { parts: string[] } | { problem: ConstructorParameters<typeof Problem> };

const LIMITS = {
  /** several times what the largest file with every column takes */
  inflatedBytes: 16 * 1024 * 1024,
  rows: DICTIONARY_IMPORT_ROWS,
  /** more than an export has */
  columns: 32,
  /** more than any column may hold */
  characters: 128,
};
/** Rows per part: reading a part takes a few milliseconds. */
const PART = 500;

/** Reads a file of entries in a worker thread: unpacking and reading a hostile file takes long. */
export default async function readImport(task: ImportTask): Promise<ImportRead> {
  try {
    const rows = await rowsOf(task);
    const parts: string[] = [];
    for (let start = 0; start < rows.length; start += PART) parts.push(JSON.stringify(rows.slice(start, start + PART)));
    return { parts };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.parts };
    throw error;
  }
}

/** @throws Problem `dictionaryImportUnsupported`, `importTooLarge`, `importEmpty`, and those of `readImportSheet` */
async function rowsOf({ dictionary, fileName, content, locale }: ImportTask): Promise<DictionaryImportRow[]> {
  if (endingOf(fileName) !== 'xlsx') throw new Problem('dictionaryImportUnsupported', { field: 'fileName' });
  const bytes = bytesOf(content);
  if (bytes.length > DICTIONARY_IMPORT_BYTES) {
    const values = { limit: formatSize(DICTIONARY_IMPORT_BYTES) };
    throw new Problem('importTooLarge', { field: 'content', values });
  }
  const { rows } = await readImportSheet(bytes, locale, importColumns(dictionary), LIMITS);
  if (rows.length === 0) throw new Problem('importEmpty', { field: 'content' });
  return rows.map(({ row, cells }) => ({
    row,
    cells: Object.fromEntries(
      [...cells].map(([field, cell]) => {
        if ('text' in cell) return [field, cell.text];
        // A code or a name that is not what its cell shows is missing.
        return [field, field === 'position' ? cell.number : (cell.shown ?? '')];
      }),
    ),
  }));
}
