import type { DeviceDetail } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Charts } from './charts.tsx';

/** The course of the quantities a device reports, over a range that moves on or stands still. */
export default function ChartsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('telemetry');
  return (
    <>
      <Charts devices={[device]} mayDownload={device.may.download} />
      <Link to={`/manage/device/charts?devices=${device.id}`}>{t('charts.compare')}</Link>
    </>
  );
}
