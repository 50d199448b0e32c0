import type { DeviceDetail, ExecutionRow } from '@chargehand/contract';
import { Table, type TableColumnType } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useChanged } from '../../shared/hooks/use-changed.ts';
import { useConnectorName } from '../../shared/hooks/use-connector-name.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { Panel } from '../../shared/ui/page-header.tsx';
import { ResultTag } from '../../shared/ui/result-tag.tsx';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import { Dash, TimeAgo } from '../../shared/ui/time-ago.tsx';
import { CancelButton } from './cancel-button.tsx';
import { useExecutions } from './use-executions.ts';
import { useReason } from './use-reason.ts';
import { VerificationMark } from './verification.tsx';

const PAGE_SIZE = 10;

/** What was asked of a device and how it ended, newest first; what is under way moves on by itself. */
export function Executions({ device }: { device: DeviceDetail }) {
  const { id: deviceId, protocol, may } = device;
  const { t } = useTranslation('operations');
  const { t: common } = useTranslation();
  const [page, setPage] = useState(1);
  const executions = useExecutions(deviceId, page, PAGE_SIZE);
  const reasonOf = useReason();
  const changed = useChanged(
    executions.data?.items,
    ({ state, result, lateAnswerAt, verification }) => `${state}${result}${lateAnswerAt}${verification?.state}`,
  );

  const columns: TableColumnType<ExecutionRow>[] = [
    {
      title: t('execution.result'),
      width: 96,
      render: (_, execution) => <ResultTag result={execution.result} />,
    },
    {
      title: t('execution.command'),
      render: (_, execution) => <CommandName execution={execution} protocol={protocol} />,
    },
    {
      title: t('execution.reason'),
      render: (_, execution) => (
        <>
          {reasonOf(execution) || <span className="quiet">{t(`progress.short.${standOf(execution)}`)}</span>}
          {execution.detail && <span className="quiet">{` · ${execution.detail}`}</span>}
          {execution.lateAnswerAt && <span className="quiet">{` · ${t('progress.late')}`}</span>}
          <VerificationMark execution={execution} />
        </>
      ),
    },
    { title: t('execution.queuedAt'), render: (_, execution) => <TimeAgo at={execution.queuedAt} /> },
    { title: t('execution.took'), align: 'end', render: (_, execution) => <Took execution={execution} /> },
    { title: t('execution.by'), dataIndex: 'requestedBy' },
    {
      title: <span className="visually-hidden">{t('cancel.do')}</span>,
      align: 'end',
      // The server decides by the command; who may do nothing here is offered nothing.
      render: (_, execution) =>
        (may.control || may.readParameters || may.setParameters) && (
          <CancelButton execution={execution} name={t(`kinds.${execution.kind}.do`)} />
        ),
    },
  ];

  return (
    <Panel title={t('history')}>
      {executions.isError && !executions.data ? (
        <ErrorState error={executions.error} onRetry={() => void executions.refetch()} />
      ) : !executions.data ? (
        <SkeletonRows rows={5} />
      ) : (
        <Table<ExecutionRow>
          className="flush-table"
          aria-label={t('history')}
          size="small"
          rowKey="id"
          columns={columns}
          dataSource={executions.data.items}
          scroll={{ x: 600 }}
          rowClassName={(execution) => (changed.has(execution.id) ? 'row-changed' : '')}
          locale={{ emptyText: <EmptyState text={t('execution.none')} /> }}
          pagination={{
            current: page,
            pageSize: PAGE_SIZE,
            total: executions.data.total,
            size: 'small',
            hideOnSinglePage: true,
            showSizeChanger: false,
            showTotal: (count, [from, to]) => common('table.range', { from, to, count }),
            onChange: setPage,
          }}
        />
      )}
    </Panel>
  );
}

/** How something stands that has not ended: what waits for its device, waits longer than for its turn. */
function standOf({ state, whenOffline }: ExecutionRow): ExecutionRow['state'] | 'waits' {
  return state === 'queued' && whenOffline === 'queue' ? 'waits' : state;
}

/** What was asked: the command, the connector it was for, the parameter and its value. */
function CommandName({ execution, protocol }: { execution: ExecutionRow; protocol: string | null }) {
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(protocol);
  const { key, value } = execution.params as { key?: string; value?: string };
  return (
    <>
      {t(`kinds.${execution.kind}.do`)}
      {execution.connector > 0 && ` · ${connectorName(execution.connector)}`}
      {execution.batchId !== null && (
        <>
          {' · '}
          <Link className="execution-batch" to={`/manage/device/batch/${execution.batchId}`}>
            {t('batchOf', { id: execution.batchId })}
          </Link>
        </>
      )}
      {key !== undefined && <code className="execution-params">{value === undefined ? key : `${key} = ${value}`}</code>}
    </>
  );
}

function Took({ execution }: { execution: ExecutionRow }) {
  const { t } = useTranslation();
  const { sentAt, endedAt } = execution;
  if (sentAt === null || endedAt === null) return <Dash />;
  const ms = Date.parse(endedAt) - Date.parse(sentAt);
  return (
    <span className="no-break">
      {ms < 10_000
        ? t('duration.milliseconds', { count: ms })
        : t('duration.seconds', { count: Math.round(ms / 1_000) })}
    </span>
  );
}
