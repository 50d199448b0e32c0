import type { CommandKind } from '@chargehand/domain';

/** The page that prepares a command to devices and shows what it would do: for devices, and with the command chosen. */
export function newCommandPath(deviceIds: readonly number[], kind?: CommandKind): string {
  return `/manage/device/batches/new?ids=${deviceIds.join(',')}${kind === undefined ? '' : `&what=${kind}`}`;
}
