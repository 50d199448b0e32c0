import type { BatchDetail, BatchFailure } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/lists/use-list-query.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { DetailPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { useOwnNavigate } from '../../../shared/ui/dialogs/own-navigate.ts';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { BatchDevices, DEVICES, type LogOpener } from './batch-devices.tsx';
import { BatchFailures, useFailureText } from './batch-failures.tsx';
import { batchPath, doneOf, fineOf, unsuccessfulOf } from './batch-parts.ts';
import { BatchBar, BatchLegend } from './batch-progress.tsx';
import { BatchSites } from './batch-sites.tsx';
import { BatchPlaces, BatchState } from './batch-state.tsx';
import './batches.module.css';
import { useBatchName } from './use-batch-name.ts';

/**
 * A command to devices, one or many: whether it worked everywhere, and where not. Its progress, the failures by reason,
 * its sites with the values that their devices have now, and the result of each device.
 */
export function BatchPage({ openLog }: { openLog: LogOpener }) {
  const id = Number(useParams().id);
  const nameOf = useBatchName();
  return (
    <DetailPage read="readBatch" input={{ params: { id } }} nameOf={nameOf}>
      {(batch) => <Shown batch={batch} openLog={openLog} />}
    </DetailPage>
  );
}

/** What a retry sends the command to: all devices without success, or those with one reason. */
type Retry = BatchFailure | 'all';

function Shown({ batch, openLog }: { batch: BatchDetail; openLog: LogOpener }) {
  const { t } = useTranslation('batches');
  const name = useBatchName()(batch);
  const list = useListQuery(DEVICES);
  const [retry, setRetry] = useState<Retry | null>(null);
  return (
    <Page
      title={name}
      note={<Note batch={batch} />}
      actions={<Actions batch={batch} onRetry={() => setRetry('all')} />}
    >
      <Panel
        title={
          <>
            <span>
              {batch.endedAt === null
                ? t('progress', { done: doneOf(batch), total: batch.counts.total })
                : t('succeeded', { done: fineOf(batch), total: batch.counts.total })}
            </span>{' '}
            <BatchState batch={batch} />
          </>
        }
        extra={<Settings batch={batch} />}
      >
        <div className="stack" role="status">
          <BatchBar counts={batch.counts} />
          <BatchLegend counts={batch.counts} onChoose={(state) => list.change({ state })} />
          {batch.stopped && (
            <p className="warning-note">
              {t(`stopped.${batch.stopped}`, { count: batch.stopAfter ?? 0, name: batch.stoppedBy ?? '' })}
            </p>
          )}
        </div>
      </Panel>
      <BatchFailures batch={batch} onRetry={setRetry} />
      <BatchSites batch={batch} />
      <BatchDevices batch={batch} openLog={openLog} />
      {retry && <RetryDialog batch={batch} retry={retry} onClose={() => setRetry(null)} />}
    </Page>
  );
}

function Note({ batch }: { batch: BatchDetail }) {
  const { t } = useTranslation('batches');
  return (
    <>
      <BatchPlaces batch={batch} /> · {batch.requestedBy} · <ExactTime at={batch.requestedAt} />
      {batch.rerunOf !== null && (
        <>
          {' · '}
          <Link to={batchPath(batch.rerunOf)}>{t('rerunOf', { id: batch.rerunOf })}</Link>
        </>
      )}
    </>
  );
}

/** The limits of the command, which apply to each of its sites. */
function Settings({ batch }: { batch: BatchDetail }) {
  const { t } = useTranslation('batches');
  if (batch.counts.total === 1 && batch.queueMinutes === null) return null;
  return (
    <span className="quiet">
      {t(batch.sites.length > 1 ? 'settingsSites' : 'settings', { parallel: batch.parallel })}
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

/** The actions of a command: cancel queued devices, or retry devices without success. */
function Actions({ batch, onRetry }: { batch: BatchDetail; onRetry(): void }) {
  const { t } = useTranslation('batches');
  const [cancels, setCancels] = useState(false);
  return (
    <>
      <Link to="/manage/device/batches">{t('toList')}</Link>
      {batch.may && batch.counts.queued > 0 && batch.stopped !== 'person' && (
        <Button danger onClick={() => setCancels(true)}>
          {t('cancelRest')}
        </Button>
      )}
      {batch.may && batch.endedAt !== null && unsuccessfulOf(batch) > 0 && (
        <Button type="primary" onClick={onRetry}>
          {t('rerun')}
        </Button>
      )}
      {cancels && (
        <Confirm
          title={t('cancelTitle')}
          ok={t('cancelRest')}
          danger
          run={() => call('cancelBatch', { params: { id: batch.id }, body: {} }, { quiet: true })}
          onDone={() => {
            setCancels(false);
            void refresh('readBatch', 'listBatches', 'listBatchExecutions');
          }}
          onClose={() => setCancels(false)}
        >
          {t('cancelText', { count: batch.counts.queued })}
        </Confirm>
      )}
    </>
  );
}

function RetryDialog({ batch, retry, onClose }: { batch: BatchDetail; retry: Retry; onClose(): void }) {
  const { t } = useTranslation('batches');
  const navigate = useOwnNavigate();
  const withKey = useRequestKey();
  const textOf = useFailureText();
  const params = { id: batch.id };
  const { reason = null, transferReason = null } = retry === 'all' ? {} : retry;
  const only = transferReason ? { transferReason } : reason ? { reason } : {};
  return (
    <Confirm
      title={t('rerunTitle')}
      ok={t('rerun')}
      run={() =>
        withKey({ params, only }, (requestKey) =>
          call('rerunBatch', { params, body: { ...only, requestKey } }, { quiet: true }),
        )
      }
      onDone={({ id }) => {
        onClose();
        void navigate(batchPath(id));
        void refresh('readBatch', 'listBatches', 'listBatchExecutions');
      }}
      onClose={onClose}
    >
      {retry !== 'all' && <p>{textOf(retry)}</p>}
      {t('rerunText', { count: retry === 'all' ? unsuccessfulOf(batch) : retry.devices })}
    </Confirm>
  );
}
