import type { AlarmRow } from '@chargehand/contract';
import { ALARM_LEVELS, type AlarmLevel as Level } from '@chargehand/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useChanged } from '../../shared/hooks/use-changed.ts';
import type { List } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { AlarmLevel } from '../../shared/ui/alarm-level.tsx';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { Duration, Since } from '../../shared/ui/duration.tsx';
import { FilterCheck } from '../../shared/ui/filter-check.tsx';
import { Tag } from '../../shared/ui/tag.tsx';
import { Dash, ExactTime } from '../../shared/ui/time-ago.tsx';
import { ConnectorName } from './connector-name.tsx';
import { Whose } from './device-link.tsx';
import './alarms.css';

const filters = { active: 'text', level: 'text' } as const;
export const ALARM_LIST: ListSpec<typeof filters, 'raisedAt'> = { filters, sorts: ['raisedAt'] };
type AlarmListPlace = List<typeof filters, 'raisedAt'>;

/** The place of a list of alarms as the contract's calls take it. */
export function alarmQueryOf({ active, page, pageSize, sort }: AlarmListPlace['query']) {
  return { page, pageSize, sort, active: active === 'true' ? true : undefined };
}

/** The level to which a list of several devices is narrowed. */
export function alarmLevelOf({ level }: AlarmListPlace['query']): Level | undefined {
  return ALARM_LEVELS.find((one) => one === level);
}

/** An episode; in a list of several devices with whose it is. */
type Row = AlarmRow & { deviceId?: number; deviceName?: string };

interface Props {
  label: string;
  alarms: UseQueryResult<{ items: Row[]; total: number }>;
  list: AlarmListPlace;
  /** the alarms are those of several devices */
  ofDevices?: boolean;
}

/** Alarm episodes: what is wrong now first, then what was. */
export function AlarmList({ label, alarms, list, ofDevices = false }: Props) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const changed = useChanged(alarms.data?.items, (alarm) => `${alarm.clearedAt}|${alarm.level}|${alarm.repeats}`);
  const columns: DataColumn<Row, 'raisedAt'>[] = [
    { title: t('level'), width: 72, render: (_, alarm) => <AlarmLevel level={alarm.level} /> },
    { title: t('state'), width: 110, render: (_, alarm) => <AlarmState alarm={alarm} /> },
    ...(ofDevices ? [{ title: t('device'), render: (_: unknown, alarm: Row) => <Whose row={alarm} /> }] : []),
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
    ...(ofDevices
      ? []
      : [{ title: t('clearedAt'), render: (_: unknown, alarm: Row) => <ExactTime at={alarm.clearedAt} /> }]),
    { title: t('lasted'), render: (_, alarm) => <AlarmLasted alarm={alarm} /> },
    { title: t('repeats'), align: 'end', render: (_, alarm) => (alarm.repeats > 1 ? `×${alarm.repeats}` : <Dash />) },
  ];
  return (
    <div className="stack">
      <search className="field-row" aria-label={label}>
        {ofDevices && (
          <Select
            className="alarm-level-filter"
            allowClear
            value={alarmLevelOf(list.query)}
            placeholder={t('level')}
            aria-label={t('level')}
            popupMatchSelectWidth={false}
            options={ALARM_LEVELS.toReversed().map((level) => ({
              value: level,
              label: `${level} · ${common(`alarmLevel.${level}`)}`,
            }))}
            onChange={(level: Level | undefined) => list.change({ level })}
          />
        )}
        <FilterCheck
          checked={list.query.active === 'true'}
          onChange={(checked) => list.change({ active: checked ? 'true' : undefined })}
        >
          {t('onlyActive')}
        </FilterCheck>
      </search>
      <DataTable
        label={label}
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
            {ofDevices && (
              <span className="alarm-card-line">
                <Whose row={alarm} />
              </span>
            )}
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
function AlarmState({ alarm }: { alarm: Pick<AlarmRow, 'clearedAt'> }) {
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
function AlarmLasted({ alarm }: { alarm: Pick<AlarmRow, 'raisedAt' | 'clearedAt'> }) {
  if (!alarm.clearedAt) return <Since at={alarm.raisedAt} />;
  return <Duration seconds={(Date.parse(alarm.clearedAt) - Date.parse(alarm.raisedAt)) / 1_000} />;
}
