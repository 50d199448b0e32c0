import { DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../../shared/api/client.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { Donut } from '../../../../shared/ui/donut.tsx';
import { AddFigures } from '../../../../shared/ui/issues/add/add-figures.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { StatusTag } from '../../../../shared/ui/tags/status-tag.tsx';

const DEVICE_TONES: Record<DeviceStatus, string> = {
  faulted: 'faulted',
  offline: 'offline',
  working: 'working',
  idle: 'idle',
  maintain: 'maintain',
  firmwareUpdate: 'firmware-update',
  disabled: 'line-strong',
};

/** The number of devices in each status. */
export function DeviceStates({ counts: { total, byStatus } }: { counts: Answer<'countDevices'> }) {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const mayList = usePermitted(['auth_device_list']);
  return (
    <Panel
      title={t('deviceStates')}
      extra={
        <AddFigures
          name={t('deviceStates')}
          figures={() => ({
            title: t('deviceStates'),
            heading: t('state'),
            rows: DEVICE_STATUSES.map((status) => ({
              name: common(`deviceStatus.${status}`),
              values: [byStatus[status]],
              tone: DEVICE_TONES[status],
            })),
            series: [{ name: t('number'), tone: 'idle' }],
            bars: 'lying',
          })}
        />
      }
    >
      <Donut
        title={t('deviceStates')}
        total={total}
        unit={t('devices', { count: total })}
        parts={DEVICE_STATUSES.map((status) => ({
          key: status,
          label: <StatusTag status={status} />,
          count: byStatus[status],
          tone: DEVICE_TONES[status],
          to: mayList ? `/manage/device/list?status=${status}` : null,
        }))}
      />
    </Panel>
  );
}
