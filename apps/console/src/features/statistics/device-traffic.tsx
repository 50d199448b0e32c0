import type { DeviceDetail } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { StepSwitch, useStep } from './step-switch.tsx';
import { TrafficChart } from './traffic-chart.tsx';

/** The bytes from and to one device over time. */
export default function DeviceTraffic({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('statistics');
  const [step, setStep] = useStep();
  const traffic = useQuery({
    ...queryOf('readDeviceTraffic', { params: { id: device.id }, query: { step } }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  if (traffic.isError && !traffic.data) {
    return <ErrorState error={traffic.error} onRetry={() => void traffic.refetch()} />;
  }
  if (!traffic.data) return <SkeletonRows rows={6} />;
  return (
    <div className="stack">
      <div className="field-row">
        <StepSwitch value={step} onChange={setStep} names={{ hour: t('traffic.hours'), day: t('traffic.days') }} />
      </div>
      <TrafficChart
        traffic={traffic.data}
        title={t('traffic.deviceChart')}
        of={{ name: device.name, deviceId: device.id }}
      />
    </div>
  );
}
