import type { AlarmRow, DeviceDetail } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useChanged } from '../../shared/hooks/use-changed.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { AlarmLevel } from '../../shared/ui/alarm-level.tsx';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { Duration, Since } from '../../shared/ui/duration.tsx';
import { FilterCheck } from '../../shared/ui/filter-check.tsx';
import { Tag } from '../../shared/ui/tag.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import './alarms.css';

const filters = { active: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'raisedAt'> = { filters, sorts: ['raisedAt'] };

/** The alarm episodes of a device: what is wrong now first, then what was. */
export default function AlarmsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('alarms');
  const list = useListQuery(SPEC);
  const { active, page, pageSize, sort } = list.query;
  const onlyActive = active === 'true' ? true : undefined;
  const alarms = useQuery({
    ...queryOf(
      'listAlarms',
      { params: { id: device.id }, query: { page, pageSize, sort, active: onlyActive } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const changed = useChanged(alarms.data?.items, (alarm) => `${alarm.clearedAt}|${alarm.level}|${alarm.repeats}`);
  const columns: DataColumn<AlarmRow, 'raisedAt'>[] = [
    { title: t('level'), width: 72, render: (_, alarm) => <AlarmLevel level={alarm.level} /> },
    { title: t('state'), width: 110, render: (_, alarm) => <AlarmState alarm={alarm} /> },
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
    { title: t('connector'), render: (_, alarm) => <ConnectorName connector={alarm.connector} /> },
    { title: t('raisedAt'), sortBy: 'raisedAt', render: (_, alarm) => <ExactTime at={alarm.raisedAt} /> },
    { title: t('clearedAt'), render: (_, alarm) => <ExactTime at={alarm.clearedAt} /> },
    { title: t('lasted'), render: (_, alarm) => <AlarmLasted alarm={alarm} /> },
    { title: t('repeats'), align: 'end', render: (_, alarm) => alarm.repeats },
  ];
  return (
    <div className="stack">
      <FilterCheck
        checked={onlyActive === true}
        onChange={(checked) => list.change({ active: checked ? 'true' : undefined })}
      >
        {t('onlyActive')}
      </FilterCheck>
      <DataTable
        label={t('title')}
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

/** Whether an episode goes on. */
export function AlarmState({ alarm }: { alarm: Pick<AlarmRow, 'clearedAt'> }) {
  const { t } = useTranslation('alarms');
  return alarm.clearedAt ? (
    <Tag tone="plain" glyph="check">
      {t('cleared')}
    </Tag>
  ) : (
    <Tag tone="faulted" glyph="alert">
      {t('active')}
    </Tag>
  );
}

/** How long an episode lasted, or has lasted so far. */
export function AlarmLasted({ alarm }: { alarm: Pick<AlarmRow, 'raisedAt' | 'clearedAt'> }) {
  if (!alarm.clearedAt) return <Since at={alarm.raisedAt} />;
  return <Duration seconds={(Date.parse(alarm.clearedAt) - Date.parse(alarm.raisedAt)) / 1_000} />;
}

/** Connector 0 is the device itself. */
export function ConnectorName({ connector }: { connector: number }) {
  const { t } = useTranslation('alarms');
  return <span className="no-break">{connector === 0 ? t('whole') : t('connectorNumber', { number: connector })}</span>;
}
