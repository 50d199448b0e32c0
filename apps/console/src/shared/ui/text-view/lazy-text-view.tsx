import { lazy, Suspense } from 'react';
import { loadWords } from '../../i18n/i18n.ts';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import type { TextViewProps } from './text-view.tsx';

/** Loaded with its texts when a text is first opened. */
const View = lazy(async () => {
  const [view] = await Promise.all([import('./text-view.tsx'), loadWords(['files'])]);
  return view;
});

/** A text of which parts are loaded, with search and line wrap. */
export function LazyTextView(props: TextViewProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <View {...props} />
    </Suspense>
  );
}
