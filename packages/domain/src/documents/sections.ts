import { withoutEnds } from '../text/scan/scan.ts';
import { type ContentNode, type DocumentContent, textOfContent } from './content.ts';

/**
 * Longest section in the search index, and the overlap of its parts. A PostgreSQL `tsvector` keeps 255 positions of a
 * lexeme and 16,383 in total, so phrases are not found in longer texts.
 */
const SECTION_LENGTH = 3_000;
const SECTION_OVERLAP = 40;
/** Longest heading of a section, in characters. A `tsvector` of a longer one would be refused. */
const HEADING_LENGTH = 500;

const HYPHEN = 0x2d;

/** A part of a document below one heading. */
export interface Section {
  /** the heading with its place in the page, or null for the text before the first heading */
  heading: { text: string; anchor: string; level: number } | null;
  text: string;
}

/** The headings of a document with the anchors that links to them use. */
export function headingsOf(content: DocumentContent): NonNullable<Section['heading']>[] {
  const anchors = anchorsFor();
  return content.content.flatMap((node) => (isHeading(node) ? [headingOf(node, anchors)] : []));
}

/**
 * A document in sections for the search: one for each heading, long ones in overlapping parts, so that a text of up to
 * 40 characters is always found whole.
 */
export function sectionsOf(content: DocumentContent): Section[] {
  const anchors = anchorsFor();
  const sections: Section[] = [];
  let current: Section = { heading: null, text: '' };
  const close = () => {
    if (current.heading || current.text !== '') sections.push(...partsOf(current));
  };
  for (const node of content.content) {
    if (isHeading(node)) {
      close();
      current = { heading: headingOf(node, anchors), text: '' };
    } else {
      const text = isLinkList(node) ? '' : textOfContent(node).trim();
      if (text !== '') current.text += `${current.text === '' ? '' : '\n'}${text}`;
    }
  }
  close();
  return sections;
}

/**
 * True for a list whose items are links and nothing else, such as "See also". Its words are the titles of other
 * documents, which are found themselves.
 */
function isLinkList(node: ContentNode): boolean {
  if (node.type !== 'bulletList' && node.type !== 'orderedList') return false;
  const texts = textsOf(node).filter(({ text = '' }) => /[\p{L}\p{N}]/u.test(text));
  return texts.length > 0 && texts.every(({ marks = [] }) => marks.some(({ type }) => type === 'link'));
}

function textsOf(node: ContentNode): ContentNode[] {
  return node.type === 'text' ? [node] : (node.content ?? []).flatMap(textsOf);
}

function partsOf(section: Section): Section[] {
  const parts: Section[] = [];
  let start = 0;
  do {
    const end = start + SECTION_LENGTH;
    parts.push({ ...section, text: section.text.slice(start, end) });
    start = end - SECTION_OVERLAP;
  } while (start + SECTION_OVERLAP < section.text.length);
  return parts;
}

function isHeading(node: ContentNode): boolean {
  return node.type === 'heading';
}

function headingOf(node: ContentNode, anchors: (text: string) => string): NonNullable<Section['heading']> {
  const text = textOfContent(node).slice(0, HEADING_LENGTH).replace(/\s+/g, ' ').trim().toWellFormed();
  return { text, anchor: anchors(text), level: Number(node.attrs?.level ?? 1) };
}

/** Makes anchors of one page: the heading in lower case with hyphens, and a number where it was used before. */
function anchorsFor(): (text: string) => string {
  const used = new Map<string, number>();
  return (text) => {
    const words = text
      .toLowerCase()
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]+/gu, '-');
    const base = withoutEnds(words, (code) => code === HYPHEN).slice(0, 80) || 'section';
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    return count === 0 ? base : `${base}-${count + 1}`;
  };
}
