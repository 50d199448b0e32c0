import { deviceDirectory } from '../../fleet/directory.ts';
import type { Testbed } from './gateway-testbed.ts';

export { listWaitingDevices } from '../../fleet/waiting-devices/waiting-devices.store.ts';

/** Makes a testbed store unregistered devices as the product does, in the form that the page shows. */
export function storeUnknownDevices(bed: Testbed): void {
  bed.parts.directory.reportUnknown = deviceDirectory(bed.database.db).reportUnknown;
}
