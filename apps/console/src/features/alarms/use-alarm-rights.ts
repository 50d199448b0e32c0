import { DEVICE_LEVELS, type Levels, levelSuffices } from '@chargehand/domain';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { useUser } from '../../shared/session/use-user.ts';

/** What the user may do with alarms. The server decides it by the device. */
export function useAlarmRights(): { work: boolean; export: boolean; list: boolean } {
  const { user, info } = useUser();
  const { device } = info.role.levels as Levels;
  const onDevices = usePermitted(['auth_device_list', 'auth_device_detail']);
  const exports = usePermitted(['auth_device_list', 'auth_device_detail', 'auth_site_detail']);
  const list = usePermitted(['auth_device_list']);
  const reads = levelSuffices(device.read, DEVICE_LEVELS.read);
  return {
    work: onDevices && (user.root || !user.readOnly) && reads && levelSuffices(device.write, DEVICE_LEVELS.write),
    export: exports && reads && levelSuffices(device.download, DEVICE_LEVELS.download),
    list,
  };
}
