import { BatchPage } from '../../features/operations/batches/batch-page.tsx';
import { lazyDialog } from '../../shared/ui/dialogs/lazy/lazy-dialog.tsx';

/** Belongs to another feature, and is loaded when it is opened. */
const LogById = lazyDialog(() => import('../../features/transfers/logs/log-by-id.tsx'));

export default function BatchScreen() {
  return <BatchPage openLog={LogById} />;
}
