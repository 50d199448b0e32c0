import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';

/** The dialog with a download link of a file. */
export const DownloadLink = lazyDialog(() => import('./link-dialog.tsx'));
