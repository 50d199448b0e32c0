import { DeviceListPage } from '../../features/fleet/devices/device-list-page.tsx';
import { lazyDialog } from '../../shared/ui/dialogs/lazy/lazy-dialog.tsx';

/** Belongs to another feature, and is loaded when it is opened. */
const BatchDialog = lazyDialog(() => import('../../features/operations/batches/batch-dialog.tsx'));

export default function DeviceListScreen() {
  return <DeviceListPage control={BatchDialog} />;
}
