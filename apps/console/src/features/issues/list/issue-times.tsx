import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Answer } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/lists/use-list-query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { filtersIn, type ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { FilterBar } from '../../../shared/ui/list-page/filter-bar.tsx';
import { FilterTimes } from '../../../shared/ui/list-page/filter-inputs.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { CustomerPicker, SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { PagedTable } from '../../../shared/ui/table/paged-table.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import { IssuePriorityMark } from '../shared/issue-marks.tsx';
import { issueListPath } from '../shared/issue-paths.ts';

const filters = { from: 'time', to: 'time', customerId: 'number', siteId: 'number' } as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };

type Row = Answer<'readIssueTimes'>['items'][number] & { id: string };

/** Response and resolution times of the issues of a period, by customer, site and priority. */
export default function IssueTimes() {
  const { t } = useTranslation('issues');
  const navigate = useNavigate();
  const narrow = useMedia('(max-width: 760px)');
  const list = useListQuery(SPEC);
  const times = useQuery({
    ...queryOf('readIssueTimes', { query: filtersIn(list.query) }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const rows = times.data?.items.map((row) => ({
    ...row,
    id: `${row.customerId} ${row.siteId} ${row.priority}`,
  }));
  const { customerId } = list.query;
  const place = ({ siteName, customerName }: Row) => siteName ?? t('times.noSite', { customer: customerName });
  const issues = (row: Row) => (
    <button
      type="button"
      className="text-button"
      onClick={() => navigate(listOf(row))}
      aria-label={t('times.show', { count: row.issues, place: place(row) })}
    >
      {row.issues.toLocaleString('en-US')}
    </button>
  );
  const columns: Column<Row>[] = [
    { title: t('customer'), dataIndex: 'customerName' },
    { title: t('site'), render: (_, { siteName }) => siteName ?? <Dash /> },
    { title: t('priorityLabel'), render: (_, { priority }) => <IssuePriorityMark priority={priority} /> },
    { title: t('times.issues'), align: 'end', render: (_, row) => issues(row) },
    { title: t('times.open'), align: 'end', render: (_, { open }) => open.toLocaleString('en-US') },
    { title: t('times.response'), align: 'end', render: (_, row) => <Time ms={row.responseMs} /> },
    { title: t('times.responseP90'), align: 'end', render: (_, row) => <Time ms={row.responseP90Ms} /> },
    { title: t('times.resolution'), align: 'end', render: (_, row) => <Time ms={row.resolutionMs} /> },
    { title: t('times.resolutionP90'), align: 'end', render: (_, row) => <Time ms={row.resolutionP90Ms} /> },
  ];
  const card: Column<Row> = {
    key: 'row',
    render: (_, row) => (
      <ListCard
        title={
          <>
            <IssuePriorityMark priority={row.priority} /> {place(row)}
          </>
        }
        aside={issues(row)}
      >
        {row.siteName !== null && <CardLine>{row.customerName}</CardLine>}
        <CardLine end={<Pair median={row.responseMs} p90={row.responseP90Ms} />}>{t('times.responseShort')}</CardLine>
        <CardLine end={<Pair median={row.resolutionMs} p90={row.resolutionP90Ms} />}>
          {t('times.resolutionShort')}
        </CardLine>
      </ListCard>
    ),
  };
  return (
    <>
      <FilterBar list={list}>
        <FilterTimes labels={[t('times.from'), t('times.to')]} from={list.field('from')} to={list.field('to')} />
        <CustomerPicker
          value={customerId}
          placeholder={t('customer')}
          onChange={(id) => list.change({ customerId: id, siteId: undefined })}
        />
        <SitePicker customerId={customerId} placeholder={t('site')} {...list.field('siteId')} />
      </FilterBar>
      <p className="quiet">{t('times.hint')}</p>
      {rows ? (
        <PagedTable<Row>
          label={t('display.times')}
          rows={rows}
          firstSize={50}
          choosesSize={!narrow}
          columns={narrow ? [card] : columns}
          showHeader={!narrow}
          scrollWidth={narrow ? undefined : 'max-content'}
          empty={<EmptyState text={t('times.empty')} />}
        />
      ) : times.isError ? (
        <ErrorState error={times.error} onRetry={() => void times.refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </>
  );
}

/** The list of the issues that a row counts, apart from the period. */
function listOf({ customerId, siteId, priority }: Pick<Row, 'customerId' | 'siteId' | 'priority'>): string {
  return issueListPath({ tab: 'all', priority, ...(siteId === null ? { customerId } : { siteId }) });
}

function Time({ ms }: { ms: number | null }) {
  return ms === null ? <Dash /> : <Duration seconds={Math.round(ms / 1_000)} />;
}

/** The median, and the 90th percentile after it. */
function Pair({ median, p90 }: { median: number | null; p90: number | null }) {
  const { t } = useTranslation('issues');
  return (
    <>
      <Time ms={median} /> · {t('times.p90')} <Time ms={p90} />
    </>
  );
}
