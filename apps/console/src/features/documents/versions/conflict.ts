import { type ContentNode, cleanContent, type DocumentContent } from '@chargehand/domain';
import { diff3Merge } from 'node-diff3';

/** A part of two texts: the same or changed by one author, or changed by both. */
export type Region = { both: ContentNode[] } | { mine: ContentNode[]; theirs: ContentNode[] };
/** What an author chooses where both changed a part. */
export type Choice = 'mine' | 'theirs' | 'both';

/** The parts of two texts with a common earlier version. Parts that one author changed are already decided. */
export function regionsOf(base: DocumentContent | null, mine: DocumentContent, theirs: DocumentContent): Region[] {
  const [a, o, b] = [mine, base, theirs].map((content) =>
    // As in the server's merge: an empty line after each block keeps neighboring changes apart.
    content === null ? [] : cleanContent(content).content.flatMap((node) => [JSON.stringify(node), '']),
  );
  const nodes = (lines: readonly string[]) =>
    lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ContentNode);
  return diff3Merge(a!, o!, b!, { excludeFalseConflicts: true }).map((region) =>
    region.ok ? { both: nodes(region.ok) } : { mine: nodes(region.conflict!.a), theirs: nodes(region.conflict!.b) },
  );
}

/** The text that results from the choices, one for each part that both changed. */
export function chosenContent(regions: readonly Region[], choices: readonly Choice[]): DocumentContent {
  let conflict = 0;
  const content = regions.flatMap((region) => {
    if ('both' in region) return region.both;
    const choice = choices[conflict] ?? 'both';
    conflict += 1;
    return [...(choice === 'mine' ? [] : region.theirs), ...(choice === 'theirs' ? [] : region.mine)];
  });
  return cleanContent({ type: 'doc', content });
}

/** A field that both may have changed: the decided value, or null. */
export function decidedField(base: string | null, mine: string, theirs: string): string | null {
  if (mine === theirs || theirs === base) return mine;
  return mine === base ? theirs : null;
}
