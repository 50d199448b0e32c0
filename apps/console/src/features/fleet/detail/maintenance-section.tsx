import type { DeviceDetail, MaintenanceRow } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { CardLine } from '../../../shared/ui/list-page/list-card.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Pager } from '../../../shared/ui/table/pager.tsx';
import { Table } from '../../../shared/ui/table/table.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import type { DevicePartProps } from './device-detail-page.tsx';
import '../../../shared/ui/list-page/data-table.css';
import './maintenance.module.css';

const MaintenanceDialog = lazyDialog(() => import('../devices/dialogs/maintenance-dialog.tsx'));

const PAGE_SIZE = 20;

/** The maintenance of a device: when it is due, its history, and whether work is in progress. */
export default function MaintenanceSection({ device }: DevicePartProps) {
  const { t } = useTranslation('devices');
  const [page, setPage] = useState(1);
  const [dialog, setDialog] = useState<'record' | 'begin' | 'end' | null>(null);
  const history = useQuery({
    ...queryOf(
      'listMaintenances',
      { params: { id: device.id }, query: { page, pageSize: PAGE_SIZE, sort: '-beganAt' } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const works = device.maintenance;
  const running = history.data?.items.find(({ endedAt }) => endedAt === null);
  return (
    <div className="stack">
      <Panel
        title={t('maintenance.title')}
        extra={
          device.may.edit && (
            <span className="field-row">
              <Button size="small" onClick={() => setDialog('record')}>
                {t('maintenance.record')}
              </Button>
              <Button size="small" onClick={() => setDialog(works ? 'end' : 'begin')}>
                {t(works ? 'maintenance.end' : 'maintenance.begin')}
              </Button>
            </span>
          )
        }
      >
        {works && (
          <p className="warning-note" role="status">
            {running?.beganBy
              ? t('maintenance.running', { time: formatTime(running.beganAt), name: running.beganBy })
              : t('maintenance.runningPlain')}
          </p>
        )}
        <Service device={device} />
      </Panel>
      <Panel title={t('maintenance.history')}>
        {history.isError && !history.data && (
          <ErrorState error={history.error} onRetry={() => void history.refetch()} />
        )}
        {history.isPending && <SkeletonRows rows={4} />}
        {history.data && <History rows={history.data.items} />}
        {history.data && <Pager page={page} pageSize={PAGE_SIZE} total={history.data.total} onPage={setPage} />}
      </Panel>
      {dialog && <MaintenanceDialog kind={dialog} device={device} onClose={() => setDialog(null)} />}
    </div>
  );
}

function Service({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { maintenanceCycleDays: cycle, maintenanceDueAt: due, unmaintainedDays: days } = device;
  const overdue = cycle !== null && days >= cycle;
  return (
    <Describe
      items={[
        {
          key: 'cycle',
          label: t('maintenance.cycle'),
          value: cycle === null ? t('maintenance.noCycle') : common('duration.days', { count: cycle }),
        },
        {
          key: 'last',
          label: t('maintenance.last'),
          value: device.maintainedAt ? <ExactTime at={device.maintainedAt} /> : t('maintenance.never'),
        },
        {
          key: 'since',
          label: t('maintenance.since'),
          value: <span data-warn={overdue}>{common('duration.days', { count: days })}</span>,
        },
        {
          key: 'due',
          label: t('maintenance.due'),
          value: due && (
            <span data-warn={overdue}>
              <ExactTime at={due} />
              {overdue && ` · ${t('maintenance.overdue')}`}
            </span>
          ),
        },
        {
          key: 'runtime',
          label: t('maintenance.runtime'),
          value: (
            <span title={t('maintenance.runtimeHint')}>
              <Duration seconds={device.totalRuntimeSeconds} />
            </span>
          ),
        },
      ]}
    />
  );
}

function History({ rows }: { rows: readonly MaintenanceRow[] }) {
  const { t } = useTranslation('devices');
  const inOneCell = useMedia('(max-width: 760px)');
  if (rows.length === 0) return <EmptyState text={t('maintenance.empty')} />;
  const columns = [
    {
      key: 'when',
      title: t('maintenance.when'),
      render: (_: unknown, row: MaintenanceRow) => <ExactTime at={row.beganAt} />,
    },
    { key: 'kind', title: t('maintenance.kind'), render: (_: unknown, row: MaintenanceRow) => <Kind row={row} /> },
    { key: 'by', title: t('maintenance.by'), render: (_: unknown, row: MaintenanceRow) => userNames(row) },
    { key: 'took', title: t('maintenance.took'), render: (_: unknown, row: MaintenanceRow) => <Took row={row} /> },
    { key: 'after', title: t('maintenance.after'), render: (_: unknown, row: MaintenanceRow) => <After row={row} /> },
    { key: 'note', title: t('maintenance.note'), render: (_: unknown, row: MaintenanceRow) => <Note row={row} /> },
  ];
  const compact = [
    {
      key: 'row',
      render: (_: unknown, row: MaintenanceRow) => (
        <div className="stack-tight">
          <CardLine end={<Took row={row} />}>
            <ExactTime at={row.beganAt} /> <Kind row={row} />
          </CardLine>
          <span className="quiet">{userNames(row)}</span>
          <Note row={row} />
        </div>
      ),
    },
  ];
  return (
    <div className="data-table">
      <Table<MaintenanceRow>
        label={t('maintenance.history')}
        showHeader={!inOneCell}
        rows={rows}
        columns={inOneCell ? compact : columns}
      />
    </div>
  );
}

/** Who started the work, and who ended it if it was somebody else. */
function userNames({ beganBy, endedBy }: MaintenanceRow): string {
  return endedBy === null || endedBy === beganBy ? beganBy : `${beganBy} → ${endedBy}`;
}

function Kind({ row }: { row: MaintenanceRow }) {
  const { t } = useTranslation('devices');
  return <span>{t(row.maintained ? 'maintenance.kindDone' : 'maintenance.kindWork')}</span>;
}

function Took({ row }: { row: MaintenanceRow }) {
  const { t } = useTranslation('devices');
  if (row.endedAt === null) return <span className="quiet">{t('maintenance.goesOn')}</span>;
  const seconds = (Date.parse(row.endedAt) - Date.parse(row.beganAt)) / 1_000;
  return seconds < 1 ? null : <Duration seconds={seconds} />;
}

function After({ row }: { row: MaintenanceRow }) {
  const { t } = useTranslation('devices');
  if (row.unmaintainedDays === null) return null;
  return (
    <span className="no-break">
      {t('maintenance.afterDays', { count: row.unmaintainedDays })}
      {row.runtimeSeconds !== null && (
        <span className="quiet">
          {` · ${t('maintenance.atRuntime')} `}
          <Duration seconds={row.runtimeSeconds} />
        </span>
      )}
    </span>
  );
}

function Note({ row }: { row: MaintenanceRow }) {
  return <span className="pre-text">{row.note}</span>;
}
