import type { BatchRow } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../../shared/lib/list-query.ts';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { Page } from '../../../shared/ui/page-header.tsx';
import { SitePicker } from '../../../shared/ui/pickers.tsx';
import { Tag } from '../../../shared/ui/tag.tsx';
import { ExactTime } from '../../../shared/ui/time-ago.tsx';
import { batchPath, doneOf } from './batch-parts.ts';
import { BatchBar } from './batch-progress.tsx';
import { useBatchName } from './use-batch-name.ts';

const filters = { state: 'text', siteId: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'requestedAt'> = { filters, sorts: ['requestedAt'] };
const STATES = ['running', 'ended'] as const;

/** Commands to several devices, newest first. */
export default function BatchListPage() {
  const { t } = useTranslation('batches');
  const { t: routes } = useTranslation('routes');
  const nameOf = useBatchName();
  const navigate = useNavigate();
  const list = useListQuery(SPEC);
  const { state, ...query } = list.query;
  const batches = useQuery({
    ...queryOf('listBatches', { query: { ...query, state: STATES.find((one) => one === state) } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const name = (batch: BatchRow) => <Link to={batchPath(batch.id)}>{nameOf(batch)}</Link>;
  const progress = (batch: BatchRow) => (
    <div className="batch-cell">
      <BatchBar batch={batch} />
      <span className="no-break">
        {doneOf(batch)} / {batch.counts.total}
      </span>
    </div>
  );
  const standing = ({ endedAt }: BatchRow) =>
    endedAt === null ? (
      <Tag tone="working" glyph="clock">
        {t('running')}
      </Tag>
    ) : (
      <Tag tone="plain" glyph="check">
        {t('ended')}
      </Tag>
    );
  return (
    <Page title={routes('batches')}>
      <search className="batch-filters" aria-label={t('list.filters')}>
        <Select
          allowClear
          value={STATES.find((one) => one === state) ?? null}
          placeholder={t('list.anyState')}
          aria-label={t('list.state')}
          onChange={(next: string | undefined) => list.change({ state: next })}
          options={STATES.map((one) => ({ value: one, label: t(one) }))}
        />
        <SitePicker
          clearable
          value={list.query.siteId}
          placeholder={t('list.site')}
          onChange={(siteId) => list.change({ siteId })}
        />
      </search>
      <DataTable<BatchRow, typeof filters, 'requestedAt'>
        label={routes('batches')}
        query={batches}
        list={list}
        rowKey="id"
        onOpen={(batch) => navigate(batchPath(batch.id))}
        empty={{ text: t('list.empty') }}
        columns={[
          { title: t('list.at'), sortBy: 'requestedAt', render: (_, batch) => <ExactTime at={batch.requestedAt} /> },
          { title: t('list.what'), render: (_, batch) => name(batch) },
          { title: t('list.site'), dataIndex: 'siteName' },
          { title: t('list.state'), render: (_, batch) => standing(batch) },
          { title: t('list.progress'), width: 240, render: (_, batch) => progress(batch) },
          { title: t('list.by'), dataIndex: 'requestedBy' },
        ]}
        compact={(batch) => (
          <div className="batch-card">
            <div>{name(batch)}</div>
            <div className="quiet">
              {batch.siteName} · <ExactTime at={batch.requestedAt} />
            </div>
            {progress(batch)}
          </div>
        )}
      />
    </Page>
  );
}
