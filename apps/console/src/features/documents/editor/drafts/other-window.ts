import type { Locale, SavedText } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { call } from '../../../../shared/api/client.ts';
import { chosenContent, decidedField, regionsOf } from '../../versions/conflict.ts';

/** A text that two others have in common. */
export interface CommonText {
  title: string;
  description: string;
  body: DocumentContent;
}

/** The same author's text in another window. */
export interface OtherDraft extends SavedText {
  draftId: string;
  savedAt: string;
}

/**
 * The text from which two drafts of one author were written: what this window last had in common with the server, or
 * the older one of the versions that the drafts follow. Null without one; then every difference is a choice.
 */
export async function commonText(
  of: { documentId: number; locale: Locale; agreed: CommonText | null },
  mine: SavedText,
  theirs: SavedText,
): Promise<CommonText | null> {
  if (of.agreed && mine.baseVersion === theirs.baseVersion) return of.agreed;
  const version = Math.min(mine.baseVersion, theirs.baseVersion);
  if (version === 0) return null;
  return await call('readVersion', { params: { id: of.documentId, locale: of.locale, version } }, { quiet: true });
}

/** Both drafts in one; null when both changed the same part in different ways. */
export function mergedDraft(base: CommonText | null, mine: SavedText, theirs: SavedText): SavedText | null {
  const title = decidedField(base?.title ?? null, mine.title, theirs.title);
  const description = decidedField(base?.description ?? null, mine.description, theirs.description);
  const regions = regionsOf(base?.body ?? null, mine.body, theirs.body);
  if (title === null || description === null || regions.some((region) => 'mine' in region)) return null;
  const baseVersion = Math.max(mine.baseVersion, theirs.baseVersion);
  return { title, description, body: chosenContent(regions, []), baseVersion };
}
