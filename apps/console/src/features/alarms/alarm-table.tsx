import type { AlarmRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button, type TableColumnType } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { useAddress } from '../../shared/hooks/use-address.ts';
import { useChanged } from '../../shared/hooks/use-changed.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import { writeListQuery } from '../../shared/lib/list-query.ts';
import { AlarmLevel } from '../../shared/ui/alarm-level.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { StatusGlyph } from '../../shared/ui/status-glyph.tsx';
import { Dash, ExactTime } from '../../shared/ui/time-ago.tsx';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { AlarmDialog } from './alarm-dialog.tsx';
import { AlarmFilters } from './alarm-filters.tsx';
import { ALARM_LIST, type AlarmPlace, type AlarmSort, filtersOf } from './alarm-list.ts';
import { AlarmLasted, AlarmState, CodeName, ConnectorName } from './alarm-marks.tsx';
import { DeviceLink, SiteLink } from './device-link.tsx';
import { LongTable } from './long-table.tsx';
import { useAlarmRights } from './use-alarm-rights.ts';
import { useStretches } from './use-stretches.ts';
import './alarms.css';

/** At most so many are acknowledged at once. */
const AT_ONCE = 100;

/** The one table of alarms: of the fleet, of a site, of a device. An alarm opens with what people say of it. */
export function AlarmTable({ place }: { place: AlarmPlace }) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const list = useListQuery(ALARM_LIST);
  const [search, setSearch] = useAddress();
  const rights = useAlarmRights();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [acknowledging, setAcknowledging] = useState<readonly number[] | null>(null);
  const wanted = filtersOf(list.query, place);
  const alarms = useStretches('listAlarms', wanted, (stretch, signal) =>
    call('listAlarms', { query: { ...wanted, ...stretch } }, { signal, quiet: true }),
  );
  const { customerId, siteId, deviceModelId, code } = list.query;
  const summary = useQuery(
    queryOf('summarizeAlarms', { query: { customerId, siteId, deviceModelId, code, ...place } }, { quiet: true }),
  );
  const rows = alarms.data?.pages.flatMap(({ items }) => items);
  const changed = useChanged(
    rows,
    (alarm) => `${alarm.clearedAt}|${alarm.level}|${alarm.repeats}|${alarm.acknowledgedAt}`,
  );
  const opened = Number(search.get('alarm'));
  const open = (id: number | undefined) => setSearch((now) => writeListQuery(now, { alarm: id }));
  const taken = (alarm: AlarmRow) => (
    <Acknowledged alarm={alarm} onTake={rights.work ? () => setAcknowledging([alarm.id]) : undefined} />
  );
  const sortable = (field: AlarmSort) => ({
    key: field,
    sorter: true,
    showSorterTooltip: false,
    sortOrder: orderOf(list.query.sort, field),
  });

  const columns: TableColumnType<AlarmRow>[] = [
    { title: t('level'), width: 76, ...sortable('level'), render: (_, alarm) => <AlarmLevel level={alarm.level} /> },
    { title: t('state'), width: 108, render: (_, alarm) => <AlarmState alarm={alarm} /> },
    {
      title: t('alarm'),
      render: (_, alarm) => (
        <span className="two-lines">
          <CodeName of={alarm} />
          <span className="quiet">
            {t(`kinds.${alarm.kind}`)}
            {alarm.info && ` · ${alarm.info}`}
          </span>
        </span>
      ),
    },
    { title: t('where'), render: (_, alarm) => <Where alarm={alarm} place={place} /> },
    { title: t('raisedAt'), ...sortable('raisedAt'), render: (_, alarm) => <ExactTime at={alarm.raisedAt} /> },
    { title: t('lasted'), render: (_, alarm) => <AlarmLasted alarm={alarm} /> },
    { title: t('repeats'), align: 'end', render: (_, { repeats }) => (repeats > 0 ? `×${repeats + 1}` : <Dash />) },
    { title: t('acknowledged'), render: (_, alarm) => taken(alarm) },
  ];

  return (
    <div className="stack">
      <AlarmFilters list={list} place={place} summary={summary.data} />
      {chosen.length > 0 && (
        <div className="alarm-chosen">
          <span>{t('chosen', { count: chosen.length })}</span>
          <Button type="primary" size="small" onClick={() => setAcknowledging(chosen.slice(0, AT_ONCE))}>
            {t('acknowledge.ok')}
          </Button>
          <button type="button" className="text-button" onClick={() => setChosen([])}>
            {t('chooseNone')}
          </button>
        </div>
      )}
      <LongTable<AlarmRow>
        label={t('title')}
        rows={rows}
        query={alarms}
        columns={columns}
        onOpen={(alarm) => open(alarm.id)}
        onSort={(sort) => list.change({ sort: sort as AlarmSort | undefined })}
        rowClassName={(alarm) =>
          `${changed.has(alarm.id) ? 'row-changed' : ''} ${alarm.clearedAt ? 'alarm-over' : 'alarm-active'}`
        }
        rowSelection={
          rights.work
            ? {
                selectedRowKeys: [...chosen],
                onChange: (keys) => setChosen(keys.map(Number)),
                getCheckboxProps: (alarm) => ({
                  disabled: alarm.acknowledgedAt !== null,
                  'aria-label': t('choose', { code: alarm.code, device: alarm.deviceName }),
                }),
              }
            : undefined
        }
        empty={
          list.filtered ? (
            <EmptyState
              text={common('table.noMatch')}
              action={
                <button type="button" className="text-button" onClick={list.clear}>
                  {common('table.clear')}
                </button>
              }
            />
          ) : (
            t('nothingOpen')
          )
        }
        compact={(alarm) => (
          <div className="alarm-card">
            <span className="alarm-card-line">
              <AlarmLevel level={alarm.level} />
              <span className="alarm-card-name">
                <CodeName of={alarm} />
              </span>
              <AlarmState alarm={alarm} />
            </span>
            {place.deviceId === undefined && (
              <span className="alarm-card-line">
                <DeviceLink id={alarm.deviceId} name={alarm.deviceName} />
                {place.siteId === undefined && <span className="quiet">{alarm.siteName}</span>}
              </span>
            )}
            <span className="alarm-card-line quiet">
              <ConnectorName of={alarm} />
              <AlarmLasted alarm={alarm} />
              {taken(alarm)}
            </span>
          </div>
        )}
      />
      {acknowledging && (
        <AcknowledgeDialog
          ids={acknowledging}
          onClose={() => setAcknowledging(null)}
          onDone={() => setChosen((now) => now.filter((id) => !acknowledging.includes(id)))}
        />
      )}
      {opened > 0 && <AlarmDialog id={opened} onClose={() => open(undefined)} />}
    </div>
  );
}

/** Where an alarm is, as far as the page does not say it already. */
function Where({ alarm, place }: { alarm: AlarmRow; place: AlarmPlace }) {
  const connector = <ConnectorName of={alarm} />;
  if (place.deviceId !== undefined) return connector;
  return (
    <span className="two-lines">
      <DeviceLink id={alarm.deviceId} name={alarm.deviceName} />
      <span className="quiet">
        {connector}
        {place.siteId === undefined && (
          <>
            {' · '}
            <SiteLink id={alarm.siteId} name={alarm.siteName} />
          </>
        )}
      </span>
    </span>
  );
}

/** Who has an alarm in hand, or the way to take it. */
export function Acknowledged({ alarm, onTake }: { alarm: AlarmRow; onTake: (() => void) | undefined }) {
  const { t } = useTranslation('alarms');
  if (alarm.acknowledgedAt) {
    return (
      <span className="alarm-taken" title={alarm.acknowledgedNote ?? undefined}>
        <StatusGlyph glyph="check" />
        {alarm.acknowledgedBy}
      </span>
    );
  }
  if (!onTake) return <Dash />;
  return (
    <Button size="small" onClick={onTake}>
      {t('acknowledge.ok')}
    </Button>
  );
}

function orderOf(sort: string | undefined, field: AlarmSort): 'ascend' | 'descend' | null {
  if (sort === undefined) return field === 'raisedAt' ? 'descend' : null;
  if (sort === field) return 'ascend';
  return sort === `-${field}` ? 'descend' : null;
}
