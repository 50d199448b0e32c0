import type { DocumentContent } from '@chargehand/domain';
import type { UnansweredRequest } from '../../../../shared/hooks/use-request-key.ts';
import type { CommentAudience } from './comment-audience.ts';

/** A comment that is not sent yet. */
export interface CommentDraft {
  body: DocumentContent;
  to: CommentAudience;
  /** the comment that it answers */
  quotes: number | null;
  /** it was sent, but no answer was received */
  request: UnansweredRequest | null;
}

/** Where a draft is stored: by user, because several people may use one browser. */
export function draftPlace(userId: number, issueId: number): string {
  return `chargehand.comment.${userId}.${issueId}`;
}

/** Stores what was typed, so that it survives a reload and the loss of the network. Null deletes it. */
export function storeDraft(place: string, draft: CommentDraft | null): void {
  try {
    if (draft === null) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(draft));
  } catch (error) {
    console.warn('The draft of a comment could not be stored in the browser', error);
  }
}

/** The stored draft; null when there is none, or none that can be read. */
export function readDraft(place: string): CommentDraft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(place) ?? 'null') as Partial<CommentDraft> | null;
    if (draft?.body?.type !== 'doc') return null;
    const { body, to = 'internal', quotes = null, request = null } = draft;
    return { body, to, quotes, request };
  } catch (error) {
    console.warn('The draft of a comment could not be read', error);
    return null;
  }
}
