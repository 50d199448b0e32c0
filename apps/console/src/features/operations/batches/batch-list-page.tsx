import type { BatchRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { batchPath, doneOf, fineOf } from './batch-parts.ts';
import { BatchBar } from './batch-progress.tsx';
import { BatchPlaces, BatchState } from './batch-state.tsx';
import css from './batches.module.css';
import { useBatchName } from './use-batch-name.ts';

const STATES = ['running', 'ended'] as const;
const filters = { state: STATES, siteId: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'requestedAt'> = { filters, sorts: ['requestedAt'] };

/** Commands to devices, newest first: one row for each, also with devices of several sites. */
export default function BatchListPage() {
  const { t } = useTranslation('batches');
  const { t: routes } = useTranslation('routes');
  const nameOf = useBatchName();
  const navigate = useNavigate();
  const list = useList(SPEC, 'listBatches', (query) => ({ query }));
  const name = (batch: BatchRow) => <Link to={batchPath(batch.id)}>{nameOf(batch)}</Link>;
  const progress = (batch: BatchRow) => (
    <div className={css.batchCell}>
      <BatchBar counts={batch.counts} />
      <span className="no-break">
        {batch.endedAt === null ? doneOf(batch) : fineOf(batch)} / {batch.counts.total}
      </span>
    </div>
  );
  return (
    <ListPage
      title={routes('batches')}
      list={list}
      filters={
        <>
          <FilterSelect
            label={t('list.state')}
            options={STATES.map((value) => ({ value, label: t(value) }))}
            {...list.field('state')}
          />
          <SitePicker placeholder={t('list.site')} {...list.field('siteId')} />
        </>
      }
      onOpen={(batch) => navigate(batchPath(batch.id))}
      empty={t('list.empty')}
      columns={[
        { title: t('list.at'), sortBy: 'requestedAt', render: (_, batch) => <ExactTime at={batch.requestedAt} /> },
        { title: t('list.what'), render: (_, batch) => name(batch) },
        { title: t('list.site'), render: (_, batch) => <BatchPlaces batch={batch} /> },
        { title: t('list.state'), render: (_, batch) => <BatchState batch={batch} /> },
        { title: t('list.progress'), width: 240, render: (_, batch) => progress(batch) },
        { title: t('list.by'), dataIndex: 'requestedBy' },
      ]}
      compact={(batch) => (
        <ListCard title={name(batch)}>
          <CardLine>
            <BatchPlaces batch={batch} /> · <ExactTime at={batch.requestedAt} />
          </CardLine>
          <BatchState batch={batch} />
          {progress(batch)}
        </ListCard>
      )}
    />
  );
}
