import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';

const ShareDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('../../../shared/ui/shares/share-dialog.tsx')).ShareDialog })),
);

/** The dialog for a new share of a file or folder, or for a request for files. Loaded when it is opened. */
export function NewShare(props: ComponentProps<typeof ShareDialog>) {
  return (
    <Suspense>
      <ShareDialog {...props} />
    </Suspense>
  );
}
