import type { EditedText } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import type { LocalCopy } from './local-copy.ts';

/** The text with which the editor starts. */
export interface Start {
  from: 'published' | 'draft' | 'browser';
  title: string;
  description: string;
  body: DocumentContent;
  baseVersion: number;
  /** when the draft was stored */
  at: string | null;
  /** the draft on the server that this text includes; null: none */
  replaces: string | null;
}

/** The newest of the published text, the author's draft on the server, and the copy in this browser. */
export function startOf(text: EditedText, copy: LocalCopy | null): Start {
  const { draft } = text;
  if (copy && (!draft || copy.at > Date.parse(draft.savedAt))) {
    return { ...copy, from: 'browser', at: new Date(copy.at).toISOString() };
  }
  if (draft) return { ...draft, from: 'draft', at: draft.savedAt, replaces: draft.draftId };
  const { title, description, body, version } = text;
  return { from: 'published', title, description, body, baseVersion: version, at: null, replaces: null };
}
