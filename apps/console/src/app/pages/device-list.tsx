import { lazy } from 'react';
import { DeviceListPage } from '../../features/fleet/devices/device-list-page.tsx';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';

/** Asking several devices at once is known to another room, and fetched when somebody wants it. */
const BatchDialog = lazy(() => loadChunk(() => import('../../features/operations/batches/batch-dialog.tsx')));

export default function DeviceListScreen() {
  return <DeviceListPage control={BatchDialog} />;
}
