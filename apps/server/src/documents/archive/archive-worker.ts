import { randomUUID } from 'node:crypto';
import type { DocumentContent } from '@chargehand/domain';
import { contentFromMarkdown } from '../markdown/from-markdown.ts';
import { readFrontMatter } from './front-matter.ts';
import { type FindTarget, type Target, targetFinder } from './references.ts';

/** The Markdown files of an archive, and the paths of all its entries. */
export interface ArchiveTexts {
  texts: readonly { path: string; text: string }[];
  paths: readonly string[];
}

/** A picture or a link to a file. */
export interface Reference {
  /** in the Markdown file, from 1 */
  line: number;
  url: string;
  target: Exclude<Target, { to: 'page' | 'document' }>;
  /** the size of a picture, as the export noted it */
  size: readonly unknown[] | null;
}

/** A link to another document of the archive. */
export interface DocumentLink {
  /** in the content, until the document has an id */
  href: string;
  /** as it is in the Markdown file */
  url: string;
  line: number;
  /** the Markdown file; null when the archive does not contain it */
  path: string | null;
}

/** A Markdown file of an archive, or why it cannot be read. */
export type ReadFile =
  | {
      path: string;
      values: Record<string, unknown>;
      /** `file` of its nodes is the position of a reference */
      body: DocumentContent;
      references: Reference[];
      links: DocumentLink[];
    }
  | { path: string; problem: 'tooLarge' | 'unreadable' };

/** Largest Markdown file, in characters. */
const FILE_LENGTH = 2_000_000;

/** Reads the Markdown files of an archive in a worker thread. */
export default function readDocuments({ texts, paths }: ArchiveTexts): ReadFile[] {
  const find = targetFinder(paths);
  return texts.map(({ path, text }) => readOne(path, text, find));
}

function readOne(path: string, text: string, find: FindTarget): ReadFile {
  if (text.length > FILE_LENGTH) return { path, problem: 'tooLarge' };
  try {
    const { values, markdown, line: before } = readFrontMatter(text);
    const sizes = sizesOf(path, values.sizes, find);
    const references: Reference[] = [];
    const links: DocumentLink[] = [];
    // No text of the archive can contain it.
    const secret = randomUUID();
    const body = contentFromMarkdown(markdown, (url, { isPicture, line }) => {
      const target = find(path, url, isPicture);
      if (target.to === 'page') return null;
      if (target.to === 'document') {
        const href = `/${secret}/${links.length}`;
        links.push({ href, url, line: before + line, path: target.path });
        return { href };
      }
      const size = target.to === 'entry' ? (sizes.get(target.path) ?? null) : null;
      references.push({ line: before + line, url, target, size });
      return target.to === 'remote' ? null : String(references.length - 1);
    });
    return { path, values, body, references, links };
  } catch {
    // Nested deeper than the parser can follow.
    return { path, problem: 'unreadable' };
  }
}

function sizesOf(document: string, sizes: unknown, find: FindTarget): Map<string, readonly unknown[]> {
  const found = new Map<string, readonly unknown[]>();
  if (typeof sizes !== 'object' || sizes === null) return found;
  for (const [url, size] of Object.entries(sizes)) {
    const target = find(document, url, true);
    if (target.to === 'entry' && Array.isArray(size)) found.set(target.path, size.slice(0, 2));
  }
  return found;
}
