import type { DeviceDetail, ExecutionRow } from '@chargehand/contract';
import { formatSpan } from '@chargehand/domain';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useChanged } from '../../../shared/hooks/lists/use-changed.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { ReportIssue } from '../../../shared/ui/issues/report-issue.tsx';
import { useReportsIssues } from '../../../shared/ui/issues/report-path.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Pager } from '../../../shared/ui/table/pager.tsx';
import { Table } from '../../../shared/ui/table/table.tsx';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { Breakable } from '../../../shared/ui/values/breakable.tsx';
import { Dash, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { CancelButton } from '../commands/cancel-button.tsx';
import { useControlNames } from '../commands/use-control-names.ts';
import css from '../operations.module.css';
import { ExecutionStage, endOf, lookOf } from './execution-stage.tsx';
import { useExecutions } from './use-executions.ts';
import { VerificationMark } from './verification.tsx';

const MessageDialog = lazyDialog(() => import('../workbench/message-dialog.tsx'));
const PAGE_SIZE = 10;

/** The commands of a device with their results, newest first. Pending ones update automatically. */
export function Executions({ device }: { device: DeviceDetail }) {
  const { id: deviceId, protocol, may, connected } = device;
  const { t } = useTranslation('operations');
  const [page, setPage] = useState(1);
  const executions = useExecutions(deviceId, page, PAGE_SIZE);
  const changed = useChanged(executions.data?.items, lookOf);

  const inOneCell = useMedia('(max-width: 760px)');
  const reason = (execution: ExecutionRow) => (
    <>
      <ExecutionStage execution={execution} connected={connected} />
      {execution.lateAnswerAt && <span className="quiet">{` · ${t('progress.late')}`}</span>}{' '}
      <VerificationMark execution={execution} />
    </>
  );
  // The server checks the permission by command; users without permission see no button.
  const cancel = (execution: ExecutionRow) =>
    (may.control || may.readParameters || may.setParameters) && (
      <CancelButton execution={execution} name={t(`kinds.${execution.kind}.do`)} />
    );

  const reports = useReportsIssues();
  const report = ({ id, kind }: ExecutionRow) => (
    <ReportIssue of={{ executionId: id }} deviceId={deviceId} name={t(`kinds.${kind}.do`)} />
  );

  const columns: Column<ExecutionRow>[] = [
    {
      title: t('execution.result'),
      width: 96,
      render: (_, execution) => <ResultTag execution={execution} />,
    },
    {
      title: t('execution.command'),
      width: '34%',
      render: (_, execution) => <CommandName deviceId={deviceId} execution={execution} protocol={protocol} />,
    },
    { title: t('execution.reason'), render: (_, execution) => reason(execution) },
    {
      title: t('execution.queuedAt'),
      render: (_, execution) => (
        <>
          <span className="no-break">
            <TimeAgo at={execution.queuedAt} />
          </span>{' '}
          <span className="quiet">{execution.requestedBy || t('execution.automatic')}</span>
        </>
      ),
    },
    {
      title: t('execution.took'),
      className: 'no-break',
      align: 'end',
      render: (_, execution) => <Took execution={execution} />,
    },
    // Only with something in it, because an empty column would take room.
    ...(reports || executions.data?.items.some(({ state }) => state === 'queued')
      ? [
          {
            title: <span className="visually-hidden">{t('execution.actions')}</span>,
            align: 'end' as const,
            render: (_: unknown, execution: ExecutionRow) => (
              <span className="no-break">
                {cancel(execution)} {report(execution)}
              </span>
            ),
          },
        ]
      : []),
  ];
  const card = (execution: ExecutionRow) => (
    <div className={css.rowCard}>
      <div className={css.rowCardLine}>
        <ResultTag execution={execution} />
        <span className="quiet">
          <TimeAgo at={execution.queuedAt} /> · {execution.requestedBy || t('execution.automatic')}
        </span>
      </div>
      <div>
        <CommandName deviceId={deviceId} execution={execution} protocol={protocol} />
      </div>
      <div className={css.rowCardLine}>
        <span className="quiet">{reason(execution)}</span>
        <span className="no-break">
          {cancel(execution)} {report(execution)}
        </span>
      </div>
    </div>
  );

  return (
    <Panel title={t('history')}>
      {executions.isError && !executions.data ? (
        <ErrorState error={executions.error} onRetry={() => void executions.refetch()} />
      ) : !executions.data ? (
        <SkeletonRows rows={5} />
      ) : (
        <>
          <Table<ExecutionRow>
            className={css.flushTable}
            label={t('history')}
            showHeader={!inOneCell}
            columns={inOneCell ? [{ key: 'row', render: (_, execution) => card(execution) }] : columns}
            rows={executions.data.items}
            scrollWidth={inOneCell ? undefined : 600}
            rowClassName={(execution) => (changed.has(execution.id) ? 'row-changed' : '')}
            empty={<EmptyState text={t('execution.none')} />}
          />
          <Pager page={page} pageSize={PAGE_SIZE} total={executions.data.total} onPage={setPage} />
        </>
      )}
    </Panel>
  );
}

/** The name of a command with its connector, parameter and value. */
function CommandName(props: { deviceId: number; execution: ExecutionRow; protocol: string | null }) {
  const { deviceId, execution, protocol } = props;
  const [opened, setOpened] = useState(false);
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(protocol);
  const { nameOf } = useControlNames();
  const { key, value, idTag, message, action } = execution.params as Partial<
    Record<'key' | 'value' | 'idTag' | 'message' | 'action', string>
  >;
  const more = idTag ?? message ?? action;
  return (
    <>
      {nameOf(execution.kind, { name: null }, protocol)}
      {execution.connector > 0 && ` · ${connectorName(execution.connector)}`}
      {execution.batchId !== null && (
        <>
          {' · '}
          <Link className={css.executionBatch} to={`/manage/device/batches/${execution.batchId}`}>
            {t('batchOf', { id: execution.batchId })}
          </Link>
        </>
      )}
      {more !== undefined && <code className={css.executionParams}>{more}</code>}
      {execution.kind === 'sendMessage' && (
        <Button type="link" size="small" className={css.executionMessage} onClick={() => setOpened(true)}>
          {t('messageDetails')}
        </Button>
      )}
      {opened && <MessageDialog deviceId={deviceId} execution={execution} onClose={() => setOpened(false)} />}
      {key !== undefined && (
        <code className={css.executionParams}>
          <Breakable text={value === undefined ? key : `${key} = ${value}`} />
        </code>
      )}
    </>
  );
}

function Took({ execution }: { execution: ExecutionRow }) {
  const { sentAt } = execution;
  const endedAt = endOf(execution);
  if (sentAt === null || endedAt === null) return <Dash />;
  return <span className="no-break">{formatSpan(Date.parse(endedAt) - Date.parse(sentAt))}</span>;
}
