import type { DocumentContent } from '@chargehand/domain';
import { openArchive, UnreadableSheet } from '../../platform/xlsx/xlsx-archive.ts';
import { contentFromMarkdown } from '../markdown/from-markdown.ts';
import { readFrontMatter } from './front-matter.ts';

/** A Markdown file of an archive, or why it cannot be read. */
export type ReadFile =
  | { path: string; values: Record<string, unknown>; body: DocumentContent }
  | { path: string; problem: 'tooLarge' | 'unreadable' };

/** Largest Markdown file, in characters, and all files of an archive together. */
const FILE_LENGTH = 2_000_000;
const TOTAL_BYTES = 64 * 1024 * 1024;

/**
 * Reads an archive of Markdown files in a worker thread. Only names are used from the paths, so `..` in them leads
 * nowhere. @returns null when it is not an archive
 */
export default async function readDocuments(content: string): Promise<ReadFile[] | null> {
  try {
    const archive = await openArchive(Buffer.from(content, 'base64'), TOTAL_BYTES);
    const files: ReadFile[] = [];
    for (const path of archive.paths().filter((one) => /\.md$/i.test(one))) files.push(await readOne(archive, path));
    return files;
  } catch (error) {
    if (error instanceof UnreadableSheet) return null;
    throw error;
  }
}

async function readOne(archive: Awaited<ReturnType<typeof openArchive>>, path: string): Promise<ReadFile> {
  const text = await archive.read(path);
  if (text.length > FILE_LENGTH) return { path, problem: 'tooLarge' };
  try {
    const { values, markdown } = readFrontMatter(text);
    return { path, values, body: contentFromMarkdown(markdown, fileOf) };
  } catch {
    // Nested deeper than the parser can follow.
    return { path, problem: 'unreadable' };
  }
}

/** The id of an exported file. Whether the document has it is checked when the text is stored. */
function fileOf(path: string): string | null {
  return /^files\/([0-9]{1,10})(?:-|$)/.exec(path)?.[1] ?? null;
}
