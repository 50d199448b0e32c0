import type { DeviceDetail } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Charts } from './charts.tsx';

/** Charts of a device's quantities over a moving or fixed range. */
export default function ChartsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('telemetry');
  return (
    <>
      <Charts devices={[device]} mayDownload={device.may.download} />
      <Link to={`/manage/device/charts?devices=${device.id}`}>{t('charts.compare')}</Link>
    </>
  );
}
