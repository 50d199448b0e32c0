import type { DocumentContent } from '@chargehand/domain';
import { readFrontMatter } from '../archive/front-matter.ts';
import { contentFromMarkdown } from '../markdown/from-markdown.ts';
import type { ShippedFile } from './shipped-files.ts';

/** A shipped text in the form in which it is stored. */
export interface ParsedFile extends ShippedFile {
  title: string;
  description: string;
  body: DocumentContent;
}

/** Parses shipped files in a worker thread. */
export default function parseShippedFiles(files: ShippedFile[]): ParsedFile[] {
  return files.map(parseShipped);
}

/** Parses the Markdown of a shipped file, which has no images and attachments. */
function parseShipped(file: ShippedFile): ParsedFile {
  const { values, markdown } = readFrontMatter(file.text);
  return {
    ...file,
    title: String(values.title),
    description: String(values.description),
    body: contentFromMarkdown(markdown, () => null),
  };
}
