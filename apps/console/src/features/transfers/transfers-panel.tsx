import type { DeviceDetail, TransferRow } from '@chargehand/contract';
import type { TransferKind } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { newCommandPath } from '../../shared/lib/new-command-path.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Pager } from '../../shared/ui/table/pager.tsx';
import { stepsDone, stepsOf } from '../../shared/ui/transfers/transfer-look.ts';
import { TransferSending, TransferTag, useTransferReason } from '../../shared/ui/transfers/transfer-stand.tsx';
import { ExactTime, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import css from './transfers.module.css';

const PAGE_SIZE = 10;
/** The file transfers of a device, by the commands that its model supports. */
const BUTTONS = [
  { kind: 'software', command: 'upgradeSoftware' },
  { kind: 'plc', command: 'updatePlcFirmware' },
  { kind: 'log', command: 'uploadLog' },
] as const;

/** Firmware and log transfers of a device, with their results. */
export default function TransfersPanel({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('transfers');
  const [page, setPage] = useState(1);
  const navigate = useNavigate();
  const transfers = useQuery({
    ...queryOf('listTransfers', { params: { id: device.id }, query: { page, pageSize: PAGE_SIZE } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const controls = useQuery(queryOf('listControls', { params: { id: device.id } }, { quiet: true }));
  const offers = (controls.data?.items ?? [])
    .filter(({ may }) => may)
    .flatMap((control) => BUTTONS.filter(({ command }) => control.kinds.includes(command)));
  // An upgrade can wait for an offline device; a log cannot.
  const isUnavailable = (kind: TransferKind) => !device.enabled || (kind === 'log' && !device.connected);
  return (
    <Panel
      title={t('title')}
      extra={
        <span className={css.transferButtons}>
          {offers.map(({ kind, command }) => (
            <Button
              key={kind}
              disabled={isUnavailable(kind)}
              onClick={() => navigate(newCommandPath([device.id], command))}
            >
              {kind === 'log' ? t('log.do') : t(`update.${kind}.do`)}
            </Button>
          ))}
        </span>
      }
    >
      {transfers.isError && !transfers.data ? (
        <ErrorState error={transfers.error} onRetry={() => void transfers.refetch()} />
      ) : !transfers.data ? (
        <SkeletonRows rows={4} />
      ) : transfers.data.items.length === 0 ? (
        <EmptyState text={t('none')} />
      ) : (
        <>
          <ul className="plain-list" aria-label={t('title')}>
            {transfers.data.items.map((transfer) => (
              <Transfer key={transfer.id} transfer={transfer} />
            ))}
          </ul>
          <Pager page={page} pageSize={PAGE_SIZE} total={transfers.data.total} onPage={setPage} />
        </>
      )}
    </Panel>
  );
}

/** A transfer with its steps, its reports and why it failed. */
export function Transfer({ transfer }: { transfer: TransferRow }) {
  const { t } = useTranslation('transfers');
  const reasonOf = useTransferReason();
  const { kind, state, reason, reports } = transfer;
  return (
    <li className="transfer">
      <div className="field-row">
        <TransferTag state={state} />
        <strong>{nameOf(transfer, t)}</strong>
        <span className="quiet">
          <TimeAgo at={transfer.requestedAt} /> · {transfer.requestedBy} · {transfer.transport.toUpperCase()}
        </span>
      </div>
      <Steps transfer={transfer} />
      <TransferSending transfer={transfer} />
      {state === 'installed' && <p className="quiet">{t('notProven')}</p>}
      {reason && <p className={state === 'failed' ? 'error-note' : 'warning-note'}>{reasonOf(transfer)}</p>}
      {(reports.length > 0 || isUnderWay(transfer)) && (
        <details>
          <summary>{t('reports', { count: reports.length })}</summary>
          <ol className={css.transferReports}>
            {reports.map(({ at, word }) => (
              <li key={`${at}${word}`}>
                <ExactTime at={at} /> <WordOf word={word} />
              </li>
            ))}
          </ol>
          {isUnderWay(transfer) && (
            <p className="quiet">
              {t('until')} <ExactTime at={transfer.deadlineAt} /> <EndTransfer transfer={transfer} />
            </p>
          )}
        </details>
      )}
      {kind !== 'log' && transfer.formerVersion && (
        <p className={`quiet ${css.transferFormer}`}>{t('former', { version: transfer.formerVersion })}</p>
      )}
    </li>
  );
}

/** Ends a transfer that its device forgot, so that another one can start. */
function EndTransfer({ transfer: { executionId } }: { transfer: TransferRow }) {
  const { t } = useTranslation('transfers');
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setConfirming(true)}>
        {t('end.do')}
      </Button>
      {confirming && (
        <Confirm
          title={t('end.title')}
          ok={t('end.do')}
          danger
          run={() => call('endTransfer', { params: { executionId }, body: {} }, { quiet: true })}
          onDone={() => refresh('listTransfers', 'listExecutions')}
          onClose={() => setConfirming(false)}
        >
          {t('end.text')}
        </Confirm>
      )}
    </>
  );
}

/** A report of a device: the status of its protocol, or its version. */
function WordOf({ word }: { word: string }) {
  const { t } = useTranslation('transfers');
  const version = /^version:(.*)$/s.exec(word)?.[1];
  return version === undefined ? <code>{word}</code> : <span>{t('reportedVersion', { version })}</span>;
}

function Steps({ transfer }: { transfer: TransferRow }) {
  const { t } = useTranslation('transfers');
  const done = stepsDone(transfer);
  const broken = transfer.state === 'failed' || transfer.state === 'timedOut';
  return (
    <ol className={css.transferSteps} data-broken={broken || undefined}>
      {stepsOf(transfer).map((step, index) => (
        <li key={step} data-done={index < done || undefined} aria-current={index === done - 1 ? 'step' : undefined}>
          {t(`states.${step}`)}
        </li>
      ))}
    </ol>
  );
}

function nameOf(
  { kind, version, logType }: TransferRow,
  t: ReturnType<typeof useTranslation<'transfers'>>['t'],
): string {
  return kind === 'log' ? t(`logTypes.${logType ?? 'diagnostics'}`) : `${t(`kinds.${kind}`)} ${version ?? ''}`;
}

function isUnderWay({ endedAt }: TransferRow): boolean {
  return endedAt === null;
}
