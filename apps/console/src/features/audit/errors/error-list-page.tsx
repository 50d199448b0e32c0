import type { ErrorRow } from '@chargehand/contract';
import { ERROR_SOURCES, ERROR_STATES } from '@chargehand/domain';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { FilterTimes } from '../../../shared/ui/list-page/filter-inputs.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { ErrorDrawer } from './error-drawer.tsx';
import { ErrorStateTag } from './error-state.tsx';
import css from './errors.module.css';
import { SupportBundle } from './support-bundle.tsx';

const filters = { search: 'text', state: ERROR_STATES, source: ERROR_SOURCES, from: 'time', to: 'time' } as const;
type Sort = 'lastAt' | 'firstAt' | 'count';
const SPEC: ListSpec<typeof filters, Sort> = { filters, sorts: ['lastAt', 'firstAt', 'count'] };
const FORMATS = ['csv', 'jsonl'] as const;

/** The error log: errors by cause, the latest first. */
export default function ErrorListPage() {
  const { t } = useTranslation('errors');
  const { t: routes } = useTranslation('routes');
  const { user } = useUser();
  const list = useList(SPEC, 'listErrors', (query) => ({ query }));
  const [open, setOpen] = useState<number | null>(null);
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('csv');
  const columns: DataColumn<ErrorRow, Sort>[] = [
    {
      name: 'error',
      always: true,
      title: t('error'),
      className: css.error,
      render: (_, error) => (
        <button
          type="button"
          className="text-button"
          aria-label={t('open', { name: `${error.name}: ${error.message}` })}
          onClick={() => setOpen(error.id)}
        >
          <span className={css.message}>
            {error.name}: {error.message}
          </span>
        </button>
      ),
    },
    {
      name: 'source',
      title: t('source'),
      className: 'no-break',
      render: (_, error) => t(`sources.${error.source}`),
    },
    { name: 'state', title: t('state'), render: (_, error) => <ErrorStateTag error={error} /> },
    {
      name: 'count',
      title: t('count'),
      sortBy: 'count',
      align: 'end',
      render: (_, error) => error.count.toLocaleString('en-US'),
    },
    { name: 'firstAt', title: t('firstAt'), sortBy: 'firstAt', render: (_, error) => <ExactTime at={error.firstAt} /> },
    { name: 'lastAt', title: t('lastAt'), sortBy: 'lastAt', render: (_, error) => <ExactTime at={error.lastAt} /> },
    { name: 'version', title: t('version'), dataIndex: 'lastVersion' },
  ];
  return (
    <ListPage
      title={routes('logsError')}
      list={list}
      search={t('search')}
      filters={
        <>
          <FilterSelect
            label={t('state')}
            options={ERROR_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
            {...list.field('state')}
          />
          <FilterSelect
            label={t('source')}
            options={ERROR_SOURCES.map((value) => ({ value, label: t(`sources.${value}`) }))}
            {...list.field('source')}
          />
        </>
      }
      moreFilters={<FilterTimes labels={[t('from'), t('to')]} from={list.field('from')} to={list.field('to')} />}
      actions={
        <>
          <Select
            aria-label={t('format')}
            value={format}
            options={FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
            onChange={setFormat}
          />
          {user.root && <SupportBundle />}
        </>
      }
      onExport={({ sort: _, ...query }, options) => download('exportErrors', { query: { ...query, format } }, options)}
      columns={columns}
      keep="errors"
      onOpen={({ id }) => setOpen(id)}
      empty={t('empty')}
      compact={(error) => (
        <ListCard title={error.name} aside={<ErrorStateTag error={error} />}>
          <CardLine>{error.message}</CardLine>
          <CardLine end={<TimeAgo at={error.lastAt} />}>
            {t(`sources.${error.source}`)} · {error.count.toLocaleString('en-US')}
          </CardLine>
        </ListCard>
      )}
    >
      {open !== null && <ErrorDrawer key={open} id={open} onClose={() => setOpen(null)} />}
    </ListPage>
  );
}
