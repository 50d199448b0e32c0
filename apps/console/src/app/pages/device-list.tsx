import { lazy } from 'react';
import { DeviceListPage } from '../../features/fleet/devices/device-list-page.tsx';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';

/** Belongs to another feature, and is loaded when it is opened. */
const BatchDialog = lazy(() => loadChunk(() => import('../../features/operations/batches/batch-dialog.tsx')));

export default function DeviceListScreen() {
  return <DeviceListPage control={BatchDialog} />;
}
