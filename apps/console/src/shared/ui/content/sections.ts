import { type ContentNode, type DocumentContent, headingsOf } from '@chargehand/domain';

/** A part of a page that the browser lays out once it comes near the visible area. */
export interface PageSection {
  blocks: readonly ContentNode[];
  /** the anchors of its headings */
  anchors: ReadonlyMap<ContentNode, string>;
}

/** A part has at least this many blocks before a heading starts the next one, and at most `MOST`. */
const FEWEST = 4;
const MOST = 40;

interface OpenSection {
  blocks: ContentNode[];
  anchors: Map<ContentNode, string>;
}

/** The top-level blocks of a document in parts, which start at headings where possible. */
export function pageSections(content: DocumentContent): PageSection[] {
  const anchors = headingsOf(content).map(({ anchor }) => anchor);
  let heading = 0;
  const sections: OpenSection[] = [];
  for (const block of content.content) {
    const open = sections.at(-1);
    const starts = block.type === 'heading' && (open?.blocks.length ?? 0) >= FEWEST;
    const section: OpenSection =
      !open || starts || open.blocks.length >= MOST ? { blocks: [], anchors: new Map() } : open;
    if (section !== open) sections.push(section);
    section.blocks.push(block);
    if (block.type === 'heading') {
      section.anchors.set(block, anchors[heading]!);
      heading += 1;
    }
  }
  return sections;
}
