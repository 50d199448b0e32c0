import { DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { StatusTag } from '../../../shared/ui/tags/status-tag.tsx';
import css from '../devices/devices.module.css';
import placesCss from './places.module.css';

interface Props {
  total: number;
  byStatus: Record<DeviceStatus, number>;
  /** filters the device list by this place */
  filter: string;
}

/** The number of devices of a place in each status, with links to these devices. */
export function StatusCounts({ total, byStatus, filter }: Props) {
  const { t } = useTranslation('fleet');
  const mayList = usePermitted(['auth_device_list']);
  const counts = [
    { key: 'all', label: <span className={css.counterLabel}>{t('list.total')}</span>, count: total, query: filter },
    ...DEVICE_STATUSES.map((status) => ({
      key: status,
      label: <StatusTag status={status} />,
      count: byStatus[status],
      query: `${filter}&status=${status}`,
    })),
  ];
  return (
    <nav className="counters" aria-label={t('list.counters')}>
      {counts.map(({ key, label, count, query }) => {
        const content = (
          <>
            {label}
            <span className={css.counterCount}>{count.toLocaleString('en-US')}</span>
          </>
        );
        return mayList ? (
          <Link key={key} className="counter" data-none={count === 0} to={`/manage/device/list?${query}`}>
            {content}
          </Link>
        ) : (
          <div key={key} className={`counter ${placesCss.counterPlain}`} data-none={count === 0}>
            {content}
          </div>
        );
      })}
    </nav>
  );
}
