import { DEVICE_STATUSES, type DeviceStatus } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { StatusTag } from '../../../shared/ui/tags/status-tag.tsx';
import { countedFilters, type DeviceList } from './device-list.ts';
import css from './devices.module.css';
import { statusesAfterClick, statusesOf } from './status-filter.ts';

/** The number of devices in each status with the other filters applied. A click filters by it, Ctrl+click adds it. */
export function DeviceCounters({ list }: { list: DeviceList }) {
  const { t } = useTranslation('fleet');
  const chosen = statusesOf(list.query.status);
  const counters = useQuery({
    ...queryOf('countDevices', { query: countedFilters(list.query) }, { quiet: true }),
    placeholderData: keepPreviousData,
  });

  return (
    <fieldset className="counters" aria-label={t('list.counters')} aria-busy={counters.isPending}>
      <button
        type="button"
        className="counter"
        aria-pressed={chosen.length === 0}
        onClick={() => list.change({ status: undefined })}
      >
        <span className={css.counterLabel}>{t('list.total')}</span>
        <Count data={counters.data} />
      </button>
      {DEVICE_STATUSES.map((one) => (
        <button
          key={one}
          type="button"
          className="counter"
          aria-pressed={chosen.includes(one)}
          data-none={counters.data?.byStatus[one] === 0}
          title={t('list.counterHint')}
          onClick={(event) =>
            list.change({ status: statusesAfterClick(chosen, one, event.ctrlKey || event.metaKey || event.shiftKey) })
          }
        >
          <StatusTag status={one} />
          <Count data={counters.data} status={one} />
        </button>
      ))}
    </fieldset>
  );
}

function Count({ data, status }: { data: Answer<'countDevices'> | undefined; status?: DeviceStatus }) {
  const count = status ? data?.byStatus[status] : data?.total;
  return <span className={css.counterCount}>{count === undefined ? '·' : count.toLocaleString('en-US')}</span>;
}
