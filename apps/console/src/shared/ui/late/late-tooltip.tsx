import type { ReactNode } from 'react';
import { useLate } from '../../hooks/late/use-late.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';

const load = () => loadChunk(() => import('./tooltip-part.ts'));

/** A text on hover and focus, loaded after the page: until then, and for those who never hover, its element is enough. */
export function LateTooltip({ title, children }: { title: string; children: ReactNode }) {
  const Part = useLate(load);
  return Part ? (
    <Part title={title}>
      <span>{children}</span>
    </Part>
  ) : (
    <span title={title}>{children}</span>
  );
}
