import type { DocumentHit } from '@chargehand/contract';
import type { ReactNode } from 'react';

/** A text with marks where a search found something. */
export function Marked({ text, marks }: { text: string; marks: DocumentHit['marks'] }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { start, length } of marks) {
    parts.push(text.slice(end, start), <mark key={start}>{text.slice(start, start + length)}</mark>);
    end = start + length;
  }
  parts.push(text.slice(end));
  return parts;
}
