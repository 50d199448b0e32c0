import type { ActivityKind, LinkActivity, LinkRow } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, download } from '../../../shared/api/client.ts';
import { FilterText } from '../../../shared/ui/list-page/filter-inputs.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../links.module.css';

const KINDS = Object.keys({ request: 1, connection: 1, transfer: 1 } satisfies Record<
  ActivityKind,
  1
>) as ActivityKind[];

interface Filters {
  kind?: ActivityKind;
  search?: string;
}

/** The requests, connections and file transfers of a link, with a search, and as a file. */
export function ActivityList({ link }: { link: Pick<LinkRow, 'id' | 'state'> }) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const [filters, setFilters] = useState<Filters>({});
  const activity = useInfiniteQuery({
    // Not the entry of a query without pages.
    queryKey: ['listLinkActivity', { params: { id: link.id }, query: filters }, 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? filters : { ...filters, before: pageParam };
      return call('listLinkActivity', { params: { id: link.id }, query }, { quiet: true, signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const pages = activity.data?.pages;
  const items = useMemo(() => pages?.flatMap((page) => page.items), [pages]);
  const filtered = filters.kind !== undefined || filters.search !== undefined;
  if (activity.isLoadingError) return <ErrorState error={activity.error} onRetry={() => void activity.refetch()} />;
  if (items?.length === 0 && !filtered) return <p className="quiet">{t('activity.none')}</p>;
  const save = (format: 'csv' | 'jsonl') =>
    void download('exportLinkActivity', { params: { id: link.id }, query: { ...filters, format } }).catch(
      (error: unknown) => console.warn('The activity could not be exported', error),
    );
  return (
    <>
      <div className="field-row">
        <Select<ActivityKind | 'all'>
          aria-label={t('activity.kind')}
          value={filters.kind ?? 'all'}
          options={(['all', ...KINDS] as const).map((value) => ({
            value,
            label: value === 'all' ? t('activity.all') : t(`activity.kinds.${value}`),
          }))}
          onChange={(kind) =>
            setFilters(({ search }) => ({ ...(search && { search }), ...(kind !== 'all' && { kind }) }))
          }
        />
        <FilterText
          label={t('activity.search')}
          maxLength={200}
          value={filters.search}
          onChange={(search) => setFilters(({ kind }) => ({ ...(kind && { kind }), ...(search && { search }) }))}
        />
        <Button onClick={() => save('csv')}>{t('activity.csv')}</Button>
        <Button onClick={() => save('jsonl')}>{t('activity.jsonl')}</Button>
      </div>
      {!items ? (
        <SkeletonRows rows={3} />
      ) : items.length === 0 ? (
        <p className="quiet">{t('activity.none')}</p>
      ) : (
        <ul className={css.activity} aria-label={t('activity.title')}>
          {items.map((one) => (
            <li key={one.number}>
              <Activity activity={one} running={link.state === 'open' ? 'now' : 'running'} />
            </li>
          ))}
        </ul>
      )}
      {activity.hasNextPage && (
        <Button type="link" loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
          {common('older')}
        </Button>
      )}
    </>
  );
}

function Activity({ activity, running }: { activity: LinkActivity; running: 'now' | 'running' }) {
  const { t } = useTranslation('links');
  const { kind, startedAt, guest, result, status, bytesIn, bytesOut } = activity;
  const traffic = t('trafficOf', { sent: formatSize(bytesOut), received: formatSize(bytesIn) });
  return (
    <ListCard title={<span className="mono">{useActivityText(activity)}</span>} aside={<ExactTime at={startedAt} />}>
      <CardLine end={<span className="no-break">{traffic}</span>}>
        {guest !== null && `${t('guests.guest', { name: guest })} · `}
        {t(`activity.kinds.${kind}`)} · {t(`activity.results.${result ?? running}`)}
        {status !== null && ` · ${status}`}
      </CardLine>
    </ListCard>
  );
}

/** What happened: the direction of a transfer in words, and the path of a request with readable characters. */
function useActivityText({ kind, text }: LinkActivity): string {
  const { t } = useTranslation('links');
  const transfer = kind === 'transfer' ? /^(upload|download) (.*)$/s.exec(text) : null;
  if (transfer) return t(`files.${transfer[1] as 'upload' | 'download'}`, { name: transfer[2] });
  if (kind !== 'request') return text;
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
