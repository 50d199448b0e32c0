import type { BatchRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { FilterCheck } from '../../../shared/ui/list-page/filter-check.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { batchPath, doneOf, unsuccessfulOf } from './batch-parts.ts';
import { BatchBar } from './batch-progress.tsx';
import css from './batches.module.css';
import { useBatchName } from './use-batch-name.ts';

const STATES = ['running', 'ended'] as const;
const filters = { state: STATES, siteId: 'number', groupId: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'requestedAt'> = { filters, sorts: ['requestedAt'] };

/** Commands to several devices, newest first. */
export default function BatchListPage() {
  const { t } = useTranslation('batches');
  const { t: routes } = useTranslation('routes');
  const nameOf = useBatchName();
  const navigate = useNavigate();
  const list = useList(SPEC, 'listBatches', (query) => ({ query }));
  const name = (batch: BatchRow) => <Link to={batchPath(batch.id)}>{nameOf(batch)}</Link>;
  const progress = (batch: BatchRow) => (
    <div className={css.batchCell}>
      <BatchBar batch={batch} />
      <span className="no-break">
        {batch.endedAt === null ? doneOf(batch) : batch.counts.succeeded} / {batch.counts.total}
      </span>
    </div>
  );
  const stateTag = (batch: BatchRow) => {
    const failed = unsuccessfulOf(batch);
    if (batch.endedAt === null) {
      return (
        <Tag tone="working" glyph="clock">
          {t('running')}
        </Tag>
      );
    }
    return failed > 0 ? (
      <Tag tone="faulted" glyph="alert">
        {t('endedWithout', { count: failed })}
      </Tag>
    ) : (
      <Tag tone="plain" glyph="check">
        {t('ended')}
      </Tag>
    );
  };
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
          {list.query.groupId !== undefined && (
            <FilterCheck checked onChange={() => list.change({ groupId: undefined })}>
              {t('list.group')}
            </FilterCheck>
          )}
        </>
      }
      onOpen={(batch) => navigate(batchPath(batch.id))}
      empty={t('list.empty')}
      columns={[
        { title: t('list.at'), sortBy: 'requestedAt', render: (_, batch) => <ExactTime at={batch.requestedAt} /> },
        { title: t('list.what'), render: (_, batch) => name(batch) },
        { title: t('list.site'), dataIndex: 'siteName' },
        { title: t('list.state'), render: (_, batch) => stateTag(batch) },
        { title: t('list.progress'), width: 240, render: (_, batch) => progress(batch) },
        { title: t('list.by'), dataIndex: 'requestedBy' },
      ]}
      compact={(batch) => (
        <ListCard title={name(batch)}>
          <CardLine>
            {batch.siteName} <ExactTime at={batch.requestedAt} />
          </CardLine>
          {progress(batch)}
        </ListCard>
      )}
    />
  );
}
