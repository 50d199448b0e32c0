import type { JobRow, JobRunRow } from '@chargehand/contract';
import { formatSpan } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { useUser } from '../../shared/session/use-user.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Table } from '../../shared/ui/table/table.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Dash, ExactTime, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import '../../shared/ui/list-page/data-table.css';
import css from './system.module.css';

/** The scheduled work of the server. A row opens the history of its job. */
export function Jobs() {
  const { t } = useTranslation('system');
  const jobs = useQuery(queryOf('listJobs', {}));
  const [open, setOpen] = useState<JobRow | null>(null);
  const narrow = useMedia('(max-width: 760px)');
  const { user } = useUser();
  if (!jobs.data) {
    return jobs.isError ? <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} /> : <SkeletonRows />;
  }
  const title = (row: JobRow) => (
    <button
      type="button"
      className="text-button"
      aria-label={t('jobs.open', { job: t(`jobNames.${row.job}`) })}
      onClick={() => setOpen(row)}
    >
      {t(`jobNames.${row.job}`)}
    </button>
  );
  const every = ({ everySeconds }: JobRow) =>
    everySeconds === null ? t('jobs.onRequest') : formatSpan(everySeconds * 1_000);
  const columns = [
    { title: t('jobs.job'), render: (_: unknown, row: JobRow) => title(row) },
    { title: t('jobs.every'), render: (_: unknown, row: JobRow) => every(row) },
    {
      title: t('jobs.result'),
      render: (_: unknown, row: JobRow) => <RunResult run={row.last} since={row.runningSince} />,
    },
    { title: t('jobs.last'), render: (_: unknown, { last }: JobRow) => <TimeAgo at={last?.startedAt ?? null} /> },
    {
      title: t('jobs.duration'),
      render: (_: unknown, { last }: JobRow) => (last ? formatSpan(last.durationMs) : <Dash />),
    },
    { title: t('jobs.next'), render: (_: unknown, row: JobRow) => <ExactTime at={row.nextAt} /> },
    { title: t('jobs.process'), render: (_: unknown, row: JobRow) => row.process ?? <Dash /> },
    ...(user.root ? [{ title: '', key: 'run', render: (_: unknown, row: JobRow) => <RunNow row={row} /> }] : []),
  ];
  const compact = (row: JobRow) => (
    <div className={css.job}>
      <div>
        {title(row)}
        <p>
          <RunResult run={row.last} since={row.runningSince} />
          <span className="quiet">
            {every(row)}
            {row.last && (
              <>
                {' · '}
                <TimeAgo at={row.last.startedAt} />
              </>
            )}
          </span>
        </p>
      </div>
      {user.root && <RunNow row={row} />}
    </div>
  );
  return (
    <div className="data-table">
      <Table<JobRow>
        label={t('tabs.jobs')}
        rowKey="job"
        showHeader={!narrow}
        rows={jobs.data.items}
        columns={narrow ? [{ key: 'row', render: (_, row) => compact(row) }] : columns}
      />
      {open && <JobHistory job={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

function RunResult({ run, since = null }: { run: JobRunRow | null; since?: string | null }) {
  const { t } = useTranslation('system');
  if (since !== null) {
    return (
      <Tag tone="working" glyph="bolt">
        {t('jobs.running')}
      </Tag>
    );
  }
  if (run === null) return <span className="quiet">{t('jobs.notYet')}</span>;
  return (
    <Tag tone={run.error === null ? 'idle' : 'faulted'} glyph={run.error === null ? 'check' : 'cross'}>
      {run.error === null ? t('jobs.succeeded') : t('jobs.failed')}
    </Tag>
  );
}

function RunNow({ row: { job, runningSince } }: { row: JobRow }) {
  const { t } = useTranslation('system');
  const name = t(`jobNames.${job}`);
  const run = useMutation({
    mutationFn: () => call('runJob', { params: { job }, body: {} }),
    onSuccess: async () => {
      toast.success(t('jobs.started', { job: name }));
      await refresh('listJobs', 'listJobRuns');
    },
  });
  return (
    <Button
      className={css.run}
      size="small"
      loading={run.isPending}
      disabled={runningSince !== null}
      aria-label={t('jobs.runJob', { job: name })}
      onClick={() => run.mutate()}
    >
      {t('jobs.run')}
    </Button>
  );
}

function JobHistory({ job: { job, errorSearch }, onClose }: { job: JobRow; onClose(): void }) {
  const { t } = useTranslation('system');
  const mayReadErrors = usePermitted(['auth_logs_error']);
  const runs = useQuery(queryOf('listJobRuns', { query: { job } }));
  return (
    <Drawer
      open
      onClose={onClose}
      size={620}
      title={t(`jobNames.${job}`)}
      extra={
        mayReadErrors && (
          <Link to={`/manage/logs/error?${new URLSearchParams({ source: 'job', search: errorSearch })}`}>
            {t('jobs.errors')}
          </Link>
        )
      }
    >
      <p className="quiet">{t('jobs.historyNote')}</p>
      {!runs.data &&
        (runs.isError ? <ErrorState error={runs.error} onRetry={() => void runs.refetch()} /> : <SkeletonRows />)}
      {runs.data?.items.length === 0 && <EmptyState text={t('jobs.noHistory')} />}
      <ul className="row-list">
        {runs.data?.items.map((run) => (
          <li key={`${run.startedAt} ${run.durationMs}`}>
            <RunResult run={run} /> <ExactTime at={run.startedAt} /> · {formatSpan(run.durationMs)}
            {run.requestedBy !== null && (
              <span className="quiet"> {t('jobs.requestedBy', { user: run.requestedBy })}</span>
            )}
            {run.error !== null && <p className={css.runError}>{run.error}</p>}
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
