import { lazy, Suspense } from 'react';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from './rich-text.module.css';
import type { RichTextProps } from './rich-text.tsx';

/** Loaded with its texts when something is written first. */
const RichText = lazy(() =>
  loadChunk(async () => {
    const [part] = await Promise.all([
      import('./rich-text.tsx'),
      loadWords(['editor', 'files', 'content', 'issue-files']),
    ]);
    return part;
  }),
);

/** A field for a text with pictures, files and mentions. */
export function TextField(props: RichTextProps) {
  return (
    <Suspense
      fallback={
        <div className={css.waiting}>
          <SkeletonRows rows={3} />
        </div>
      }
    >
      <RichText {...props} />
    </Suspense>
  );
}
