import type { DeviceDetail } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { obstacleOf } from './commands/command-state.ts';

/** Why a device takes no commands now; nothing if it does. */
export function ObstacleNote({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const obstacle = obstacleOf(device, 'softReset');
  if (!obstacle) return null;
  return <p className="warning-note">{obstacle === 'offline' ? t('offlineNote') : t(`obstacle.${obstacle}`)}</p>;
}
