import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';

const LinkDialog = lazy(() => loadChunk(() => import('./link-dialog.tsx')));

/** The dialog with a download link of a file. Loaded when it is opened. */
export function DownloadLink(props: ComponentProps<typeof LinkDialog>) {
  return (
    <Suspense>
      <LinkDialog {...props} />
    </Suspense>
  );
}
