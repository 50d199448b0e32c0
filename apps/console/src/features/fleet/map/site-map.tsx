import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { MapLoading } from './layers/map-loading.tsx';
import css from './map.module.css';

const WorldMap = lazy(() => loadChunk(() => import('./world-map.tsx')));

/** The map, loaded when it is shown, because its coastlines are larger than the rest of a page. */
export function SiteMap(props: ComponentProps<typeof WorldMap>) {
  return (
    <Suspense
      fallback={
        <div className={`map ${css.mapWaiting}`}>
          <MapLoading />
        </div>
      }
    >
      <WorldMap {...props} />
    </Suspense>
  );
}
