import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../../../shared/lib/browser/load-chunk.ts';
import css from '../places.module.css';

const RegionPicker = lazy(() => loadChunk(() => import('./region-picker.tsx')));

/** The region picker, loaded when it is shown. */
export function RegionField(props: ComponentProps<typeof RegionPicker>) {
  return (
    <Suspense fallback={<span className={css.regionWaiting} />}>
      <RegionPicker {...props} />
    </Suspense>
  );
}
