import type { BatchDetail, BatchExecutionRow } from '@chargehand/contract';
import { BATCH_DEVICE_STATES, EXECUTION_RESULTS, transferOf } from '@chargehand/domain';
import { Button } from 'antd';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { CancelButton } from '../commands/cancel-button.tsx';
import { ExecutionStage, endOf, lookOf } from '../executions/execution-stage.tsx';
import { Value } from './batch-plan.tsx';

/** Opens a log that a device uploaded; it belongs to another feature. */
export type LogOpener = ComponentType<{ deviceId: number; logId: number; onClose(): void }>;

const filters = { state: BATCH_DEVICE_STATES, siteId: 'number' } as const;
export const DEVICES: ListSpec<typeof filters, 'sn'> = { filters, sorts: ['sn'] };

/** The devices of a command with their results, and what it brought: the log, or the version. */
export function BatchDevices({ batch, openLog: OpenLog }: { batch: BatchDetail; openLog: LogOpener }) {
  const { t } = useTranslation('batches');
  const [opened, setOpened] = useState<{ deviceId: number; logId: number } | null>(null);
  const list = useList(DEVICES, 'listBatchExecutions', (query) => ({ params: { id: batch.id }, query }), { rowsOf });
  const several = batch.sites.length > 1;
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
  const result = ({ deviceId, logId, deviceName, outcome }: Row) => {
    if (deviceId === null || outcome !== EXECUTION_RESULTS.success) return null;
    if (logId !== null)
      return (
        <Button
          size="small"
          aria-label={t('openLogOf', { name: deviceName ?? '' })}
          onClick={() => setOpened({ deviceId, logId })}
        >
          {t('openLog')}
        </Button>
      );
    return transferOf(batch.kind) === 'software' || transferOf(batch.kind) === 'plc' ? (
      <Link to={`/manage/device/detail/${deviceId}?tab=details`}>{t('seeVersion')}</Link>
    ) : null;
  };
  const actions = (row: Row) => (
    <>
      {result(row)}
      {batch.may && (
        <CancelButton execution={{ id: row.executionId, state: row.state }} name={row.deviceName ?? undefined} />
      )}
    </>
  );
  return (
    <>
      <ListSection
        label={t('devices')}
        list={list}
        filters={
          <>
            <FilterSelect
              label={t('resultFilter')}
              options={BATCH_DEVICE_STATES.map((value) => ({ value, label: t(`results.${value}`) }))}
              {...list.field('state')}
            />
            {several && (
              <FilterSelect
                label={t('list.site')}
                options={batch.sites.map(({ siteId, siteName }) => ({ value: siteId, label: siteName }))}
                {...list.field('siteId')}
              />
            )}
          </>
        }
        lookOf={lookOf}
        empty={t('empty')}
        columns={[
          { title: t('device'), sortBy: 'sn', render: (_, row) => device(row) },
          ...(several ? [{ title: t('list.site'), render: (_: unknown, row: Row) => row.siteName }] : []),
          { title: t('result'), width: 110, render: (_, row) => <ResultTag execution={row} /> },
          { title: t(transferOf(batch.kind) ? 'list.progress' : 'reason'), render: (_, row) => reason(row) },
          ...(batch.values === null
            ? []
            : [{ title: t('plan.now'), render: (_: unknown, row: Row) => <Value text={row.value} /> }]),
          { title: t('endedAt'), render: (_, row) => <ExactTime at={endOf(row)} /> },
        ]}
        rowActions={actions}
        compact={(row) => (
          <ListCard title={device(row)} aside={<ResultTag execution={row} />}>
            <CardLine>
              <span>
                {several && row.siteName !== null && `${row.siteName} · `}
                {reason(row)}
              </span>
            </CardLine>
            {actions(row)}
          </ListCard>
        )}
      />
      {opened && <OpenLog {...opened} onClose={() => setOpened(null)} />}
    </>
  );
}

type Row = Omit<BatchExecutionRow, 'id'> & { id: number; executionId: string };

/** Executions have no numeric id, so a row uses its position on the page. */
function rowsOf({ items }: Answer<'listBatchExecutions'>): Row[] {
  return items.map((execution, place) => ({ ...execution, executionId: execution.id, id: place + 1 }));
}
