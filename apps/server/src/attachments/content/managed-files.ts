import { deviceLevels, meets } from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';

/**
 * May a user download a file that belongs to a firmware or to the logs of a device? This also needs what their own
 * pages require. True for all other files.
 */
export function mayDownloadManaged(
  user: Pick<Caller, 'root' | 'platformVendor' | 'levels'>,
  { firmwareId, deviceLogId }: { firmwareId: number | null; deviceLogId: number | null },
): boolean {
  const rights = deviceLevels({ parameterRead: 5, parameterWrite: 5, control: 5 });
  if (firmwareId !== null) return (user.root || user.platformVendor) && meets(user.levels, rights.edit);
  return deviceLogId === null || meets(user.levels, rights.download);
}
