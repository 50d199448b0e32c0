import type { ComponentProps } from 'react';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';

const ShareDialog = lazyDialog(async () => ({
  default: (await import('../../../shared/ui/shares/share-dialog.tsx')).ShareDialog,
}));

/** The dialog for a new share of a file or folder, or for a request for files. Loaded when it is opened. */
export function NewShare(props: ComponentProps<typeof ShareDialog>) {
  return <ShareDialog {...props} />;
}
