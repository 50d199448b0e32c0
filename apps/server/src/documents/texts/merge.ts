import type { ContentNode, DocumentContent } from '@chargehand/domain';
import { diff3Merge } from 'node-diff3';

/**
 * Combines two changes of the same text by their top-level blocks: each block that only one author changed, added or
 * removed is taken from that author.
 * @returns null when both changed the same blocks in different ways
 */
export function mergeContents(
  base: DocumentContent,
  mine: DocumentContent,
  theirs: DocumentContent,
): DocumentContent | null {
  // The empty line after each block keeps changes of neighboring blocks apart.
  const [a, o, b] = [mine, base, theirs].map(({ content }) => content.flatMap((node) => [JSON.stringify(node), '']));
  const merged: ContentNode[] = [];
  for (const region of diff3Merge(a!, o!, b!, { excludeFalseConflicts: true })) {
    if (!region.ok) return null;
    merged.push(...region.ok.filter((json) => json !== '').map((json) => JSON.parse(json) as ContentNode));
  }
  return { type: 'doc', content: merged.length > 0 ? merged : [{ type: 'paragraph' }] };
}

/** The value of a field that two authors may have changed; null when both changed it in different ways. */
export function mergeField(base: string, mine: string, theirs: string): string | null {
  if (mine === theirs || theirs === base) return mine;
  return mine === base ? theirs : null;
}
