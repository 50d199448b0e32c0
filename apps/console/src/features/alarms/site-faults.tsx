import { POLL_MS, type SiteAlarmRow } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useChanged } from '../../shared/hooks/use-changed.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { AlarmLevel } from '../../shared/ui/alarm-level.tsx';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { FilterCheck } from '../../shared/ui/filter-check.tsx';
import { Dash, ExactTime } from '../../shared/ui/time-ago.tsx';
import { AlarmLasted, AlarmState, ConnectorName } from './alarms-section.tsx';
import { DeviceLink } from './device-link.tsx';
import './alarms.css';

const filters = { active: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'raisedAt'> = { filters, sorts: ['raisedAt'] };

/** What is wrong and what was wrong at a site: the alarm episodes of its devices. */
export default function SiteFaults({ siteId }: { siteId: number }) {
  const { t } = useTranslation('alarms');
  const list = useListQuery(SPEC);
  const { active, page, pageSize, sort } = list.query;
  const onlyActive = active === 'true' ? true : undefined;
  const alarms = useQuery({
    ...queryOf(
      'listSiteAlarms',
      { params: { id: siteId }, query: { page, pageSize, sort, active: onlyActive } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  const changed = useChanged(alarms.data?.items, (alarm) => `${alarm.clearedAt}|${alarm.level}|${alarm.repeats}`);
  const columns: DataColumn<SiteAlarmRow, 'raisedAt'>[] = [
    { title: t('level'), width: 72, render: (_, alarm) => <AlarmLevel level={alarm.level} /> },
    { title: t('state'), width: 110, render: (_, alarm) => <AlarmState alarm={alarm} /> },
    { title: t('device'), render: (_, alarm) => <DeviceLink id={alarm.deviceId} name={alarm.deviceName} /> },
    { title: t('connector'), render: (_, alarm) => <ConnectorName connector={alarm.connector} /> },
    {
      title: t('code'),
      render: (_, alarm) => (
        <>
          <strong className="alarm-code mono">{alarm.code}</strong>
          {alarm.info && <span className="quiet">{` · ${alarm.info}`}</span>}
        </>
      ),
    },
    { title: t('kind'), render: (_, alarm) => t(`kinds.${alarm.kind}`) },
    { title: t('raisedAt'), sortBy: 'raisedAt', render: (_, alarm) => <ExactTime at={alarm.raisedAt} /> },
    { title: t('lasted'), render: (_, alarm) => <AlarmLasted alarm={alarm} /> },
    { title: t('repeats'), align: 'end', render: (_, alarm) => (alarm.repeats > 1 ? `×${alarm.repeats}` : <Dash />) },
  ];
  return (
    <div className="stack">
      <FilterCheck
        checked={onlyActive === true}
        onChange={(checked) => list.change({ active: checked ? 'true' : undefined })}
      >
        {t('onlyActive')}
      </FilterCheck>
      <DataTable<SiteAlarmRow, typeof filters, 'raisedAt'>
        label={t('siteFaults')}
        query={alarms}
        list={list}
        columns={columns}
        rowKey="id"
        rowClassName={(alarm) =>
          `${changed.has(alarm.id) ? 'row-changed' : ''} ${alarm.clearedAt ? 'alarm-over' : 'alarm-active'}`
        }
        empty={{ text: t('empty') }}
        compact={(alarm) => (
          <div className="alarm-card">
            <span className="alarm-card-line">
              <AlarmLevel level={alarm.level} />
              <strong className="mono">{alarm.code}</strong>
              <AlarmState alarm={alarm} />
            </span>
            <span className="alarm-card-line">
              <DeviceLink id={alarm.deviceId} name={alarm.deviceName} />
            </span>
            <span className="alarm-card-line quiet">
              <ConnectorName connector={alarm.connector} />
              <ExactTime at={alarm.raisedAt} />
              <AlarmLasted alarm={alarm} />
            </span>
          </div>
        )}
      />
    </div>
  );
}
