import type { BatchExecutionRow, BatchRow } from '@chargehand/contract';
import { transferOf } from '@chargehand/domain';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { type Answer, call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useListQuery } from '../../../shared/hooks/lists/use-list-query.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { DetailPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { useOwnNavigate } from '../../../shared/ui/dialogs/own-navigate.ts';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { CancelButton } from '../commands/cancel-button.tsx';
import { ExecutionStage, endOf, lookOf } from '../executions/execution-stage.tsx';
import { batchPath, doneOf, groupPath, unsuccessfulOf } from './batch-parts.ts';
import { BatchBar, BatchLegend } from './batch-progress.tsx';
import css from './batches.module.css';
import { useBatchName } from './use-batch-name.ts';

const RESULTS = ['waiting', 'success', 'failure', 'timeout', 'offline'] as const;
const filters = { results: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'sn'> = { filters, sorts: ['sn'] };

/** A command to several devices: its progress, and the result of each device. */
export default function BatchPage() {
  const id = Number(useParams().id);
  const nameOf = useBatchName();
  return (
    <DetailPage read="readBatch" input={{ params: { id } }} nameOf={nameOf}>
      {(batch) => <Shown batch={batch} />}
    </DetailPage>
  );
}

function Shown({ batch }: { batch: BatchRow }) {
  const { t } = useTranslation('batches');
  const name = useBatchName()(batch);
  const list = useListQuery(SPEC);
  return (
    <Page title={name} note={<Note batch={batch} />} actions={<Actions batch={batch} />}>
      <Panel
        title={
          batch.endedAt === null
            ? t('progress', { done: doneOf(batch), total: batch.counts.total })
            : t('succeeded', { done: batch.counts.succeeded, total: batch.counts.total })
        }
        extra={<Settings batch={batch} />}
      >
        <div className={css.batchProgress} role="status">
          <BatchBar batch={batch} />
          <BatchLegend batch={batch} onChoose={(results) => list.change({ results })} />
          {batch.stopped && (
            <p className="warning-note">
              {t(`stopped.${batch.stopped}`, { count: batch.stopAfter ?? 0, name: batch.stoppedBy ?? '' })}
            </p>
          )}
        </div>
      </Panel>
      <Devices batch={batch} />
    </Page>
  );
}

function Note({ batch }: { batch: BatchRow }) {
  const { t } = useTranslation('batches');
  return (
    <>
      {batch.siteName} · {batch.requestedBy} · <ExactTime at={batch.requestedAt} />
      {batch.groupId !== null && (
        <>
          {' · '}
          <Link to={groupPath(batch)}>{t('group')}</Link>
        </>
      )}
      {batch.rerunOf !== null && (
        <>
          {' · '}
          <Link to={batchPath(batch.rerunOf)}>{t('rerunOf', { id: batch.rerunOf })}</Link>
        </>
      )}
    </>
  );
}

/** The limits of the batch. */
function Settings({ batch }: { batch: BatchRow }) {
  const { t } = useTranslation('batches');
  return (
    <span className="quiet">
      {t('settings', { parallel: batch.parallel })}
      {batch.stopAfter !== null && ` · ${t('settingsStop', { count: batch.stopAfter })}`}
      {batch.queueMinutes !== null && (
        <>
          {' · '}
          {t('waits', { time: '' })}
          <Duration seconds={batch.queueMinutes * 60} />
        </>
      )}
    </span>
  );
}

/** The actions of a batch: cancel queued commands, or retry devices without success. */
function Actions({ batch }: { batch: BatchRow }) {
  const { t } = useTranslation('batches');
  const navigate = useOwnNavigate();
  const [confirming, setConfirming] = useState<'cancel' | 'rerun' | null>(null);
  const withKey = useRequestKey();
  const params = { id: batch.id };
  const close = () => setConfirming(null);
  const done = () => {
    close();
    void refresh('readBatch', 'listBatches', 'listBatchExecutions');
  };
  const again = unsuccessfulOf(batch);
  return (
    <>
      <Link to="/manage/device/batches">{t('toList')}</Link>
      {batch.may && batch.counts.queued > 0 && batch.stopped === null && (
        <Button danger onClick={() => setConfirming('cancel')}>
          {t('cancelRest')}
        </Button>
      )}
      {batch.may && batch.endedAt !== null && again > 0 && (
        <Button type="primary" onClick={() => setConfirming('rerun')}>
          {t('rerun')}
        </Button>
      )}
      {confirming === 'cancel' && (
        <Confirm
          title={t('cancelTitle')}
          ok={t('cancelRest')}
          danger
          run={() => call('cancelBatch', { params, body: {} }, { quiet: true })}
          onDone={done}
          onClose={close}
        >
          {t('cancelText', { count: batch.counts.queued })}
        </Confirm>
      )}
      {confirming === 'rerun' && (
        <Confirm
          title={t('rerunTitle')}
          ok={t('rerun')}
          run={() =>
            withKey(params, (requestKey) => call('rerunBatch', { params, body: { requestKey } }, { quiet: true }))
          }
          onDone={({ id }) => {
            navigate(batchPath(id));
            done();
          }}
          onClose={close}
        >
          {t('rerunText', { count: again })}
        </Confirm>
      )}
    </>
  );
}

function Devices({ batch }: { batch: BatchRow }) {
  const { t } = useTranslation('batches');
  const { t: common } = useTranslation();
  const list = useList(SPEC, 'listBatchExecutions', (query) => ({ params: { id: batch.id }, query }), { rowsOf });
  const device = ({ deviceId, deviceName, sn }: Row) =>
    deviceId === null ? (
      <span className="quiet">{t('moved')}</span>
    ) : (
      <>
        <Link to={`/manage/device/detail/${deviceId}?tab=operations`}>{deviceName}</Link>{' '}
        <span className="mono quiet">{sn}</span>
      </>
    );
  const reason = (row: Row) => <ExecutionStage execution={row} connected={null} />;
  const cancel = (row: Row) =>
    batch.may && (
      <CancelButton execution={{ id: row.executionId, state: row.state }} name={row.deviceName ?? undefined} />
    );
  return (
    <ListSection
      label={t('devices')}
      list={list}
      filters={
        <FilterSelect
          label={t('resultFilter')}
          options={RESULTS.map((name, place) => ({
            value: String(place + 1),
            label: common(`executionResult.${name}`),
          }))}
          {...list.field('results')}
        />
      }
      lookOf={lookOf}
      empty={t('empty')}
      columns={[
        { title: t('device'), sortBy: 'sn', render: (_, row) => device(row) },
        { title: t('result'), width: 110, render: (_, row) => <ResultTag execution={row} /> },
        { title: t(transferOf(batch.kind) ? 'list.progress' : 'reason'), render: (_, row) => reason(row) },
        { title: t('endedAt'), render: (_, row) => <ExactTime at={endOf(row)} /> },
      ]}
      rowActions={cancel}
      compact={(row) => (
        <ListCard title={device(row)} aside={<ResultTag execution={row} />}>
          <CardLine>{reason(row)}</CardLine>
          {cancel(row)}
        </ListCard>
      )}
    />
  );
}

type Row = Omit<BatchExecutionRow, 'id'> & { id: number; executionId: string };

/** Executions have no numeric id, so a row uses its position on the page. */
function rowsOf({ items }: Answer<'listBatchExecutions'>): Row[] {
  return items.map((execution, place) => ({ ...execution, executionId: execution.id, id: place + 1 }));
}
